#include "noise/placement/pattern.h"

#include "base/hash.h"
#include "noise/variable.h"

namespace heddle {
namespace {

class Pattern final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override {}
  void observe(const Event& event, ThreadNoise& thread) override { thread.frames.note(event); }
  bool needs_functions() const override { return true; }

  bool wants(const Event& event, ThreadNoise& thread, Prng&) override {
    if (!is_access(event.kind) || event.phase != EventPhase::before) return false;
    const std::uint64_t key = combine(thread.frames.top().activation, variable_of(event));
    std::uint64_t& slot = thread.touched[key % kTouched];
    const bool again = slot == key;
    slot = key;
    return again;
  }

 private:
  static constexpr std::size_t kTouched = sizeof(ThreadNoise::touched) / sizeof(std::uint64_t);
};

constinit Pattern instance;

}  // namespace

Placement& pattern_placement() { return instance; }

}  // namespace heddle
