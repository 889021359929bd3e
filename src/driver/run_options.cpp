#include "driver/run_options.h"

#include <fmt/core.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "campaign/findings.h"
#include "campaign/strategy_text.h"
#include "coverage/catalog.h"
#include "detect/catalog.h"
#include "host/text.h"

namespace heddle {
namespace {

// Reads one option's text into its place; leaves the default where nothing was typed.
template <typename T, typename Parse, typename Place>
std::optional<Error> take(std::string_view option, const std::string& text, const Parse& parse,
                          Place& place) {
  if (text.empty()) {
    return std::nullopt;
  }
  Result<T> value = parse(text);
  if (!value) {
    return wrong_option(option, value.error());
  }
  place = *value;
  return std::nullopt;
}

template <typename T>
struct Choice {
  std::string_view name;
  T value;
};

template <typename T, std::size_t N>
Result<T> choose(std::string_view text, std::string_view kind,
                 const std::array<Choice<T>, N>& choices) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) {
    if (choices[i].name == text) {
      return choices[i].value;
    }
    names[i] = choices[i].name;
  }
  return Error{fmt::format("There is no {} '{}'.{}", kind, text, name_hint(text, names))};
}

constexpr std::array<Choice<EngineKind>, 2> kEngines{
    {{"controlled", EngineKind::controlled}, {"free", EngineKind::free}}};

constexpr std::array<Choice<Level>, 3> kLevels{
    {{"sync", Level::sync}, {"atomics", Level::atomics}, {"memory", Level::memory}}};

constexpr std::array<Choice<FindingKind>, 6> kFindings{{{"race", FindingKind::race},
                                                        {"lock-order", FindingKind::lock_order},
                                                        {"atomicity", FindingKind::atomicity},
                                                        {"misuse", FindingKind::misuse},
                                                        {"leak", FindingKind::leak},
                                                        {"sleep-sync", FindingKind::sleep_sync}}};

Result<std::uint64_t> parse_max_stall(std::string_view text) {
  if (text == "inf") {
    return kUnlimited;
  }
  Result<std::chrono::nanoseconds> time = parse_duration(text);
  if (!time) {
    return Error{fmt::format("'{}' is not a stall; write for example 300ms, 1s, 0 or inf.", text)};
  }
  return static_cast<std::uint64_t>(time->count());
}

Result<void> check_expression(const std::string& expression) {
  regex_t compiled;
  const int error = regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    char reason[256];
    regerror(error, &compiled, reason, sizeof reason);
    return Error{fmt::format("--fail-if: '{}' is not an extended regular expression: {}.",
                             expression, reason)};
  }
  regfree(&compiled);
  return {};
}

Result<std::filesystem::path> existing_file(const std::string& text) {
  std::error_code error;
  const std::filesystem::path path(text);
  if (std::filesystem::is_directory(path, error)) {
    return Error{fmt::format("'{}' is a directory; name a file.", text)};
  }
  if (!std::filesystem::exists(path, error)) {
    return Error{fmt::format("There is no file '{}'; check the path.", text)};
  }
  return path;
}

std::vector<std::string> comma_separated(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) {
    for (const std::string_view part : split(text, ',')) {
      if (!trim(part).empty()) {
        all.emplace_back(trim(part));
      }
    }
  }
  return all;
}

std::optional<Error> check_budgets(const RunOptionTexts& texts, RunOptions& options) {
  const auto count = [](std::string_view text) { return parse_count(text, {.least = 1}); };
  const auto jobs = [](std::string_view text) {
    return parse_count(text, {.least = 1, .most = 1024});
  };
  using Time = std::chrono::nanoseconds;
  std::optional<Error> wrong;
  (wrong = take<Time>("--for", texts.time_budget, parse_some_time, options.time_budget)) ||
      (wrong = take<std::uint64_t>("--runs", texts.run_budget, count, options.run_budget)) ||
      (wrong = take<Time>("--timeout", texts.timeout, parse_some_time, options.timeout)) ||
      (wrong = take<std::uint64_t>("--jobs", texts.jobs, jobs, options.jobs));
  options.timeout_given = !texts.timeout.empty();
  return wrong;
}

