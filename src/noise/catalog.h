// Every noise heuristic by name, a row each. Names are stored on disk: a changed algorithm gets a
// new name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "contract/noise_settings.h"
#include "noise/heuristic.h"

namespace heddle {

enum class NoiseKind : std::uint8_t { placement, seeding };

// What a seeding's strength counts.
enum class StrengthUnit : std::uint8_t { none, milliseconds, yields, operations };

struct NoiseRow {
  std::string_view name;
  std::string_view summary;  // one line for `heddle list noise`
  std::string_view source;   // where it comes from
  NoiseKind kind;
  // seedings only
  StrengthUnit unit;
  Strength usual;      // when the user names none
  std::uint32_t most;  // largest strength that makes sense
  // one of the two, by kind; the object lives for ever
  Placement& (*placement)();
  Seeding& (*seeding)();
};

std::span<const NoiseRow> noise_catalog();

// Null if there is no such name.
const NoiseRow* find_noise(NoiseKind kind, std::string_view name);

std::string_view unit_name(StrengthUnit unit);

}  // namespace heddle
