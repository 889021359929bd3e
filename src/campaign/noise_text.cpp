#include "campaign/noise_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "campaign/noise_keys.h"
#include "host/text.h"
#include "noise/catalog.h"

namespace heddle {
namespace {

constexpr std::uint32_t kUsualFrequency =
    150;  // 15 %, one of the two that paid (Fiedor et al. 2014)
constexpr std::uint32_t kUsualQuietLength = 1000;
constexpr std::uint32_t kMostQuietLength = 1'000'000'000;

constexpr std::string_view kKeys[] = {
    "placement", "when",          "frequency",    "seeding",       "strength", "reads", "writes",
    "sync",      "haltOneThread", "inverseNoise", "timeoutTamper", "repeat",   "quiet", "budget"};
static_assert(std::size(kKeys) == static_cast<std::size_t>(NoiseKey::count));

// A whole number and what follows it: "20ms" is 20 and "ms".
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

Result<std::uint32_t> per_mille(std::string_view key, std::string_view text, std::uint32_t most) {
  std::string_view rest = text;
  const auto number = take_number(rest);
  if (!number || !rest.empty() || *number > most) {
    return Error{
        fmt::format("{} is per mille, 0..{}, not {}.", key, most, text.empty() ? "nothing" : text)};
  }
  return static_cast<std::uint32_t>(*number);
}

std::string_view suffix_of(StrengthUnit unit) {
  if (unit == StrengthUnit::milliseconds) return "ms";
  return unit == StrengthUnit::percent ? "%" : "";
}

Result<Strength> parse_strength(const NoiseRow& row, std::string_view text) {
  const auto wrong = [&] {
    const std::uint32_t low = row.usual.low < row.usual.high ? row.usual.low : 1;
    return Error{
        fmt::format("The strength of {} is in {}, a whole number up to {} or an interval such as "
                    "{}..{}, not '{}'.",
                    row.name, unit_name(row.unit), row.most, low, row.usual.high, text)};
  };
  std::uint64_t bounds[2] = {};
  // 5..20, or 5-20 as one is used to write it.
  const std::size_t dots = text.find("..");
  const std::size_t middle = dots != text.npos ? dots : text.find('-');
  const std::size_t upper = dots != text.npos ? middle + 2 : middle + 1;
  const std::string_view parts[2] = {text.substr(0, middle),
                                     middle == text.npos ? text : text.substr(upper)};
  for (int i = 0; i < 2; ++i) {
    std::string_view rest = parts[i];
    const auto number = take_number(rest);
    if (!number || *number > row.most) return wrong();
    if (!rest.empty() && rest != suffix_of(row.unit)) return wrong();
    bounds[i] = *number;
  }
  if (bounds[0] > bounds[1]) {
    return Error{
        fmt::format("The interval {} runs backwards; write {}..{}.", text, bounds[1], bounds[0])};
  }
  return Strength{static_cast<std::uint32_t>(bounds[0]), static_cast<std::uint32_t>(bounds[1])};
}

std::vector<std::string_view> names_of(NoiseKind kind, bool with_none) {
  std::vector<std::string_view> names;
  for (const NoiseRow& row : noise_catalog()) {
    if (row.kind == kind && row.role != SeedingRole::advanced) names.push_back(row.name);
  }
  if (with_none) names.push_back("none");
  return names;
}

Error unknown(std::string_view what, std::string_view name,
              const std::vector<std::string_view>& names) {
  return Error{fmt::format("There is no {} '{}'.{}", what, name, name_hint(name, names))};
}

// "sleep", "sleep:20", "sleep:5..20@300", "none".
Result<SeedingSettings> parse_seeding(std::string_view text, bool may_have_frequency) {
  SeedingSettings settings{};
  if (const std::size_t at = text.find('@'); at != text.npos) {
    if (!may_have_frequency) {
      return Error{fmt::format("'{}' has a frequency after @; write frequency={} for the whole.",
                               text, text.substr(at + 1))};
    }
    const auto frequency = per_mille("The frequency after @", text.substr(at + 1), 1000);
    if (!frequency) return frequency.error();
    if (*frequency == 0) return Error{"A frequency of 0 after @ means no noise there; write none."};
    settings.frequency = *frequency;
    text = text.substr(0, at);
  }
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  set_name(settings.name, name);
  if (name == "none") {
    if (colon != text.npos) return Error{fmt::format("'{}' has a strength but no seeding.", text)};
    return settings;
  }
  const NoiseRow* row = find_noise(NoiseKind::seeding, name);
  if (row == nullptr) return unknown("seeding", name, names_of(NoiseKind::seeding, true));
  if (row->role == SeedingRole::advanced) {
    return Error{fmt::format(
        "{} goes beside a seeding, not in its place; write seeding=none,{}=on.", name, name)};
  }
  settings.strength = row->usual;
  if (colon != text.npos) {
    const auto strength = parse_strength(*row, text.substr(colon + 1));
    if (!strength) return strength.error();
    settings.strength = *strength;
  }
  return settings;
}

Result<SeedingSettings> parse_advanced(std::string_view name, std::string_view text) {
  const NoiseRow* row = find_noise(NoiseKind::seeding, name);
  check(row != nullptr, "every advanced seeding has a row in the catalogue");
  SeedingSettings settings{};
  set_name(settings.name, name);
  settings.strength = row->usual;
  if (text == "on") return settings;
  const auto strength = parse_strength(*row, text);
  if (!strength) return strength.error();
  settings.strength = *strength;
  return settings;
}

class Parser {
 public:
  Result<NoiseRequest> parse(std::string_view text) {
    request_.settings = {};
    for (std::string_view item : split(text, ',')) {
      item = trim(item);
      if (auto result = take(item); !result) return result.error();
    }
    if (none_) {
      if (items_ > 1)
        return Error{"none stands alone in --noise: it means that there is no noise."};
      return NoiseRequest{};
    }
    if (auto result = finish(); !result) return result.error();
    return request_;
  }

