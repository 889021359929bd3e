// method: was the execution of a function interrupted by a switch, and was there one that was not?
// method-pair: one function was interrupted, and another ran before control came back.
// ConTest's two models (Edelstein et al. 2002).
//
// As in its note 19, a switch is seen when the thread of an event is not that of the last one; interrupted are the functions
// that the thread has been in since before its own last event. Where nobody tells of calls, a function is what holds the place.
#pragma once

#include "coverage/metric.h"

namespace heddle {

class MethodCoverage final : public Metric {
 public:
  enum Mode : std::uint8_t { uninterrupted, interrupted };

  constexpr MethodCoverage() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  static constexpr std::size_t kRemembered = 64;  // places that others passed lately

  struct Activity {
    std::uint64_t inside;  // a place in it; 0: none known yet
    bool interrupted;
  };
  struct Thread {
    std::uint64_t calls_then;  // activation of the innermost function at its last event
    std::uint64_t last_event;  // in the run's order, from 1; 0: none
    Activity frames[Identities::kMostFrames];
  };
  struct Passed {
    std::uint64_t place;
    std::uint64_t event;
    ThreadId thread;
  };

  Thread* thread(ThreadId id);
  void interrupt(const Seen& seen, Thread& thread);
  void leave(const Event& event);

  MetricContext context_ = {};
  MetricRow methods_ = {};
  MetricRow pairs_ = {};
  std::uint64_t events_ = 0;
  ThreadId last_thread_ = kNoThread;
  Thread* threads_[kMaxThreads] = {};
  Passed passed_[kRemembered] = {};
};

}  // namespace heddle
