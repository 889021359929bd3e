#include "campaign/failure_folder.h"

#include <unistd.h>

#include <fmt/core.h>

#include <system_error>

#include "campaign/describe.h"
#include "campaign/explain.h"
#include "campaign/reproduce.h"
#include "campaign/site_names.h"
#include "campaign/trace_bytes.h"
#include "host/files.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestStdin = 16
                                         << 20;  // copied into the folder, so that it can be mailed

Json blocked_json(const RunOutcome& outcome, SiteNames& sites) {
  Json list = Json::array();
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    const BlockedThread& thread = outcome.blocked[i];
    Json entry{{"thread", thread.thread.value},
               {"waits_for", waiting_for(thread)},
               {"object", hex(thread.object.value)},
               {"at", sites.waiting(thread)}};
    if (thread.holder != kNoThread) {
      entry["held_by"] = thread.holder.value;
      entry["taken_at"] = sites.name(thread.holder_site);
    }
    if (thread.lost_wakeup != LostWakeup::no) {
      entry["lost_wakeup"] = true;
      if (thread.signal_site.value != 0) entry["signalled_at"] = sites.name(thread.signal_site);
    }
    if (thread.in_forked_child != 0) entry["child_forked_at"] = sites.name(thread.signal_site);
    list.push_back(std::move(entry));
  }
  return list;
}

Json name_or_null(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

std::string failure_text_json(const Failure& failure) {
  SiteNames sites(failure.capture.modules);
  const RunOutcome& outcome = failure.record.outcome;
  Json json{{"format", "heddle failure"}, {"version", 1}, {"tool_version", HEDDLE_VERSION}};
  json.update(failure_json(failure));
  json["wait_status"] = failure.record.wait_status;
  json["seconds"] = failure.record.seconds;
  json["steps"] = outcome.steps;
  json["threads"] = outcome.thread_count;
  json["event_hash"] = hex(outcome.event_hash);
  json["schedule_hash"] = hex(outcome.schedule_hash);
  json["stall_ns"] = outcome.stall_ns;
  json["output_cut"] = failure.capture.out.cut + failure.capture.err.cut;
  json["blocked"] = blocked_json(outcome, sites);
  if (outcome.livelock_site.value != 0) {
    json["polls"] = {{"at", sites.own(outcome.livelock_site, outcome.livelock_calls.sites)},
                     {"object", hex(outcome.livelock_object.value)},
                     {"thread", outcome.livelock_thread.value}};
  }
  return readable(json);
}

Schedule schedule_of(const FolderContents& contents, const RunRecord& record,
                     const RunCapture& capture) {
  const Failure& failure = *contents.failure;
  Schedule schedule;
  schedule.tool_version = HEDDLE_VERSION;
  schedule.program = *contents.program;
  schedule.input = replay_input(record, capture);
  schedule.timeout = contents.options->timeout;
  schedule.campaign_seed = contents.campaign_seed;
  schedule.judgement = failure.judgement;
  schedule.event_hash = record.outcome.event_hash;
  schedule.decisions_dropped = record.outcome.decisions_dropped;
  schedule.modules = failure.capture.modules;
  schedule.fail_if = contents.options->fail_if;
  schedule.places = places_of(capture.decisions, capture);
  return schedule;
}

Result<void> write_all(const fs::path& folder, const FolderContents& contents) {
  const Failure& failure = *contents.failure;
  Schedule schedule = schedule_of(contents, failure.record, failure.capture);
  std::error_code ignored;
  const fs::path input = contents.program->stdin_path;
  if (fs::is_regular_file(input, ignored) && fs::file_size(input, ignored) <= kLargestStdin) {
    if (const Result<std::string> text = read_file(input)) {
      if (Result<void> written = write_file(folder / "stdin", *text); !written) return written;
    }
  }
  if (contents.options->expect_output) {
    if (const Result<std::string> text = read_file(*contents.options->expect_output)) {
      schedule.expect_output = "expected-output";
      Result<void> written = write_file(folder / schedule.expect_output, *text);
      if (!written) return written;
    }
  }
  const std::pair<const char*, std::string> files[] = {
      {"stdout", failure.capture.out.text},       {"stderr", failure.capture.err.text},
      {"trace", trace_bytes(failure.capture)},    {"failure.json", failure_text_json(failure)},
      {"schedule.json", schedule_text(schedule)},
  };
  for (const auto& [name, text] : files) {
    if (Result<void> written = write_file(folder / name, text); !written) return written;
  }
  if (failure.original) {
    Schedule original = schedule_of(contents, failure.original->record, failure.original->capture);
    original.expect_output = schedule.expect_output;
    return write_file(folder / kOriginalSchedule, schedule_text(original));
  }
  return {};
}

}  // namespace

