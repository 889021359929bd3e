// From what the user typed to what a campaign starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/options.h"
#include "campaign/program.h"
#include "host/result.h"

namespace heddle {

// Inspects the file and chooses the runtime that goes with it; takes directory and environment from this process.
Result<campaign::Program> program_under_test(const std::vector<std::string>& arguments,
                                             const std::string& standard_input);

// Better said now than after the hunt: --out and --json can be written.
Result<void> results_can_be_kept(const RunOptions& options);

}  // namespace heddle
