// A failure's folder: all that is needed to make it again, here or elsewhere (docs/formats/failure.md).
#pragma once

#include <filesystem>
#include <string>

#include "campaign/failure.h"
#include "campaign/json_text.h"
#include "campaign/options.h"
#include "campaign/program.h"
#include "campaign/schedule_file.h"
#include "host/result.h"

namespace heddle::campaign {

// The schedule as it was found, once schedule.json holds a smaller one.
inline constexpr const char* kOriginalSchedule = "schedule.original.json";

struct FolderContents {
  const Failure* failure = nullptr;
  const Program* program = nullptr;
  const RunOptions* options = nullptr;
  std::uint64_t campaign_seed = 0;
};

// Writes `parent`/<id>, replacing an older one of the same failure. Returns its absolute path.
Result<std::filesystem::path> write_failure_folder(const std::filesystem::path& parent,
                                                   const FolderContents& contents);

// Only failure.json, in the folder it already has.
Result<void> write_failure_json(const Failure& failure);

// A failure as run's JSON and failure.json both have it (DESIGN A2).
Json failure_json(const Failure& failure);
// Class, sentence, decisive pair and both measures.
Json evidence_json(const Judgement& judgement);
Json explanation_json(const Explanation& explanation);

// From the folder or its schedule.json.
struct OpenedFailure {
  std::filesystem::path folder;
  Schedule schedule;
};
Result<OpenedFailure> open_failure(const std::filesystem::path& path);

}  // namespace heddle::campaign