 private:
  bool given(NoiseKey key) const { return request_.given & bit(key); }

  Result<void> take(std::string_view item) {
    ++items_;
    if (item == "none") {
      none_ = true;
      return {};
    }
    if (item == "random") {
      request_.random = true;
      return {};
    }
    const std::size_t equals = item.find('=');
    if (equals == item.npos) return Error{lonely(item)};
    const std::string_view name = trim(item.substr(0, equals));
    const auto found = std::ranges::find(kKeys, name);
    if (found == std::end(kKeys)) {
      return Error{fmt::format("Noise has no key '{}'.{}", name, name_hint(name, kKeys))};
    }
    const auto key = static_cast<NoiseKey>(found - std::begin(kKeys));
    if (given(key)) return Error{fmt::format("Noise has {}= twice; leave one out.", name)};
    request_.given |= bit(key);
    return value(key, trim(item.substr(equals + 1)));
  }

  static std::string lonely(std::string_view item) {
    for (const NoiseRow& row : noise_catalog()) {
      if (row.name != item) continue;
      const std::string_view key = row.kind == NoiseKind::placement ? "placement" : "seeding";
      if (row.role == SeedingRole::advanced) return fmt::format("Write {}=on for {}.", item, item);
      return fmt::format("Write {}={} for the {} {}.", key, item, key, item);
    }
    return fmt::format(
        "Noise is a list of key=value, such as placement=random-all,seeding=sleep,strength=20; "
        "'{}' is "
        "not one.",
        item);
  }

  Result<void> value(NoiseKey key, std::string_view text) {
    NoiseSettings& settings = request_.settings;
    switch (key) {
      case NoiseKey::placement:
        if (find_noise(NoiseKind::placement, text) == nullptr) {
          if (text == "none" || text == "random") {
            return Error{fmt::format("Write --noise {} alone, not placement={}.", text, text)};
          }
          return unknown("placement", text, names_of(NoiseKind::placement, false));
        }
        set_name(settings.placement, text);
        return {};
      case NoiseKey::when:
        return when(text);
      case NoiseKey::frequency:
        return assign(settings.frequency, per_mille("frequency", text, 1000));
      case NoiseKey::seeding:
        strength_in_seeding_ = text.find(':') != text.npos;
        return assign(settings.seeding, parse_seeding(text, false));
      case NoiseKey::strength:
        strength_ = text;  // its unit is the seeding's, which may come later
        return {};
      case NoiseKey::reads:
        return assign(settings.reads, parse_seeding(text, true));
      case NoiseKey::writes:
        return assign(settings.writes, parse_seeding(text, true));
      case NoiseKey::sync:
        return assign(settings.sync, parse_seeding(text, true));
      case NoiseKey::halt_one_thread:
        return assign(settings.halt_one_thread, parse_advanced("haltOneThread", text));
      case NoiseKey::inverse_noise:
        return assign(settings.inverse_noise, parse_advanced("inverseNoise", text));
      case NoiseKey::timeout_tamper:
        return assign(settings.timeout_tamper, parse_advanced("timeoutTamper", text));
      case NoiseKey::repeat:
        return assign(settings.repeat, per_mille("repeat", text, 999));
      case NoiseKey::quiet:
        return quiet(text);
      case NoiseKey::budget:
        return budget(text);
      case NoiseKey::count:
        break;
    }
    return {};
  }

  template <class T>
  static Result<void> assign(T& place, const Result<T>& result) {
    if (!result) return result.error();
    place = *result;
    return {};
  }

  Result<void> when(std::string_view text) {
    if (text == "before") {
      request_.settings.when = NoiseWhen::before;
    } else if (text == "after") {
      request_.settings.when = NoiseWhen::after;
    } else if (text == "both") {
      request_.settings.when = NoiseWhen::both;
    } else {
      return Error{fmt::format("when is before, after or both, not '{}'.", text)};
    }
    return {};
  }

