// Every noise heuristic by name, a row each. Names are stored on disk: a changed algorithm gets a
// new name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "contract/noise_lesson.h"
#include "contract/noise_settings.h"
#include "noise/heuristic.h"

namespace heddle {

enum class NoiseKind : std::uint8_t { placement, seeding };

// What a seeding's strength counts.
enum class StrengthUnit : std::uint8_t {
  none,
  milliseconds,
  yields,
  operations,
  milliseconds_or_yields,  // mixed: whichever the drawn one has
  levels,                  // priority
  percent,                 // timeoutTamper
};

// How a seeding may be named: as the basic one (seeding=, reads=, …), beside one (its own key), or
// either way.
enum class SeedingRole : std::uint8_t { none, basic, advanced, either };

struct NoiseRow {
  std::string_view name;
  std::string_view summary;  // one line for `heddle list noise`
  std::string_view source;   // where it comes from
  NoiseKind kind;
  LessonKind lesson;  // placements only: what it learns from run to run; none: nothing
  // seedings only
  SeedingRole role;
  StrengthUnit unit;
  Strength usual;      // when the user names none
  std::uint32_t most;  // largest strength that makes sense
  // By kind; the object lives for ever. timeoutTamper has none: it changes calls, not events.
  Placement& (*placement)();
  Seeding& (*seeding)();
};

std::span<const NoiseRow> noise_catalog();

// Null if there is no such name.
const NoiseRow* find_noise(NoiseKind kind, std::string_view name);

std::string_view unit_name(StrengthUnit unit);

}  // namespace heddle
