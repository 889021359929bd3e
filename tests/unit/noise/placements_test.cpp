// What holds for every placement of the catalogue.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "scripted.h"

namespace heddle {
namespace {

// Four threads at random over a few variables, locks and functions.
std::vector<Event> script(std::uint64_t seed, int events) {
  constexpr EventKind kKinds[] = {
      EventKind::read,        EventKind::write,          EventKind::read,
      EventKind::atomic_rmw,  EventKind::mutex_lock,     EventKind::mutex_unlock,
      EventKind::cond_signal, EventKind::function_enter, EventKind::function_exit,
  };
  Prng prng(seed);
  std::vector<Event> result;
  for (int i = 0; i < events; ++i) {
    const EventKind kind = kKinds[prng.below(std::size(kKinds))];
    const auto thread = static_cast<unsigned>(prng.between(1, 4));
    const std::uint64_t object =
        8 * prng.below(6) +
        (kind == EventKind::mutex_lock || kind == EventKind::mutex_unlock ? 1024 : 0);
    result.push_back(scripted::event(thread, kind, object, prng.below(30)));
  }
  return result;
}

std::vector<const NoiseRow*> placements() {
  std::vector<const NoiseRow*> rows;
  for (const NoiseRow& row : noise_catalog()) {
    if (row.kind == NoiseKind::placement) rows.push_back(&row);
  }
  return rows;
}

NoiseSettings half(const NoiseRow& row) {
  NoiseSettings settings = scripted::everywhere(std::string(row.name).c_str());
  settings.frequency = 500;
  return settings;
}

TEST(EveryPlacement, DecidesTheSameForTheSameSeedAndEventsWhateverRanBefore) {
  for (const NoiseRow* row : placements()) {
    const std::string first = scripted::Stage(half(*row), 7).play(script(1, 3000));
    scripted::Stage(half(*row), 8).play(script(2, 3000));
    EXPECT_EQ(scripted::Stage(half(*row), 7).play(script(1, 3000)), first) << row->name;
    EXPECT_NE(scripted::Stage(half(*row), 9).play(script(1, 3000)), first) << row->name;
  }
}

TEST(EveryPlacement, DisturbsSomeEventsButOnlyConcurrentOnes) {
  const std::vector<Event> events = script(3, 3000);
  for (const NoiseRow* row : placements()) {
    scripted::Stage stage(scripted::everywhere(std::string(row->name).c_str()), 7);
    const std::string picture = stage.play(events);
    EXPECT_NE(picture.find('!'), std::string::npos) << row->name;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!is_concurrent(events[i].kind)) {
        ASSERT_EQ(picture[i], '.') << row->name << " at event " << i;
      }
    }
  }
}

// Frequency is a share of the places, not of all events.
TEST(EveryPlacement, DisturbsItsPlacesAtTheGivenFrequency) {
  const std::vector<Event> events = script(4, 40'000);
  for (const char* name : {"random-all", "sharedVar-all", "pattern", "unprotected", "read/write"}) {
    const auto count = [&](std::uint32_t frequency) {
      NoiseSettings settings = scripted::everywhere(name);
      settings.frequency = frequency;
      const std::string picture = scripted::Stage(settings, 7).play(events);
      return static_cast<double>(std::count(picture.begin(), picture.end(), '!'));
    };
    EXPECT_NEAR(count(200) / count(1000), 0.2, 0.03) << name;
  }
}

}  // namespace
}  // namespace heddle
