// The functions a thread is in, as function_enter and function_exit tell. Part of ThreadNoise: all
// zero is a thread that never told, which is then in one nameless function from start to end.
#pragma once

#include <cstdint>

#include "contract/event.h"

namespace heddle {

struct CallFrame {
  std::uint64_t function;    // the site of its entry
  std::uint64_t activation;  // counts the thread's calls from 1
};

class CallFrames {
 public:
  static constexpr std::uint32_t kMost = 48;

  void note(const Event& event) {
    if (event.phase != EventPhase::before) return;
    if (event.kind == EventKind::function_enter) {
      ++calls_;
      if (depth_ < kMost) frames_[depth_] = {event.site.value, calls_};
      ++depth_;
    } else if (event.kind == EventKind::function_exit && depth_ > 0) {
      --depth_;
    }
  }

  // The innermost one that is kept: deeper ones count as part of it.
  CallFrame top() const { return depth_ == 0 ? CallFrame{} : frames_[kept() - 1]; }
  const CallFrame* begin() const { return frames_; }
  const CallFrame* end() const { return frames_ + kept(); }
  std::uint64_t calls() const { return calls_; }

 private:
  std::uint32_t kept() const { return depth_ < kMost ? depth_ : kMost; }

  CallFrame frames_[kMost];
  std::uint64_t calls_;
  std::uint32_t depth_;
};

}  // namespace heddle
