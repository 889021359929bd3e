#include "campaign/plan_json.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "campaign/findings.h"

namespace heddle::campaign {

namespace {

template <class T, std::size_t N>
using Names = std::array<std::pair<T, std::string_view>, N>;

constexpr Names<EngineKind, 3> kEngines{{{EngineKind::inactive, "inactive"},
                                         {EngineKind::free, "free"},
                                         {EngineKind::controlled, "controlled"}}};
constexpr Names<Level, 3> kLevels{
    {{Level::sync, "sync"}, {Level::atomics, "atomics"}, {Level::memory, "memory"}}};
constexpr Names<NoiseWhen, 3> kWhens{
    {{NoiseWhen::before, "before"}, {NoiseWhen::after, "after"}, {NoiseWhen::both, "both"}}};
constexpr Names<DecisionKind, 6> kDecisions{{{DecisionKind::none, "none"},
                                             {DecisionKind::run, "run"},
                                             {DecisionKind::wake, "wake"},
                                             {DecisionKind::timeout, "timeout"},
                                             {DecisionKind::spurious, "spurious"},
                                             {DecisionKind::external, "external"}}};
constexpr Names<SwitchReason, 5> kReasons{{{SwitchReason::none, "none"},
                                           {SwitchReason::preempted, "preempted"},
                                           {SwitchReason::blocked, "blocked"},
                                           {SwitchReason::ended, "ended"},
                                           {SwitchReason::yielded, "yielded"}}};
// Flags that belong to the run itself; the others say how it was watched.
constexpr Names<std::uint32_t, 7> kFlags{{{kPlanSpurious, "spurious"},
                                          {kPlanAllPoints, "all-points"},
                                          {kPlanStalls, "stalls"},
                                          {kPlanReleasePoints, "release-points"},
                                          {kPlanOutputPoints, "output-points"},
                                          {kPlanPinnedIds, "pinned-ids"},
                                          {kPlanVirtualTicks, "virtual-ticks"}}};

template <class T, std::size_t N>
std::string_view name_in(const Names<T, N>& names, T value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "unknown";
}

template <class T, std::size_t N>
T value_in(const Names<T, N>& names, const Json& text) {
  for (const auto& [value, name] : names) {
    if (text.get<std::string>() == name) return value;
  }
  throw std::invalid_argument("'" + text.get<std::string>() + "' is not known to this version");
}

template <std::size_t N>
void copy_name(char (&to)[N], const Json& text) {
  const std::string from = text.get<std::string>();
  std::memset(to, 0, N);
  std::memcpy(to, from.data(), std::min(from.size(), N - 1));
}

Json seeding_json(const SeedingSettings& seeding) {
  Json json{{"name", seeding.name}, {"low", seeding.strength.low}, {"high", seeding.strength.high}};
  if (seeding.frequency != 0) json["frequency"] = seeding.frequency;
  return json;
}

SeedingSettings seeding_from_json(const Json& json) {
  SeedingSettings seeding{};
  copy_name(seeding.name, json.at("name"));
  seeding.strength = {json.at("low").get<std::uint32_t>(), json.at("high").get<std::uint32_t>()};
  seeding.frequency = json.value("frequency", 0u);
  return seeding;
}

// Every seeding a NoiseSettings may hold, by its name in the file.
template <class Settings>
auto seedings(Settings& noise) {
  using Pointer = decltype(&noise.seeding);
  return std::array<std::pair<const char*, Pointer>, 7>{
      {{"seeding", &noise.seeding},
       {"reads", &noise.reads},
       {"writes", &noise.writes},
       {"sync", &noise.sync},
       {"halt_one_thread", &noise.halt_one_thread},
       {"inverse_noise", &noise.inverse_noise},
       {"timeout_tamper", &noise.timeout_tamper}}};
}

Json noise_json(const NoiseSettings& noise) {
  if (noise.placement[0] == '\0') return nullptr;
  Json json{{"placement", noise.placement},
            {"when", name_in(kWhens, noise.when)},
            {"frequency", noise.frequency}};
  for (const auto& [name, seeding] : seedings(noise)) {
    if (seeding->name[0] != '\0') json[name] = seeding_json(*seeding);
  }
  json["repeat"] = noise.repeat;
  json["budget_percent"] = noise.budget_percent;
  json["quiet"] = noise.quiet;
  json["quiet_length"] = noise.quiet_length;
  return json;
}

NoiseSettings noise_from_json(const Json& json) {
  NoiseSettings noise{};
  if (json.is_null()) return noise;
  copy_name(noise.placement, json.at("placement"));
  noise.when = value_in(kWhens, json.at("when"));
  noise.frequency = json.at("frequency").get<std::uint32_t>();
  for (const auto& [name, seeding] : seedings(noise)) {
    if (json.contains(name)) *seeding = seeding_from_json(json.at(name));
  }
  noise.repeat = json.value("repeat", 0u);
  noise.budget_percent = json.value("budget_percent", 0u);
  noise.quiet = json.value("quiet", 0u);
  noise.quiet_length = json.value("quiet_length", 0u);
  return noise;
}

// "unlimited" or a number: 2^64-1 is not something to read.
Json limit_json(std::uint64_t limit) {
  return limit == kUnlimited ? Json("unlimited") : Json(limit);
}
std::uint64_t limit_from_json(const Json& json) {
  return json.is_string() ? kUnlimited : json.get<std::uint64_t>();
}

Json detectors_json(DetectorMask mask) {
  Json names = Json::array();
  for (std::size_t i = 0; i < detector_catalog().size(); ++i) {
    if ((mask & bit_of_row(i)) != 0) names.push_back(detector_catalog()[i].name);
  }
  return names;
}
DetectorMask detectors_from_json(const Json& names) {
  DetectorMask mask = 0;
  for (const Json& name : names) {
    for (std::size_t i = 0; i < detector_catalog().size(); ++i) {
      if (detector_catalog()[i].name == name.get<std::string>()) mask |= bit_of_row(i);
    }
  }
  return mask;
}

constexpr FindingKind kLastKind = FindingKind::sleep_sync;

Json kinds_json(FindingKinds kinds) {
  Json names = Json::array();
  for (unsigned i = 1; i <= static_cast<unsigned>(kLastKind); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    if ((kinds & bit(kind)) != 0) names.push_back(finding_name(kind));
  }
  return names;
}
FindingKinds kinds_from_json(const Json& names) {
  FindingKinds kinds = 0;
  for (const Json& name : names) {
    for (unsigned i = 1; i <= static_cast<unsigned>(kLastKind); ++i) {
      const auto kind = static_cast<FindingKind>(i);
      if (finding_name(kind) == name.get<std::string>()) kinds |= bit(kind);
    }
  }
  return kinds;
}

}  // namespace

std::string_view engine_name(EngineKind engine) { return name_in(kEngines, engine); }
std::string_view level_name(Level level) { return name_in(kLevels, level); }

Json plan_json(const RunPlan& plan) {
  Json flags = Json::array();
  for (const auto& [bit, name] : kFlags) {
    if ((plan.flags & bit) != 0) flags.push_back(name);
  }
  return Json{{"engine", engine_name(plan.engine)},
              {"level", level_name(plan.level)},
              {"strategy",
               {{"name", plan.strategy.name},
                {"arguments", plan.strategy.arguments},
                {"expected_steps", plan.strategy.expected_steps},
                {"expected_threads", plan.strategy.expected_threads}}},
              {"noise", noise_json(plan.noise)},
              {"flags", std::move(flags)},
              {"detectors", detectors_json(plan.detectors)},
              {"fail_on", kinds_json(plan.fail_on)},
              {"detector_memory", plan.detector_memory},
              {"step_limit", limit_json(plan.step_limit)},
              {"max_stall_ns", limit_json(plan.max_stall_ns)},
              {"start_time_ns", plan.start_time_ns}};
}

RunPlan plan_from_json(const Json& json) {
  RunPlan plan{};
  plan.engine = value_in(kEngines, json.at("engine"));
  plan.level = value_in(kLevels, json.at("level"));
  const Json& strategy = json.at("strategy");
  copy_name(plan.strategy.name, strategy.at("name"));
  const auto arguments = strategy.at("arguments").get<std::vector<std::int64_t>>();
  std::copy_n(arguments.begin(), std::min<std::size_t>(arguments.size(), 4),
              plan.strategy.arguments);
  plan.strategy.expected_steps = strategy.at("expected_steps").get<std::uint64_t>();
  plan.strategy.expected_threads = strategy.at("expected_threads").get<std::uint32_t>();
  plan.noise = noise_from_json(json.at("noise"));
  for (const Json& flag : json.at("flags")) plan.flags |= value_in(kFlags, flag);
  if (json.contains("detectors")) {
    plan.detectors = detectors_from_json(json.at("detectors"));
    plan.fail_on = kinds_from_json(json.at("fail_on"));
    plan.detector_memory = json.at("detector_memory").get<std::uint64_t>();
  }
  plan.step_limit = limit_from_json(json.at("step_limit"));
  plan.max_stall_ns = limit_from_json(json.at("max_stall_ns"));
  plan.start_time_ns = json.at("start_time_ns").get<std::uint64_t>();
  plan.replay_prefix = kUnlimited;
  plan.cpu = 0xffff;
  return plan;
}

Json decision_json(const Decision& decision, SiteNames& names) {
  Json json{{"step", decision.step},       {"kind", name_in(kDecisions, decision.kind)},
            {"from", decision.from.value}, {"from_step", decision.from_step},
            {"to", decision.to.value},     {"reason", name_in(kReasons, decision.reason)},
            {"of", decision.candidates}};
  if (decision.amount != 0) json["ns"] = decision.amount;
  json["site"] = SiteNames::reference(decision.site);
  json["at"] = names.name(decision.site);
  return json;
}

Decision decision_from_json(const Json& json) {
  Decision decision{};
  decision.step = json.at("step").get<std::uint64_t>();
  decision.kind = value_in(kDecisions, json.at("kind"));
  decision.from = ThreadId{json.at("from").get<std::uint16_t>()};
  decision.from_step = json.at("from_step").get<std::uint64_t>();
  decision.to = ThreadId{json.at("to").get<std::uint16_t>()};
  decision.reason = value_in(kReasons, json.at("reason"));
  decision.candidates = json.at("of").get<std::uint16_t>();
  decision.amount = json.value("ns", std::uint64_t{0});
  decision.site = SiteNames::parse_reference(json.at("site").get<std::string>());
  return decision;
}

}  // namespace heddle::campaign
