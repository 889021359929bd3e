#include "campaign/schedule_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "campaign/json_text.h"
#include "campaign/plan_json.h"
#include "campaign/site_names.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

FailureKind kind_from_name(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(FailureKind::output); ++i) {
    if (failure_name(static_cast<FailureKind>(i)) == name) return static_cast<FailureKind>(i);
  }
  return FailureKind::none;
}

Json modules_json(const std::vector<ModuleRecord>& modules) {
  Json list = Json::array();
  for (std::size_t i = 0; i < modules.size(); ++i) {
    list.push_back(
        {{"number", i}, {"path", modules[i].path}, {"build_id", build_id_text(modules[i])}});
  }
  return list;
}

std::vector<ModuleRecord> modules_from_json(const Json& list) {
  std::vector<ModuleRecord> modules;
  for (const Json& entry : list) {
    ModuleRecord module{};
    const std::string path = entry.at("path").get<std::string>();
    std::memcpy(module.path, path.data(), std::min(path.size(), sizeof module.path - 1));
    const std::string id = entry.at("build_id").get<std::string>();
    module.build_id_size =
        static_cast<std::uint32_t>(std::min(id.size() / 2, sizeof module.build_id));
    for (std::uint32_t i = 0; i < module.build_id_size; ++i) {
      module.build_id[i] =
          static_cast<std::uint8_t>(std::strtoul(id.substr(2 * i, 2).c_str(), nullptr, 16));
    }
    modules.push_back(module);
  }
  return modules;
}

Json profile_json(const SharedList<ThreadProfile>& profile) {
  Json list = Json::array();
  if (!profile) return list;
  for (const ThreadProfile& thread : *profile) {
    list.push_back({{"thread", hex(thread.path_hash)},
                    {"points", thread.points},
                    {"points_subtree", thread.points_subtree},
                    {"parent", hex(thread.parent_path_hash)}});
  }
  return list;
}

Json accesses_json(const SharedList<AccessProfile>& accesses) {
  Json list = Json::array();
  if (!accesses) return list;
  for (const AccessProfile& access : *accesses) {
    list.push_back({hex(access.path_hash), SiteNames::reference(access.site),
                    hex(access.object.value), static_cast<int>(access.kind), access.count,
                    access.thread_number, access.site_number, access.object_number});
  }
  return list;
}

// Any bytes, so that a replay gets what the run had.
std::vector<std::string> texts_of(const std::vector<std::string>& list) {
  std::vector<std::string> texts;
  for (const std::string& bytes : list) texts.push_back(bytes_to_utf8(bytes));
  return texts;
}

std::vector<std::string> bytes_of(const Json& texts) {
  std::vector<std::string> list;
  for (const Json& text : texts) list.push_back(utf8_to_bytes(text.get<std::string>()));
  return list;
}

Json place_json(const DecisionPlace& place) {
  return {{"function", place.function},
          {"object", place.object},
          {"kind", static_cast<int>(place.kind)},
          {"visit", place.visit}};
}

// None, unless every decision has one.
std::vector<DecisionPlace> places_from_json(const Json& decisions) {
  std::vector<DecisionPlace> places;
  for (const Json& decision : decisions) {
    if (!decision.contains("before")) return {};
    const Json& before = decision["before"];
    places.push_back({before.at("function").get<std::string>(),
                      before.at("object").get<std::string>(),
                      static_cast<EventKind>(before.at("kind").get<int>()),
                      before.at("visit").get<std::uint32_t>()});
  }
  return places;
}

template <class T, class Parse>
SharedList<T> list_from(const Json& list, Parse parse) {
  auto result = std::make_shared<std::vector<T>>();
  for (const Json& entry : list) result->push_back(parse(entry));
  return result;
}

}  // namespace

std::string schedule_text(const Schedule& schedule) {
  SiteNames names(schedule.modules);
  Json json;
  json["format"] = "heddle schedule";
  json["version"] = kScheduleVersion;
  json["tool_version"] = schedule.tool_version;
  json["program"] = bytes_to_utf8(schedule.program.executable);
  json["build_id"] = schedule.program.build_id;
  json["arguments"] = texts_of(schedule.program.arguments);
  json["directory"] = bytes_to_utf8(schedule.program.directory);
  json["stdin"] = bytes_to_utf8(schedule.program.stdin_path);
  json["seed"] = hex(schedule.input.plan.seed);
  json["campaign_seed"] = hex(schedule.campaign_seed);
  json["run"] = schedule.input.plan.run;
  json["timeout_ns"] = schedule.timeout.count();
  json["settings"] = plan_json(schedule.input.plan);
  json["fail_if"] = texts_of(schedule.fail_if);
  json["expect_output"] = bytes_to_utf8(schedule.expect_output);
  json["failure"] = {{"kind", failure_name(schedule.judgement.kind)},
                     {"message", schedule.judgement.message},
                     {"signature", schedule.judgement.signature},
                     {"event_hash", hex(schedule.event_hash)},
                     {"decisions_dropped", schedule.decisions_dropped}};
  json["decisions"] = Json::array();
  if (schedule.input.replay) {
    const std::vector<Decision>& decisions = *schedule.input.replay;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      json["decisions"].push_back(decision_json(decisions[i], names));
      if (schedule.places.size() == decisions.size()) {
        json["decisions"].back()["before"] = place_json(schedule.places[i]);
      }
    }
  }
  json["points"] = Json::array();
  if (schedule.input.points) {
    for (const ObjectId point : *schedule.input.points) json["points"].push_back(hex(point.value));
  }
  json["modules"] = modules_json(schedule.modules);
  json["profile"] = profile_json(schedule.input.profile);
  json["accesses"] = accesses_json(schedule.input.accesses);
  json["lessons"] = Json::array();
  if (schedule.input.lessons) {
    for (const NoiseLesson& lesson : *schedule.input.lessons) {
      json["lessons"].push_back(
          {static_cast<std::uint64_t>(lesson.kind), hex(lesson.first), hex(lesson.second)});
    }
  }
  json["environment"] = texts_of(schedule.program.environment);
  return readable(json);
}