std::optional<Error> check_engine(const RunOptionTexts& texts, RunOptions& options) {
  const auto engine = [](std::string_view text) { return choose(text, "engine", kEngines); };
  const auto level = [](std::string_view text) { return choose(text, "level", kLevels); };
  if (!texts.strategy.empty()) {
    options.strategy_text = texts.strategy;
    options.strategy_given = true;
  }
  std::optional<Error> wrong;
  (wrong = take<EngineKind>("--engine", texts.engine, engine, options.engine)) ||
      (wrong = take<Level>("--level", texts.level, level, options.level)) ||
      (wrong = take<std::uint64_t>("--seed", texts.seed, parse_seed, options.seed)) ||
      (wrong = take<std::uint64_t>("--max-stall", texts.max_stall, parse_max_stall,
                                   options.max_stall_ns)) ||
      (wrong = take<StrategySettings>("--strategy", options.strategy_text, parse_strategy,
                                      options.strategy));
  options.noise_text = texts.noise;
  return wrong ? wrong : take<NoiseRequest>("--noise", texts.noise, parse_noise, options.noise);
}

// "512M": bytes for what heddle remembers inside the program.
Result<std::uint64_t> parse_memory(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const unsigned shift = unit == "K"    ? 10
                         : unit == "M"  ? 20
                         : unit == "G"  ? 30
                         : unit.empty() ? 0
                                        : 99;
  if (error != std::errc{} || shift == 99 || value == 0 || value > (kUnlimited >> 1 >> shift)) {
    return Error{
        fmt::format("'{}' is not an amount of memory; write for example 512M or 2G.", text)};
  }
  constexpr std::uint64_t kLeast = std::uint64_t{4} << 20;  // else there is none for some of it
  if (value << shift < kLeast) {
    return Error{fmt::format("{} is too little to remember anything; give 4M at least.", text)};
  }
  return value << shift;
}

std::optional<Error> check_detectors(RunOptions& options) {
  if (options.detectors == std::vector<std::string>{"all"}) {
    options.detectors.clear();
    for (const DetectorRow& row : detector_catalog()) options.detectors.emplace_back(row.name);
  }
  for (const std::string& name : options.detectors) {
    if (find_detector(name) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const DetectorRow& row : detector_catalog()) names.push_back(row.name);
    return Error{
        fmt::format("--detect: There is no detector '{}'.{}", name, name_hint(name, names))};
  }
  const DetectorMask mask = campaign::chosen_detectors(options);
  for (std::size_t i = 0; i < detector_catalog().size(); ++i) {
    const DetectorRow& row = detector_catalog()[i];
    if ((mask & bit_of_row(i)) != 0 && row.memory != Memory::ignores &&
        options.level != Level::memory) {
      return Error{
          fmt::format("The detector '{}' needs --level memory; leave --level out.", row.name)};
    }
  }
  return std::nullopt;
}

std::optional<Error> check_coverage(const RunOptionTexts& texts, RunOptions& options);

std::optional<Error> check_oracles(const RunOptionTexts& texts, RunOptions& options) {
  for (const std::string& expression : texts.fail_if) {
    if (Result<void> checked = check_expression(expression); !checked) {
      return checked.error();
    }
  }
  options.fail_if = texts.fail_if;
  using Path = std::filesystem::path;
  std::optional<Error> wrong;
  (wrong =
       take<Path>("--expect-output", texts.expect_output, existing_file, options.expect_output)) ||
      (wrong = take<Path>("--stdin", texts.standard_input, existing_file, options.standard_input));
  if (wrong) {
    return wrong;
  }
  for (const std::string& name : comma_separated(texts.fail_on)) {
    Result<FindingKind> kind = choose(name, "kind of finding", kFindings);
    if (!kind) {
      return wrong_option("--fail-on", kind.error());
    }
    options.fail_on.push_back(*kind);
  }
  options.detectors = comma_separated(texts.detect);
  if (std::optional<Error> unknown = check_detectors(options)) return unknown;
  (wrong = take<Path>("--suppressions", texts.suppressions, existing_file, options.suppressions)) ||
      (wrong =
           take<std::uint64_t>("--memory", texts.memory, parse_memory, options.detector_memory));
  if (wrong) return wrong;
  return check_coverage(texts, options);
}

