// A comparison as a table, as CSV and as JSON.
#pragma once

#include <string>

#include "campaign/compare/comparison.h"
#include "campaign/options.h"
#include "campaign/program.h"
#include "host/result.h"

namespace heddle::reports {

inline constexpr int kCompareJsonVersion = 1;

// The best first (campaign::sort_measured), and what it all came to.
std::string compare_table(const campaign::ComparisonResult& result, const RunOptions& options);
std::string compare_csv(const campaign::ComparisonResult& result);
std::string compare_json(const campaign::ComparisonResult& result, const campaign::Program& program,
                         const RunOptions& options);

ExitStatus compare_exit_status(const campaign::ComparisonResult& result, const RunOptions& options);

}  // namespace heddle::reports