Json failure_json(const Failure& failure) {
  if (failure.from_store && !failure.stored.empty()) {
    Json json = Json::parse(failure.stored);
    json["count"] = failure.count;
    return json;
  }
  const RunOutcome& after = failure.record.outcome;
  const RunOutcome& before = failure.original ? failure.original->record.outcome : after;
  Json json{{"id", failure.id},
            {"kind", failure_name(failure.judgement.kind)},
            {"message", failure.judgement.message},
            {"first_run", failure.first_run},
            {"count", failure.count},
            {"finding", name_or_null(failure.judgement.finding)},
            {"detector", name_or_null(failure.judgement.detector)},
            {"strategy", failure.strategy},
            {"signature", failure.judgement.signature},
            {"reproduced", failure.reproduced},
            {"preemptions_before", before.preemptions},
            {"preemptions_after", after.preemptions},
            {"switches_before", before.switches},
            {"switches_after", after.switches},
            {"directory", bytes_to_utf8(failure.directory)}};
  if (!failure.judgement.evidence.empty()) json["evidence"] = evidence_json(failure.judgement);
  if (failure.explanation) json.update(explanation_json(*failure.explanation));
  if (failure.unfinished) json["unfinished"] = true;
  return json;
}

Json evidence_json(const Judgement& judgement) {
  Json list = Json::array();
  for (const Evidence& part : judgement.evidence) {
    list.push_back({{"what", part.what}, {"frames", part.frames}, {"locks", part.locks}});
  }
  return list;
}

Json explanation_json(const Explanation& explanation) {
  Json json{{"class", bug_class_name(explanation.bug)},
            {"class_detail", explanation.detail},
            {"explanation", explanation.sentence}};
  json["decisive"] = Json::array();
  for (const DecisiveEvent& event : explanation.decisive) {
    json["decisive"].push_back({{"thread", event.thread.value},
                                {"thread_name", event.thread_name},
                                {"function", event.function},
                                {"place", event.place},
                                {"stack", event.stack},
                                {"object", event.object}});
  }
  json["this_order"] = fmt::format("{}/{}", explanation.this_failed, explanation.this_runs);
  json["other_order"] = fmt::format("{}/{}", explanation.other_failed, explanation.other_runs);
  return json;
}

Result<fs::path> write_failure_folder(const fs::path& parent, const FolderContents& contents) {
  const fs::path folder = fs::absolute(parent / contents.failure->id);
  const fs::path beside = fmt::format("{}.new-{}", folder.string(), getpid());
  std::error_code ignored;
  fs::remove_all(beside, ignored);
  if (Result<void> made = make_directories(beside); !made) return made.error();
  if (Result<void> written = write_all(beside, contents); !written) {
    fs::remove_all(beside, ignored);
    return written.error();
  }
  fs::remove_all(folder, ignored);
  std::error_code error;
  fs::rename(beside, folder, error);
  if (error) return system_error(fmt::format("write '{}'", folder.string()), error.value());
  return folder;
}

Result<void> write_failure_json(const Failure& failure) {
  return write_file(fs::path(failure.directory) / "failure.json", failure_text_json(failure));
}

Result<OpenedFailure> open_failure(const fs::path& path) {
  std::error_code ignored;
  OpenedFailure opened;
  const bool is_folder = fs::is_directory(path, ignored);
  const fs::path file = is_folder ? path / "schedule.json" : path;
  opened.folder = is_folder ? fs::absolute(path) : fs::absolute(path).parent_path();
  Result<std::string> text = read_file(file);
  if (!text) {
    return Error{
        fmt::format("There is no failure in '{}' ({} cannot be read); name a folder such "
                    "as heddle-out/failures/<id>.",
                    path.string(), file.filename().string())};
  }
  Result<Schedule> schedule = parse_schedule(*text, file.string());
  if (!schedule) return schedule.error();
  opened.schedule = *std::move(schedule);
  std::string& input = opened.schedule.program.stdin_path;
  if (fs::exists(opened.folder / "stdin", ignored)) {
    input = (opened.folder / "stdin").string();
  } else if (fs::path(input).is_relative()) {
    input = (opened.folder / input).string();  // a saved case's
  }
  return opened;
}

}  // namespace heddle::campaign