std::optional<Error> check_metric(std::string_view option, const std::string& name, Level level) {
  const MetricCatalogRow* const row = find_metric(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const MetricCatalogRow& known : metric_catalog()) names.push_back(known.name);
    return Error{
        fmt::format("{}: There is no metric '{}'.{}", option, name, name_hint(name, names))};
  }
  if (row->watches_memory && level != Level::memory) {
    return Error{fmt::format("The metric '{}' needs --level memory; leave --level out.", name)};
  }
  return std::nullopt;
}

std::optional<Error> check_coverage(const RunOptionTexts& texts, RunOptions& options) {
  options.coverage = comma_separated(texts.coverage);
  const bool alone = options.coverage.size() == 1 &&
                     (options.coverage[0] == "none" || options.coverage[0] == "all");
  for (const std::string& name : options.coverage) {
    if (alone) break;
    if (std::optional<Error> wrong = check_metric("--coverage", name, options.level)) return wrong;
  }
  if (texts.until.empty()) return std::nullopt;
  const std::string_view until = texts.until;
  const std::size_t colon = until.find(':');
  if (until.substr(0, colon) != "saturation") {
    return Error{fmt::format(
        "--until: '{}' is nothing to wait for; write saturation or saturation:METRIC.", until)};
  }
  options.until_saturation = true;
  if (colon == std::string_view::npos) return std::nullopt;
  options.saturating_metric = until.substr(colon + 1);
  return check_metric("--until", options.saturating_metric, options.level);
}

// Accepted by their names, refused by what they need: never silently ignored.
std::optional<Error> check_built(const RunOptions& options) {
  const auto missing = [](std::string_view option, std::string_view what) {
    return Error{fmt::format("{} needs {}, which version {} does not have yet; leave it out.",
                             option, what, HEDDLE_VERSION),
                 kExitUnsupported};
  };
  if (options.spurious && options.engine != EngineKind::controlled) {
    return Error{
        "--spurious ends waits early, which only the controlled engine can; leave out --engine."};
  }
  if (options.confirm && options.engine != EngineKind::controlled) {
    return Error{
        "--confirm steers threads, which only the controlled engine can; leave out --engine."};
  }
  for (const FindingKind kind : options.fail_on) {
    if (detectors_for(bit(kind)) == 0) {
      return missing(fmt::format("--fail-on {}", campaign::finding_name(kind)),
                     "a detector for it");
    }
  }
  return std::nullopt;
}

}  // namespace

