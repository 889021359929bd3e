#include "noise/placement/coverage.h"

#include "noise/learn_table.h"
#include "noise/variable.h"

namespace heddle {
namespace {

class Coverage final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override {
    last_.clear();
    places_.clear();
  }

  void observe(const Event& event, ThreadNoise& thread) override {
    thread.locks.note(event);
    if (event.phase != EventPhase::before) return;
    if (is_access(event.kind) || is_acquire(event.kind)) {
      if (Place* place = places_.find_or_add(event.site.value)) place->visits.add(1);
    }
    if (!is_access(event.kind)) return;
    LastAccess* last = last_.find_or_add(variable_of(event));
    if (last == nullptr || !last->lock.take()) return;
    const std::uint32_t me = std::uint32_t{event.thread.value} + 1;
    if (last->thread != 0 && last->thread != me) mark(site_to_delay(*last, thread.locks));
    last->thread = me;
    last->site = event.site.value;
    last->held_count = 0;
    for (const HeldLock& lock : thread.locks) {
      if (last->held_count < kHeldKept) last->held[last->held_count++] = lock;
    }
    last->lock.give();
  }

  bool wants(const Event& event, ThreadNoise&, Prng& prng) override {
    if (event.phase != EventPhase::before) return false;
    const Place* place = places_.find(event.site.value);
    if (place == nullptr || place->target.load() == 0) return false;
    const std::uint64_t visits = place->visits.load();
    return visits <= kFreely || prng.chance(kFreely, visits);
  }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind == LessonKind::coverage_target) mark(lesson.first);
  }

  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    std::size_t count = 0;
    places_.for_each([&](std::uint64_t site, const Place& place) {
      if (place.target.load() == 0) return;
      if (count < lessons.size()) lessons[count] = {LessonKind::coverage_target, site, 0};
      ++count;
    });
    return count;
  }

 private:
  static constexpr unsigned kHeldKept = 4;
  static constexpr std::uint64_t kFreely = 10;

  struct LastAccess {
    TryLock lock;
    std::uint32_t thread;  // plus one; 0: nobody
    std::uint64_t site;
    std::uint32_t held_count;
    HeldLock held[kHeldKept];
  };
  struct Place {
    Relaxed<std::uint64_t> visits;
    Relaxed<std::uint8_t> target;
  };

  static std::uint64_t site_to_delay(const LastAccess& first, const HeldLocks& second) {
    for (unsigned i = 0; i < first.held_count; ++i) {
      const HeldLock* common = second.find(first.held[i].object);
      if (common != nullptr && (common->exclusive || first.held[i].exclusive)) {
        return first.held[i].site;
      }
    }
    return first.site;
  }

  void mark(std::uint64_t site) {
    if (Place* place = places_.find_or_add(site)) place->target.store(1);
  }

  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline LearnTable<LastAccess, 1 << 14> last_ = {};
  static constinit inline LearnTable<Place, 1 << 13> places_ = {};
};

constinit Coverage instance;

}  // namespace

Placement& coverage_placement() { return instance; }

}  // namespace heddle
