#include "noise/catalog.h"

#include "noise/placement/random_all.h"
#include "noise/seeding/busy_wait.h"
#include "noise/seeding/sleep.h"
#include "noise/seeding/yield.h"

namespace heddle {
namespace {

constexpr NoiseRow place(std::string_view name, std::string_view summary, std::string_view source,
                         Placement& (*instance)()) {
  return {name, summary,  source, NoiseKind::placement, StrengthUnit::none, {},
          0,    instance, nullptr};
}

constexpr NoiseRow seed(std::string_view name, std::string_view summary, std::string_view source,
                        StrengthUnit unit, Strength usual, std::uint32_t most,
                        Seeding& (*instance)()) {
  return {name, summary, source, NoiseKind::seeding, unit, usual, most, nullptr, instance};
}

constexpr auto kMs = StrengthUnit::milliseconds;
constexpr auto kYields = StrengthUnit::yields;

constexpr NoiseRow kRows[] = {
    place("random-all", "every concurrent event alike", "ConTest 2002; rstest 2002", random_all),
    seed("sleep", "the thread sleeps", "ConTest 2002", kMs, {1, 20}, 60'000, sleep_seeding),
    seed("yield", "the thread gives way, strength times", "ConTest 2002", kYields, {1, 10}, 100'000,
         yield_seeding),
    seed("busyWait", "the thread spins without giving way", "Fiedor et al. 2014", kMs, {1, 20},
         60'000, busy_wait),
};

}  // namespace

std::span<const NoiseRow> noise_catalog() { return kRows; }

const NoiseRow* find_noise(NoiseKind kind, std::string_view name) {
  for (const NoiseRow& row : kRows) {
    if (row.kind == kind && row.name == name) return &row;
  }
  return nullptr;
}

std::string_view unit_name(StrengthUnit unit) {
  switch (unit) {
    case StrengthUnit::milliseconds:
      return "milliseconds";
    case StrengthUnit::yields:
      return "yields";
    case StrengthUnit::operations:
      return "operations";
    case StrengthUnit::none:
      break;
  }
  return "";
}

}  // namespace heddle
