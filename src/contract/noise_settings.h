// Noise settings as plain data: what the user asked for with --noise, already checked by the tool.
#pragma once

#include <cstdint>

namespace heddle {

// When relative to the event.
enum class NoiseWhen : std::uint8_t { before, after, both };

// An amount: fixed when low == high, else drawn afresh each time from [low, high].
struct Strength {
  std::uint32_t low;
  std::uint32_t high;
};

// One seeding with its own strength. Which unit a strength has depends on the seeding: milliseconds, yields, operations…
// (noise/catalog.h). Names are looked up there and are contracts on disk; "none" is no seeding, where one may be named.
struct SeedingSettings {
  char name[24];
  Strength strength;
  std::uint32_t frequency;  // of reads, writes or sync alone, per mille; 0: that of the whole
};

struct NoiseSettings {
  char placement[24];  // empty: no noise at all
  NoiseWhen when;
  std::uint8_t reserved[3];
  std::uint32_t frequency;  // per mille, 0..1000
  SeedingSettings seeding;  // the basic one
  // read/write placement: own seeding for reads, writes and synchronisation; empty name: `seeding`
  SeedingSettings reads;
  SeedingSettings writes;
  SeedingSettings sync;
  // combined with the basic one; empty name: none
  SeedingSettings halt_one_thread;
  SeedingSettings inverse_noise;
  SeedingSettings timeout_tamper;
  std::uint32_t
      repeat;  // rstest's loop: after each disturbance draw again with this per-mille chance
  std::uint32_t budget_percent;  // 0: none
  std::uint32_t quiet;           // per mille chance that a long undisturbed stretch begins
  std::uint32_t quiet_length;    // events in such a stretch
};

}  // namespace heddle
