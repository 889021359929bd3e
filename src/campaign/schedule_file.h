// schedule.json: everything needed to make one run again (docs/formats/schedule.md).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "campaign/failure.h"
#include "campaign/program.h"
#include "campaign/run_record.h"
#include "campaign/transfer.h"
#include "host/result.h"

namespace heddle::campaign {

inline constexpr int kScheduleVersion = 1;

struct Schedule {
  std::string tool_version;
  Program program;
  RunInput input;  // plan, points, profile, and the decisions as what to replay
  std::chrono::nanoseconds timeout{};
  std::uint64_t campaign_seed = 0;
  // What came of it: to be compared with.
  Judgement judgement;
  std::uint64_t event_hash = 0;
  std::uint64_t decisions_dropped = 0;
  std::vector<ModuleRecord> modules;  // paths and build ids only
  std::vector<DecisionPlace> places;  // one for each decision, or none
  std::vector<std::string> fail_if;
  std::string expect_output;  // the expected text's file name in the folder; empty: none
};

// `names` gives each decision's place in words.
std::string schedule_text(const Schedule& schedule);

// `where` is for the sentences.
Result<Schedule> parse_schedule(const std::string& text, const std::string& where);

}  // namespace heddle::campaign