void add_run_options(CommandApp& command, RunOptionTexts& texts) {
  CLI::App& app = command.app;
  const auto text = [&](const char* name, std::string& place, const char* type, const char* help) {
    app.add_option(name, place, help)
        ->type_name(type)
        ->group(command.group)
        ->check([](const std::string& value) { return value.empty() ? "needs a value" : ""; });
  };
  const auto list = [&](const char* name, std::vector<std::string>& place, const char* type,
                        const char* help) {
    app.add_option(name, place, help)
        ->type_name(type)
        ->group(command.group)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  command.group = "How long";
  text("--for", texts.time_budget, "TIME", "stop after so long, for example 90s or 5m");
  text("--runs", texts.run_budget, "N", "stop after so many runs");
  text("--until", texts.until, "saturation[:METRIC]",
       "stop when the metric (default: the one shown) has not grown for long");
  text("--timeout", texts.timeout, "TIME", "limit of one run (10s)");
  app.add_flag("--keep-going", texts.keep_going, "do not stop at the first failure")
      ->group(command.group);
  command.group = "How";
  text("--engine", texts.engine, "NAME", "controlled (default) or free");
  text("--strategy", texts.strategy, "NAME[:ARG]", "who runs next; see 'heddle list strategies'");
  text("--noise", texts.noise, "SETTINGS",
       "placement=NAME,seeding=NAME,frequency=0..1000,strength=N or N..M");
  text("--level", texts.level, "NAME", "what is an event: sync, atomics or memory (default)");
  text("--max-stall", texts.max_stall, "TIME",
       "longest stall of a thread that may be assumed (1s); 0: none, inf: any");
  app.add_flag("--spurious", texts.spurious,
               "condition waits may end without a signal, as POSIX allows")
      ->group(command.group);
  text("--seed", texts.seed, "N", "the same seed and --runs give the same result");
  text("--jobs", texts.jobs, "N",
       "runs at the same time (1); more only if they do not disturb each other");
  command.group = "What counts as a failure";
  list("--fail-if", texts.fail_if, "REGEX", "output that matches (may be given again)");
  text("--expect-output", texts.expect_output, "FILE", "standard output that differs from this");
  list("--fail-on", texts.fail_on, "KIND,...", "race, lock-order, atomicity, misuse, leak ...");
  list("--detect", texts.detect, "NAME,...",
       "detectors to run, or all; see 'heddle list detectors'");
  app.add_flag("--confirm", texts.confirm,
               "steer threads into races and lock orders that detectors predict")
      ->group(command.group);
  app.add_flag("--hints", texts.hints, "list atomicity violations that no failure depends on")
      ->group(command.group);
  text("--suppressions", texts.suppressions, "FILE", "findings to ignore, as for ThreadSanitizer");
  text("--memory", texts.memory, "SIZE", "most that heddle may remember inside the program (512M)");
  command.group = "Files";
  text("--out", texts.out, "DIR", "where results are kept (heddle-out)");
  text("--json", texts.json, "FILE", "write a summary for programs");
  text("--stdin", texts.standard_input, "FILE", "standard input of every run (/dev/null)");
  app.add_flag("--resume", texts.resume, "go on with the last campaign in --out")
      ->group(command.group);
  command.group = "Else";
  app.add_flag("--no-minimize", texts.no_minimize, "keep failing schedules as they were found")
      ->group(command.group);
  list("--coverage", texts.coverage, "NAME,...",
       "metrics to keep, the first is shown (HBPair*); all, none; see 'heddle list metrics'");
  app.add_flag("--quiet", texts.quiet, "print failures and mistakes only")->group(command.group);
}

Result<RunOptions> check_run_options(const CommandApp& command, const RunOptionTexts& texts) {
  RunOptions options;
  options.confirm = texts.confirm;
  options.spurious = texts.spurious;
  std::optional<Error> wrong;
  (wrong = check_budgets(texts, options)) || (wrong = check_engine(texts, options)) ||
      (wrong = check_oracles(texts, options)) || (wrong = check_built(options));
  if (wrong) {
    return *wrong;
  }
  if (!texts.out.empty()) {
    options.out = texts.out;
  }
  if (!texts.json.empty()) {
    options.json = texts.json;
  }
  options.keep_going = texts.keep_going;
  options.minimize = !texts.no_minimize;
  options.resume = texts.resume;
  options.quiet = texts.quiet;
  options.hints = texts.hints;
  options.program = command.program;
  if (options.program.empty() || options.program[0].empty()) {
    return Error{fmt::format("Name a program after '--', for example 'heddle {} -- ./prog'.",
                             command.command)};
  }
  return options;
}

}  // namespace heddle