  Result<void> quiet(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto chance = per_mille("The chance in quiet=", text.substr(0, colon), 1000);
    if (!chance) return chance.error();
    std::uint64_t length = kUsualQuietLength;
    if (colon != text.npos) {
      std::string_view rest = text.substr(colon + 1);
      const auto number = take_number(rest);
      if (!number || !rest.empty() || *number == 0 || *number > kMostQuietLength) {
        return Error{fmt::format(
            "quiet is a chance per mille and a length in events, such as 50:1000, not '{}'.",
            text)};
      }
      length = *number;
    }
    request_.settings.quiet = *chance;
    request_.settings.quiet_length = *chance == 0 ? 0 : static_cast<std::uint32_t>(length);
    return {};
  }

  Result<void> budget(std::string_view text) {
    std::string_view rest = text;
    const auto number = take_number(rest);
    if (!number || (!rest.empty() && rest != "%") || *number == 0 || *number > 1000) {
      return Error{fmt::format(
          "budget is how much longer the program may take, 1%..1000%, not '{}'.", text)};
    }
    request_.settings.budget_percent = static_cast<std::uint32_t>(*number);
    return {};
  }

  // Defaults, what depends on several keys, and what makes no sense.
  Result<void> finish() {
    NoiseSettings& settings = request_.settings;
    if (given(NoiseKey::strength)) {
      if (strength_in_seeding_)
        return Error{"The strength is given twice: after seeding= and by strength=."};
      if (!given(NoiseKey::seeding)) {
        if (request_.random) return Error{"strength= needs seeding=: its unit depends on it."};
        set_name(settings.seeding.name, "sleep");
      }
      const NoiseRow* row = find_noise(NoiseKind::seeding, settings.seeding.name);
      if (row == nullptr) return Error{"strength= has nothing to act on with seeding=none."};
      if (auto result = assign(settings.seeding.strength, parse_strength(*row, strength_));
          !result) {
        return result;
      }
    }
    if (request_.random) {
      // The rest is drawn to fit, if anything can.
      if (noise_of_run(request_, 0).placement[0] != '\0') return {};
      return Error{
          "What is given beside random does not go together; leave random out to see why."};
    }
    const bool split_up =
        given(NoiseKey::reads) || given(NoiseKey::writes) || given(NoiseKey::sync);
    if (!given(NoiseKey::placement))
      set_name(settings.placement, split_up ? "read/write" : "random-all");
    if (!given(NoiseKey::frequency)) settings.frequency = kUsualFrequency;
    if (!given(NoiseKey::seeding) && !given(NoiseKey::strength)) {
      settings.seeding = *parse_seeding("sleep", false);
    }
    if (std::string objection = noise_objection(settings); !objection.empty())
      return Error{objection};
    return {};
  }

  NoiseRequest request_;
  std::string_view strength_;
  bool strength_in_seeding_ = false;
  bool none_ = false;
  int items_ = 0;
};

std::string strength_text(Strength strength) {
  return strength.low == strength.high ? fmt::format("{}", strength.low)
                                       : fmt::format("{}..{}", strength.low, strength.high);
}

void append_seeding(std::string& text, std::string_view key, const SeedingSettings& seeding) {
  if (seeding.name[0] == '\0') return;
  text += fmt::format(",{}={}", key, seeding.name);
  if (std::string_view(seeding.name) != "none") text += ":" + strength_text(seeding.strength);
  if (seeding.frequency != 0) text += fmt::format("@{}", seeding.frequency);
}

void append_advanced(std::string& text, const SeedingSettings& seeding) {
  if (seeding.name[0] == '\0') return;
  text += fmt::format(",{}={}", seeding.name, strength_text(seeding.strength));
}

}  // namespace

Result<NoiseRequest> parse_noise(std::string_view text) {
  if (trim(text).empty()) {
    return Error{"--noise needs a value, such as placement=random-all,seeding=sleep,strength=20."};
  }
  return Parser().parse(text);
}

std::string noise_text(const NoiseSettings& settings) {
  if (settings.placement[0] == '\0') return "none";
  constexpr std::string_view kWhen[] = {"before", "after", "both"};
  std::string text = fmt::format("placement={},when={},frequency={},seeding={}", settings.placement,
                                 kWhen[static_cast<std::size_t>(settings.when)], settings.frequency,
                                 settings.seeding.name);
  if (std::string_view(settings.seeding.name) != "none") {
    text += ",strength=" + strength_text(settings.seeding.strength);
  }
  append_seeding(text, "reads", settings.reads);
  append_seeding(text, "writes", settings.writes);
  append_seeding(text, "sync", settings.sync);
  append_advanced(text, settings.halt_one_thread);
  append_advanced(text, settings.inverse_noise);
  append_advanced(text, settings.timeout_tamper);
  if (settings.repeat != 0) text += fmt::format(",repeat={}", settings.repeat);
  if (settings.quiet != 0)
    text += fmt::format(",quiet={}:{}", settings.quiet, settings.quiet_length);
  if (settings.budget_percent != 0) text += fmt::format(",budget={}%", settings.budget_percent);
  return text;
}

}  // namespace heddle
