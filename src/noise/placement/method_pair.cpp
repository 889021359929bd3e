#include "noise/placement/method_pair.h"

#include "base/hash.h"
#include "noise/concurrent.h"
#include "noise/learn_table.h"

namespace heddle {
namespace {

class MethodPair final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override {
    methods_.clear();
    pairs_.clear();
    known_.store(0);
    position_.store(0);
    last_thread_.store(0);
    first_thread_.store(0);
  }

  void observe(const Event& event, ThreadNoise& thread) override {
    thread.frames.note(event);
    if (event.phase != EventPhase::before || !is_concurrent(event.kind)) return;
    const std::uint32_t me = std::uint32_t{event.thread.value} + 1;
    if (last_thread_.load() != me) {
      if (thread.had_event) cover_since(thread, me);
      last_thread_.store(me);
    }
    const std::uint64_t function = thread.frames.top().function;
    if (several_threads(me)) record(function, me);
    thread.had_event = true;
    thread.function_then = function;
    thread.position_then = position_.load();
  }

  bool wants(const Event&, ThreadNoise& thread, Prng&) override {
    const Method* method = methods_.find(thread.frames.top().function);
    const std::uint32_t interrupted_by = method == nullptr ? 0 : method->interrupted_by.load();
    return interrupted_by < known_.load();
  }

  bool needs_functions() const override { return true; }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind == LessonKind::method_pair) cover(lesson.first, lesson.second);
  }

  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    std::size_t count = 0;
    pairs_.for_each([&](std::uint64_t, const Pair& pair) {
      if (count < lessons.size()) {
        lessons[count] = {LessonKind::method_pair, pair.first.load(), pair.second.load()};
      }
      ++count;
    });
    return count;
  }

 private:
  static constexpr std::uint64_t kRing = 64;

  struct Method {
    Relaxed<std::uint32_t> interrupted_by;  // how many different ones
    Relaxed<std::uint8_t> known;            // ran at an event beside other threads
  };
  struct Pair {
    Relaxed<std::uint64_t> first;
    Relaxed<std::uint64_t> second;
    Relaxed<std::uint8_t> counted;
  };
  struct Ran {
    Relaxed<std::uint64_t> function;
    Relaxed<std::uint32_t> thread;
  };

  bool several_threads(std::uint32_t me) {
    std::uint32_t first = first_thread_.load();
    if (first == kSeveral) return true;
    if (first == 0 && first_thread_.replace(first, me)) return false;
    if (first == me) return false;
    first_thread_.store(kSeveral);
    return true;
  }

  void know(std::uint64_t function) {
    Method* method = methods_.find_or_add(function);
    if (method != nullptr && method->known.set_bits(1) == 0) known_.add(1);
  }

  void record(std::uint64_t function, std::uint32_t me) {
    know(function);
    Ran& ran = ring_[position_.add(1) % kRing];
    ran.function.store(function);
    ran.thread.store(me);
  }

  void cover_since(const ThreadNoise& thread, std::uint32_t me) {
    const std::uint64_t now = position_.load();
    std::uint64_t from = thread.position_then;
    if (now - from > kRing) from = now - kRing;
    for (; from < now; ++from) {
      const Ran& ran = ring_[from % kRing];
      if (ran.thread.load() != me) cover(thread.function_then, ran.function.load());
    }
  }

  void cover(std::uint64_t first, std::uint64_t second) {
    Method* method = methods_.find_or_add(first);
    Pair* pair = pairs_.find_or_add(combine(combine(0, first), second));
    if (method == nullptr || pair == nullptr || pair->counted.set_bits(1) != 0) return;
    pair->first.store(first);
    pair->second.store(second);
    method->interrupted_by.add(1);
    know(second);
  }

  static constexpr std::uint32_t kSeveral = 0xffff'ffff;

  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline LearnTable<Method, 1 << 12> methods_ = {};
  static constinit inline LearnTable<Pair, 1 << 15> pairs_ = {};
  static constinit inline Ran ring_[kRing] = {};
  Relaxed<std::uint64_t> position_ = {};
  Relaxed<std::uint32_t> known_ = {};
  Relaxed<std::uint32_t> last_thread_ = {};   // plus one; 0: nobody
  Relaxed<std::uint32_t> first_thread_ = {};  // plus one; 0: nobody; kSeveral
};

constinit MethodPair instance;

}  // namespace

Placement& method_pair() { return instance; }

}  // namespace heddle
