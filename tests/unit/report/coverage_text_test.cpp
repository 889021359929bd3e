#include "report/coverage_text.h"

#include <gtest/gtest.h>

namespace heddle::reports {
namespace {

TEST(CurveText, ShowsGrowthOverRuns) {
  EXPECT_EQ(curve_text({{1, 2}, {5, 4}}, 10, {.tasks = false, .width = 10, .height = 4}),
            "        4 |    ******\n"
            "          |    ......\n"
            "          |****......\n"
            "          |..........\n"
            "          +----------\n"
            "           1   run 10\n");
}

TEST(CoverageCsv, HasALineWhereverACurveGrowsAndOneAtItsEnd) {
  campaign::CoverageReport report;
  report.runs = 10;
  campaign::MetricReport metric;
  metric.name = "Avio*";
  metric.tasks = 4;
  metric.curve = {{1, 2}, {5, 4}};
  report.metrics.push_back(metric);
  EXPECT_EQ(coverage_csv(report), "metric,run,tasks\nAvio*,1,2\nAvio*,5,4\nAvio*,10,4\n");
}

}  // namespace
}  // namespace heddle::reports
