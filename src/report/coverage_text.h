// `heddle coverage` on the terminal, as CSV and as JSON.
#pragma once

#include <string>

#include "campaign/coverage_report.h"

namespace heddle::reports {

struct CoverageTextOptions {
  bool tasks = false;  // every task, not only those that are missing
  unsigned width = 60;
  unsigned height = 8;
};

std::string coverage_text(const campaign::CoverageReport& report,
                          const CoverageTextOptions& options);
// metric,run,tasks: a line wherever a curve grows, and one at its end.
std::string coverage_csv(const campaign::CoverageReport& report);
std::string coverage_json(const campaign::CoverageReport& report);

// A curve over `runs` runs, in so many columns and lines.
std::string curve_text(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& curve,
                       std::uint64_t runs, const CoverageTextOptions& options);

}  // namespace heddle::reports
