// heddle explain: the minimal interleaving in lanes, the two events whose order decides, and the class of the bug.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "campaign/explain.h"
#include "campaign/failure_folder.h"
#include "campaign/reproduce.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/kept_failure.h"
#include "host/files.h"
#include "host/terminal.h"
#include "host/text.h"
#include "report/explain_text.h"

namespace heddle {
namespace {

using campaign::OpenedFailure;

// So that reports made from the folder later have it too.
void keep(const OpenedFailure& opened, const campaign::Explanation& explanation) {
  const std::filesystem::path file = opened.folder / "failure.json";
  const Result<std::string> text = read_file(file);
  if (!text) return;
  campaign::Json json = campaign::Json::parse(*text, nullptr, false);
  if (json.is_discarded()) return;
  json.update(campaign::explanation_json(explanation));
  // A folder that cannot be written to can still be explained.
  (void)write_file(file, campaign::readable(json)).ok();
}

void print_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

}  // namespace

int explain_command(Arguments arguments) {
  CommandApp command("explain",
                     "  heddle explain heddle-out/failures/<id>\n"
                     "  heddle explain heddle-out/failures/<id> --width 80");
  std::string failure;
  std::string width_text;
  std::string time_text = "30s";
  command.app.add_option("FAILURE", failure, "a failure's folder");
  command.app.add_option("--width", width_text, "columns (the terminal's, else 100)");
  command.app.add_option("--for", time_text, "how long at most (30s)");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (failure.empty()) {
    return report(Error{"Name the failure to explain, for example heddle-out/failures/<id>."});
  }
  const Result<std::chrono::nanoseconds> time = parse_some_time(time_text);
  if (!time) return report(wrong_option("--for", time.error()));
  const Result<std::size_t> width = width_of_output(width_text);
  if (!width) return report(width.error());
  Result<FailureAtHand> at_hand = take_up(failure, command.program);
  if (!at_hand) return report(at_hand.error());
  const OpenedFailure& opened = at_hand->opened;

  campaign::ReproductionRequest again;
  again.input = opened.schedule.input;
  again.expected = opened.schedule.judgement;
  again.times = 1;
  const campaign::Reproduction reproduction = reproduce(at_hand->crew(), again);
  if (!reproduction.capture) {
    return report(Error{fmt::format("The failure did not come again, so it cannot be explained; "
                                    "see 'heddle replay {}'.",
                                    shell_word(failure)),
                        kExitInconclusive});
  }
  campaign::ExplainRequest request;
  request.input = opened.schedule.input;
  request.expected = opened.schedule.judgement;
  request.record = &reproduction.captured_record;
  request.capture = &*reproduction.capture;
  request.until = std::chrono::steady_clock::now() + *time;
  StatusLine status(STDERR_FILENO);
  request.tick = [&] { status.show("explaining"); };
  const campaign::Explanation explanation = explain(at_hand->crew(), request);
  status.clear();
  if (at_hand->interrupted()) return kExitInconclusive;
  keep(opened, explanation);

  const RunOutcome& outcome = reproduction.captured_record.outcome;
  print_lines(reports::wrapped(opened.schedule.judgement.message, *width));
  print_lines(reports::minimal_lanes(
      *reproduction.capture, {outcome.blocked, outcome.blocked_count}, &explanation, {*width, 40}));
  print_lines(reports::explanation_lines(explanation, *width));
  return kExitNothingFound;
}

}  // namespace heddle
