// heddle coverage: what a campaign covered, how it grew, and what is missing.
#include <fmt/core.h>
#include <unistd.h>

#include <optional>

#include "coverage/catalog.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/files.h"
#include "host/text.h"
#include "report/coverage_text.h"

namespace heddle {
namespace {

std::optional<Error> check_names(const std::vector<std::string>& metrics) {
  for (const std::string& name : metrics) {
    if (find_metric(name) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const MetricCatalogRow& row : metric_catalog()) names.push_back(row.name);
    return Error{fmt::format("--metric: There is no metric '{}'.{}", name, name_hint(name, names))};
  }
  return std::nullopt;
}

}  // namespace

int coverage_command(Arguments arguments) {
  CommandApp command("coverage",
                     "  heddle coverage heddle-out\n"
                     "  heddle coverage heddle-out --metric 'Avio*' --tasks --csv curve.csv");
  std::string campaign;
  std::string csv;
  std::string json;
  std::string number;
  std::vector<std::string> metrics;
  bool tasks = false;
  command.app.add_option("CAMPAIGN", campaign, "directory of a campaign, or its campaign.sqlite");
  command.app.add_option("--metric", metrics, "only these")->type_name("NAME,...")->delimiter(',');
  command.app.add_option("--campaign", number, "number in the store (the last one)")
      ->type_name("N");
  command.app.add_flag("--tasks", tasks, "list every task");
  command.app.add_option("--csv", csv, "write the curves")->type_name("FILE");
  command.app.add_option("--json", json, "write all of it for programs")->type_name("FILE");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (campaign.empty()) {
    return report(Error{"Name a campaign, for example 'heddle coverage heddle-out'."});
  }
  if (const std::optional<Error> wrong = check_names(metrics)) return report(*wrong);
  campaign::CoverageRequest request;
  request.campaign = campaign;
  request.metrics = metrics;
  if (!number.empty()) {
    const Result<std::uint64_t> value = parse_count(number, {.least = 1});
    if (!value) return report(wrong_option("--campaign", value.error()));
    request.number = *value;
  }
  const Result<campaign::CoverageReport> found = campaign::coverage_report(request);
  if (!found) return report(found.error());
  reports::CoverageTextOptions options;
  options.tasks = tasks;
  fmt::print("{}", reports::coverage_text(*found, options));
  if (!csv.empty()) {
    if (Result<void> written = write_file(csv, reports::coverage_csv(*found)); !written) {
      return report(written.error());
    }
  }
  if (!json.empty()) {
    if (Result<void> written = write_file(json, reports::coverage_json(*found)); !written) {
      return report(written.error());
    }
  }
  return kExitNothingFound;
}

}  // namespace heddle
