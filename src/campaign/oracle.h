// Is this run a failure? Cheap enough for every run; saying what exactly was wrong comes later (describe.h), and only for
// those that failed.
#pragma once

#include <regex.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/failure.h"
#include "campaign/options.h"
#include "campaign/run_directory.h"
#include "campaign/run_record.h"
#include "campaign/suppressions.h"
#include "host/result.h"

namespace heddle::campaign {

struct Suspicion {
  FailureKind kind = FailureKind::none;
  std::string text;     // of an output failure: the line that matched, or where the output differs
  std::string pattern;  // of an output failure: what was asked for
  std::size_t finding = 0;  // of a finding: which of the record's
};

class Oracle {
 public:
  static Result<Oracle> create(const RunOptions& options);

  // Looks at a run right after it, while its output files still hold what it said. Safe from several threads.
  Suspicion judge(const RunRecord& record, RunDirectory& directory) const;

  // The next finding, from that one on, that makes the run a failure.
  std::optional<std::size_t> failing_finding(const RunRecord& record, std::size_t from) const;
  // Not to be spoken of: the user said so, or it is a standard library's own business.
  bool suppressed(const Finding& finding, const RunRecord& record) const;

  // Bytes of output a run may need: what is expected and a little more.
  std::uint64_t output_cap() const;

 private:
  // POSIX regular expressions: the C library matches them in linear time and without recursion, std::regex does not.
  struct Pattern {
    std::string text;
    std::shared_ptr<const regex_t> regex;
  };

  std::optional<Suspicion> judge_output(RunDirectory& directory) const;

  std::vector<Pattern> fail_if_;
  std::optional<std::string> expected_;
  Suppressions suppressions_;
  std::shared_ptr<std::mutex> names_;  // debug information is read by one thread at a time
};

// The first line of a file that contains a match. Lines longer than a megabyte are looked at in pieces.
std::optional<std::string> find_line(const OutputFile& output, const regex_t& regex);

// Where two texts part, in words; empty if they are equal.
std::string first_difference(std::string_view expected, std::string_view got);

}  // namespace heddle::campaign
