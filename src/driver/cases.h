// heddle run --cases DIR: the schedules that 'heddle save' kept are replayed before anything is hunted for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/json_text.h"
#include "campaign/options.h"
#include "campaign/program.h"
#include "host/result.h"

namespace heddle {

enum class CaseEnd : std::uint8_t {
  passed,
  failed,  // as it did when it was saved
  failed_otherwise,
  other_program,  // not replayed: it was saved from another one
};

struct CaseResult {
  std::string name;
  CaseEnd end = CaseEnd::passed;
  std::string message;  // of a failure
};

struct CasesOutcome {
  std::vector<CaseResult> cases;  // by name
  std::vector<campaign::Failure> failures;
  std::uint64_t runs = 0;
  bool interrupted = false;
};

// Replays each case on `program` with the case's own arguments. On a build it was not recorded on, the schedule is carried
// over (campaign/transfer.h). Failures are kept in options.out and printed.
Result<CasesOutcome> replay_cases(const std::filesystem::path& directory,
                                  const campaign::Program& program, const RunOptions& options);

campaign::Json cases_json(const std::filesystem::path& directory, const CasesOutcome& outcome);
// "cases: 3 replayed, 1 fails".
std::string cases_line(const CasesOutcome& outcome);

// What the hunt found, with what the cases showed before it.
void add_cases(campaign::CampaignResult& result, CasesOutcome& outcome);

}  // namespace heddle
