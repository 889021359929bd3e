#include "campaign/suppressions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "host/text.h"

namespace heddle::campaign {

namespace {

constexpr std::array<std::string_view, 7> kTypes{"race",   "race_top", "deadlock",       "mutex",
                                                 "thread", "signal",   "called_from_lib"};

bool about(std::string_view type, FindingKind kind) {
  if (type == "called_from_lib") return true;
  switch (kind) {
    case FindingKind::race:
    case FindingKind::atomicity:
    case FindingKind::sleep_sync:
      return type == "race" || type == "race_top";
    case FindingKind::lock_order:
      return type == "deadlock";
    case FindingKind::misuse:
      return type == "mutex";
    case FindingKind::leak:
      return type == "thread";
    case FindingKind::none:
      return false;
  }
  return false;
}

// Does `name` begin with the pattern, where * stands for anything? `to_end`: and end with it.
bool glob_from(std::string_view pattern, std::string_view name, bool to_end) {
  if (pattern.empty()) return !to_end || name.empty();
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (glob_from(pattern.substr(1), name.substr(i), to_end)) return true;
    }
    return false;
  }
  return !name.empty() && name.front() == pattern.front() &&
         glob_from(pattern.substr(1), name.substr(1), to_end);
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view name) {
  if (name.empty()) return false;
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  for (std::size_t i = 0; i <= name.size(); ++i) {
    if (glob_from(pattern, name.substr(i), to_end)) return true;
    if (from_start) return false;
  }
  return false;
}

bool is_library_race(const std::vector<std::string>& first,
                     const std::vector<std::string>& second) {
  const auto inside = [](const std::vector<std::string>& names) {
    // An inlined function of a template over a local type has no qualified name; the header is the same.
    return std::ranges::any_of(names, [](const std::string& name) {
      return name.starts_with("std::_Sp_atomic<") || name.ends_with("/bits/shared_ptr_atomic.h");
    });
  };
  return inside(first) && inside(second);
}

Result<Suppressions> Suppressions::parse(std::string_view text, std::string_view where) {
  Suppressions suppressions;
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(':');
    const std::string_view type = line.substr(0, colon);
    if (colon == std::string_view::npos || std::ranges::find(kTypes, type) == kTypes.end()) {
      return Error{fmt::format(
          "{}:{}: '{}' is no suppression; write a type (race, race_top, deadlock, mutex, "
          "thread, signal, called_from_lib), a colon and a pattern.",
          where, number, line)};
    }
    suppressions.rules_.push_back({std::string(type), std::string(trim(line.substr(colon + 1)))});
  }
  return suppressions;
}

bool Suppressions::match(FindingKind kind, const Names& names) const {
  return std::ranges::any_of(rules_, [&](const Rule& rule) {
    if (!about(rule.type, kind)) return false;
    const std::vector<std::string>& looked_at =
        rule.type == "race_top" ? names.innermost : names.all;
    return std::ranges::any_of(
        looked_at, [&](const std::string& name) { return matches_pattern(rule.pattern, name); });
  });
}

}  // namespace heddle::campaign
