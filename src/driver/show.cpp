// heddle show: the whole interleaving of a kept failure, or of a trace file, as text.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "campaign/explain_names.h"
#include "campaign/failure_folder.h"
#include "campaign/json_text.h"
#include "campaign/trace_bytes.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/files.h"
#include "host/terminal.h"
#include "host/text.h"
#include "report/show_text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Blocked {
  std::vector<BlockedThread> threads;
  std::vector<std::string> places;
};

// Who waits for ever is not an event: it is in failure.json.
Blocked blocked_of(const fs::path& file) {
  Blocked blocked;
  const Result<std::string> text = read_file(file);
  if (!text) return blocked;
  const campaign::Json json = campaign::Json::parse(*text, nullptr, false);
  if (json.is_discarded() || !json.contains("blocked")) return blocked;
  for (const campaign::Json& entry : json["blocked"]) {
    BlockedThread thread{};
    thread.thread = ThreadId{entry.value("thread", std::uint16_t{0})};
    thread.holder = ThreadId{entry.value("held_by", kNoThread.value)};
    if (entry.value("lost_wakeup", false)) thread.lost_wakeup = LostWakeup::too_early;
    if (entry.contains("object")) thread.object = ObjectId{campaign::from_hex(entry["object"])};
    blocked.threads.push_back(thread);
    blocked.places.push_back(entry.value("at", std::string()));
  }
  return blocked;
}

}  // namespace

int show_command(Arguments arguments) {
  CommandApp command("show",
                     "  heddle show heddle-out/failures/<id>\n"
                     "  heddle show heddle-out/failures/<id>/trace --width 200 | less -S");
  std::string path;
  std::string width_text;
  bool all = false;
  command.app.add_option("FAILURE|TRACE", path, "a failure's folder, or a trace file");
  command.app.add_option("--width", width_text, "columns (the terminal's, else 100)");
  command.app.add_flag("--unfold", all, "loops step by step");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (path.empty()) {
    return report(Error{"Name what to show, for example heddle-out/failures/<id>."});
  }
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  const fs::path trace_file = is_folder ? fs::path(path) / "trace" : fs::path(path);
  const Result<std::string> bytes = read_file(trace_file);
  if (!bytes) return report(bytes.error());
  const Result<campaign::TraceContents> trace = campaign::parse_trace(*bytes, trace_file.string());
  if (!trace) return report(trace.error());

  const Result<std::size_t> width = width_of_output(width_text);
  if (!width) return report(width.error());
  campaign::EventNames names(trace->modules, trace->threads,
                             {trace->heap, trace->allocation_calls});
  reports::StorySource source;
  source.events = trace->events;
  std::optional<campaign::OpenedFailure> opened;
  Blocked blocked;
  if (is_folder) {
    Result<campaign::OpenedFailure> failure = campaign::open_failure(path);
    if (failure) opened = *std::move(failure);
    if (opened && opened->schedule.input.replay) source.decisions = *opened->schedule.input.replay;
    blocked = blocked_of(fs::path(path) / "failure.json");
    source.blocked = blocked.threads;
    source.blocked_places = blocked.places;
  }
  if (opened) fmt::print("{}\n", opened->schedule.judgement.message);
  if (trace->events_seen > trace->events.size()) {
    fmt::print("the last {} of {} events\n", trace->events.size(), trace->events_seen);
  }
  reports::Story story = reports::story_of(source, names);
  if (!all) reports::fold_loops(story);
  for (const std::string& line : reports::lane_lines(story, {*width})) fmt::print("{}\n", line);
  return kExitNothingFound;
}

}  // namespace heddle
