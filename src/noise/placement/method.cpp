#include "noise/placement/method.h"

#include "noise/concurrent.h"
#include "noise/learn_table.h"

namespace heddle {
namespace {

class Method final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override {
    interrupted_.clear();
    last_thread_.store(0);
  }

  void observe(const Event& event, ThreadNoise& thread) override {
    thread.frames.note(event);
    if (event.phase != EventPhase::before || !is_concurrent(event.kind)) return;
    const std::uint32_t me = std::uint32_t{event.thread.value} + 1;
    if (last_thread_.load() != me) {
      if (thread.had_event) mark_interrupted(thread);
      last_thread_.store(me);
    }
    thread.had_event = true;
    thread.calls_then = thread.frames.calls();
  }

  bool wants(const Event&, ThreadNoise& thread, Prng&) override {
    const auto* interrupted = interrupted_.find(thread.frames.top().function);
    return interrupted == nullptr || interrupted->load() == 0;
  }

  bool needs_functions() const override { return true; }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind == LessonKind::method_interrupted) mark(lesson.first);
  }

  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    std::size_t count = 0;
    interrupted_.for_each([&](std::uint64_t function, const Relaxed<std::uint8_t>&) {
      if (count < lessons.size()) lessons[count] = {LessonKind::method_interrupted, function, 0};
      ++count;
    });
    return count;
  }

 private:
  void mark(std::uint64_t function) {
    if (auto* interrupted = interrupted_.find_or_add(function)) interrupted->store(1);
  }

  void mark_interrupted(const ThreadNoise& thread) {
    if (thread.frames.begin() == thread.frames.end()) mark(0);
    for (const CallFrame& frame : thread.frames) {
      if (frame.activation <= thread.calls_then) mark(frame.function);
    }
  }

  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline LearnTable<Relaxed<std::uint8_t>, 1 << 13> interrupted_ = {};
  Relaxed<std::uint32_t> last_thread_ = {};  // plus one; 0: nobody
};

constinit Method instance;

}  // namespace

Placement& method_placement() { return instance; }

}  // namespace heddle
