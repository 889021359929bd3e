#include "noise/placement/sync.h"

#include "noise/learn_table.h"

namespace heddle {
namespace {

class Sync final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override {
    tasks_.clear();
    holders_.clear();
  }

  void observe(const Event& event, ThreadNoise& thread) override {
    const LockChange change = thread.locks.note(event);
    const std::uint32_t me = std::uint32_t{event.thread.value} + 1;
    if (change.acquired.object != 0) {
      if (Holder* holder = holders_.find_or_add(change.acquired.object)) {
        holder->site.store(change.acquired.site);
        holder->reads.store(!change.acquired.exclusive);
        holder->thread.store(me);
      }
    }
    thread.released_site = change.released.site;
    if (change.released.object != 0 && thread.locks.find(change.released.object) == nullptr) {
      Holder* holder = holders_.find(change.released.object);
      if (holder != nullptr && holder->thread.load() == me) holder->thread.store(0);
    }
    if (is_acquire(event.kind) && event.phase == EventPhase::before) {
      cover(event.site.value, kVisited);
      note_blocking(event, me);
    }
  }

  bool wants(const Event& event, ThreadNoise& thread, Prng&) override {
    if (!is_synchronisation(event.kind)) return false;
    const bool before = event.phase == EventPhase::before;
    if (is_acquire(event.kind)) return missing(event.site.value, before ? kBlocked : kBlocking);
    if (is_release(event.kind)) {
      return before && missing(thread.released_site, kBlocking);
    }
    return (cover(event.site.value, kVisited) & kVisited) == 0;
  }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind == LessonKind::sync_task)
      cover(lesson.first, static_cast<std::uint8_t>(lesson.second));
  }

  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    std::size_t count = 0;
    tasks_.for_each([&](std::uint64_t site, const Relaxed<std::uint8_t>& tasks) {
      if (tasks.load() == 0) return;
      if (count < lessons.size()) lessons[count] = {LessonKind::sync_task, site, tasks.load()};
      ++count;
    });
    return count;
  }

 private:
  // The values of LessonKind::sync_task.
  static constexpr std::uint8_t kVisited = 1;
  static constexpr std::uint8_t kBlocking = 2;
  static constexpr std::uint8_t kBlocked = 4;

  struct Holder {
    Relaxed<std::uint32_t> thread;  // plus one; 0: nobody
    Relaxed<std::uint8_t> reads;
    Relaxed<std::uint64_t> site;
  };

  static constexpr bool is_synchronisation(EventKind kind) {
    return kind <= EventKind::futex_requeue;
  }

  // Returns the tasks covered before.
  std::uint8_t cover(std::uint64_t site, std::uint8_t tasks) {
    Relaxed<std::uint8_t>* covered = tasks_.find_or_add(site);
    return covered == nullptr ? tasks : covered->set_bits(tasks);
  }

  bool missing(std::uint64_t site, std::uint8_t task) {
    const Relaxed<std::uint8_t>* covered = tasks_.find(site);
    return covered != nullptr && (covered->load() & task) == 0;
  }

  void note_blocking(const Event& event, std::uint32_t me) {
    const Holder* holder = holders_.find(event.object.value);
    if (holder == nullptr) return;
    const std::uint32_t thread = holder->thread.load();
    if (thread == 0 || thread == me) return;
    if (is_reader(event.kind) && holder->reads.load() != 0) return;
    cover(event.site.value, kBlocked);
    cover(holder->site.load(), kBlocking);
  }

  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline LearnTable<Relaxed<std::uint8_t>, 1 << 12> tasks_ = {};
  static constinit inline LearnTable<Holder, 1 << 12> holders_ = {};
};

constinit Sync instance;

}  // namespace

Placement& sync_placement() { return instance; }

}  // namespace heddle
