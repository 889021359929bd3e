// What makes sense together in noise settings, and drawing settings that do.
#include <fmt/core.h>

#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/prng.h"
#include "campaign/noise_keys.h"
#include "campaign/noise_text.h"
#include "noise/catalog.h"

namespace heddle {
namespace {

// Frequencies below 5 % or above 50 % did not pay (Fiedor et al. 2014, §4.8).
constexpr Strength kFrequencies{50, 500};

bool empty(const SeedingSettings& seeding) { return seeding.name[0] == '\0'; }
bool is_none(const SeedingSettings& seeding) { return std::string_view(seeding.name) == "none"; }
bool acts(const SeedingSettings& seeding) { return !empty(seeding) && !is_none(seeding); }

bool before_only(std::string_view placement) {
  return placement == "coverage" || placement == "pattern" || placement == "unprotected";
}

bool takes_time(std::string_view seeding) {
  for (const std::string_view name :
       {"yield", "sleep", "wait", "busyWait", "synchYield", "mixed"}) {
    if (seeding == name) return true;
  }
  return false;
}

std::uint32_t draw_between(Prng& prng, std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint32_t>(prng.between(low, high));
}

// One bound uniform below the other, so that weak and strong noise both come fixed and spread.
SeedingSettings draw_seeding(const NoiseRow& row, Prng& prng) {
  SeedingSettings settings{};
  set_name(settings.name, row.name);
  const std::uint32_t high = draw_between(prng, row.usual.low, row.usual.high);
  settings.strength = {prng.chance(1, 2) ? high : draw_between(prng, row.usual.low, high), high};
  return settings;
}

SeedingSettings draw_basic(Prng& prng) {
  std::vector<const NoiseRow*> rows;
  for (const NoiseRow& row : noise_catalog()) {
    if (row.kind == NoiseKind::seeding && row.role != SeedingRole::advanced) rows.push_back(&row);
  }
  return draw_seeding(*rows[prng.below(rows.size())], prng);
}

std::string_view draw_placement(Prng& prng) {
  std::vector<std::string_view> names;
  for (const NoiseRow& row : noise_catalog()) {
    if (row.kind == NoiseKind::placement) names.push_back(row.name);
  }
  return names[prng.below(names.size())];
}

// Fills what was not given.
NoiseSettings draw_settings(const NoiseRequest& request, Prng& prng) {
  const auto open = [&](NoiseKey key) { return (request.given & bit(key)) == 0; };
  NoiseSettings settings = request.settings;
  const bool split_up = !open(NoiseKey::reads) || !open(NoiseKey::writes) || !open(NoiseKey::sync);

  const std::string_view placement = draw_placement(prng);
  if (open(NoiseKey::placement)) set_name(settings.placement, split_up ? "read/write" : placement);
  const bool read_write = std::string_view(settings.placement) == "read/write";

  const auto when = static_cast<NoiseWhen>(prng.below(3));
  if (open(NoiseKey::when) && !before_only(settings.placement)) settings.when = when;

  const std::uint32_t frequency = draw_between(prng, kFrequencies.low, kFrequencies.high);
  if (open(NoiseKey::frequency)) settings.frequency = frequency;

  const SeedingSettings drawn[] = {draw_basic(prng), draw_basic(prng), draw_basic(prng)};
  if (open(NoiseKey::seeding)) settings.seeding = drawn[0];
  if (read_write && open(NoiseKey::reads)) settings.reads = drawn[1];
  if (read_write && open(NoiseKey::writes)) settings.writes = drawn[2];

  const auto advanced = [&](NoiseKey key, std::string_view name, SeedingSettings& place) {
    const SeedingSettings seeding = draw_seeding(*find_noise(NoiseKind::seeding, name), prng);
    const bool chosen = prng.chance(1, 4);
    if (open(key) && chosen && name != settings.seeding.name) place = seeding;
  };
  advanced(NoiseKey::halt_one_thread, "haltOneThread", settings.halt_one_thread);
  advanced(NoiseKey::inverse_noise, "inverseNoise", settings.inverse_noise);
  advanced(NoiseKey::timeout_tamper, "timeoutTamper", settings.timeout_tamper);

  const std::uint32_t repeat = prng.chance(1, 4) ? draw_between(prng, 100, 700) : 0;
  if (open(NoiseKey::repeat) && takes_time(settings.seeding.name)) settings.repeat = repeat;
  const std::uint32_t quiet = prng.chance(1, 4) ? draw_between(prng, 20, 200) : 0;
  const std::uint32_t length = draw_between(prng, 100, 2000);
  if (open(NoiseKey::quiet) && quiet != 0) {
    settings.quiet = quiet;
    settings.quiet_length = length;
  }
  return settings;
}

// How often a drawn configuration is drawn again because its parts do not go together.
constexpr int kTries = 1000;

}  // namespace

std::string noise_objection(const NoiseSettings& settings) {
  const std::string_view placement = settings.placement;
  const bool split_up = !empty(settings.reads) || !empty(settings.writes) || !empty(settings.sync);
  if (placement == "read/write" && !split_up) {
    return "placement=read/write needs reads=, writes= or sync=, such as "
           "reads=yield:10,writes=sleep:20.";
  }
  if (placement != "read/write" && split_up) {
    return fmt::format("reads=, writes= and sync= go with placement=read/write, not with {}.",
                       placement);
  }
  if (before_only(placement) && settings.when != NoiseWhen::before) {
    return fmt::format("placement={} puts noise before events only; leave when= out.", placement);
  }
  const bool advanced = !empty(settings.halt_one_thread) || !empty(settings.inverse_noise) ||
                        !empty(settings.timeout_tamper);
  const SeedingSettings* const basic[] = {&settings.seeding, &settings.reads, &settings.writes,
                                          &settings.sync};
  bool any = advanced;
  for (const SeedingSettings* seeding : basic) any = any || acts(*seeding);
  if (!any) {
    return "seeding=none makes no noise; name a seeding, or haltOneThread=, inverseNoise= or "
           "timeoutTamper=.";
  }
  for (const SeedingSettings* seeding : basic) {
    const std::string_view name = seeding->name;
    if (name == "barrier" && settings.when != NoiseWhen::before) {
      return "seeding=barrier holds threads before they touch a variable; leave when= out.";
    }
    if (name == "barrier" && (placement == "sync" || seeding == &settings.sync)) {
      return "seeding=barrier holds threads at variables, never at synchronisation; choose another "
             "one.";
    }
    if ((name == "haltOneThread" && !empty(settings.halt_one_thread)) ||
        (name == "inverseNoise" && !empty(settings.inverse_noise))) {
      return fmt::format("{} is named twice: as the seeding and beside it; leave one out.", name);
    }
  }
  if (settings.repeat != 0) {
    bool time = false;
    for (const SeedingSettings* seeding : basic) time = time || takes_time(seeding->name);
    if (!time) {
      return "repeat= goes with a seeding that can happen again at once: yield, sleep, wait, "
             "busyWait, "
             "synchYield or mixed.";
    }
  }
  return "";
}

NoiseSettings noise_of_run(const NoiseRequest& request, std::uint64_t run_seed) {
  if (!request.random) return request.settings;
  Prng prng(combine(run_seed, hash_bytes("noise", 5)));
  for (int i = 0; i < kTries; ++i) {
    const NoiseSettings settings = draw_settings(request, prng);
    if (noise_objection(settings).empty()) return settings;
  }
  return NoiseSettings{};  // parse_noise() refuses what leaves nothing to draw
}

}  // namespace heddle