Result<Schedule> parse_schedule(const std::string& text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    if (json.value("format", "") != "heddle schedule") {
      return Error{
          fmt::format("'{}' is not a heddle schedule; name a failure's folder or its "
                      "schedule.json.",
                      where)};
    }
    if (const int version = json.at("version").get<int>(); version > kScheduleVersion) {
      return Error{
          fmt::format("'{}' was written by heddle {} in format {}, and this version reads "
                      "formats up to {}; replay it with that version.",
                      where, json.value("tool_version", "unknown"), version, kScheduleVersion)};
    }
    Schedule schedule;
    schedule.tool_version = json.at("tool_version").get<std::string>();
    schedule.program.executable = utf8_to_bytes(json.at("program").get<std::string>());
    schedule.program.build_id = json.at("build_id").get<std::string>();
    schedule.program.arguments = bytes_of(json.at("arguments"));
    schedule.program.directory = utf8_to_bytes(json.at("directory").get<std::string>());
    schedule.program.stdin_path = utf8_to_bytes(json.at("stdin").get<std::string>());
    schedule.program.environment = bytes_of(json.at("environment"));
    schedule.timeout = std::chrono::nanoseconds(json.at("timeout_ns").get<std::int64_t>());
    schedule.input.plan = plan_from_json(json.at("settings"));
    schedule.input.plan.seed = from_hex(json.at("seed"));
    schedule.input.plan.run = json.at("run").get<std::uint64_t>();
    schedule.campaign_seed = from_hex(json.at("campaign_seed"));
    schedule.fail_if = bytes_of(json.at("fail_if"));
    schedule.expect_output = utf8_to_bytes(json.at("expect_output").get<std::string>());
    const Json& failure = json.at("failure");
    schedule.judgement.kind = kind_from_name(failure.at("kind").get<std::string>());
    schedule.judgement.message = failure.at("message").get<std::string>();
    schedule.judgement.signature = failure.at("signature").get<std::string>();
    schedule.event_hash = from_hex(failure.at("event_hash"));
    schedule.decisions_dropped = failure.at("decisions_dropped").get<std::uint64_t>();
    schedule.modules = modules_from_json(json.at("modules"));
    schedule.input.replay = list_from<Decision>(json.at("decisions"), decision_from_json);
    schedule.places = places_from_json(json.at("decisions"));
    schedule.input.points = list_from<ObjectId>(
        json.at("points"), [](const Json& point) { return ObjectId{from_hex(point)}; });
    schedule.input.profile = list_from<ThreadProfile>(json.at("profile"), [](const Json& thread) {
      return ThreadProfile{from_hex(thread.at("thread")), thread.at("points").get<std::uint64_t>(),
                           thread.at("points_subtree").get<std::uint64_t>(),
                           from_hex(thread.at("parent"))};
    });
    if (schedule.program.arguments.empty()) throw std::invalid_argument("there is no program");
    schedule.input.accesses = list_from<AccessProfile>(json.at("accesses"), [](const Json& entry) {
      AccessProfile access{};
      access.path_hash = from_hex(entry.at(0));
      access.site = SiteNames::parse_reference(entry.at(1).get<std::string>());
      access.object = ObjectId{from_hex(entry.at(2))};
      access.kind = static_cast<EventKind>(entry.at(3).get<int>());
      access.count = entry.at(4).get<std::uint32_t>();
      access.thread_number = entry.at(5).get<std::uint16_t>();
      access.site_number = entry.at(6).get<std::uint16_t>();
      access.object_number = entry.at(7).get<std::uint16_t>();
      return access;
    });
    // Not in files from before noise carried lessons from run to run.
    schedule.input.lessons =
        list_from<NoiseLesson>(json.value("lessons", Json::array()), [](const Json& entry) {
          return NoiseLesson{static_cast<LessonKind>(entry.at(0).get<std::uint64_t>()),
                             from_hex(entry.at(1)), from_hex(entry.at(2))};
        });
    return schedule;
  } catch (const std::exception& error) {
    return Error{
        fmt::format("'{}' is damaged or was edited ({}); take the folder as heddle wrote "
                    "it.",
                    where, error.what())};
  }
}

}  // namespace heddle::campaign
