// "Stop now": set by Ctrl-C or by a budget that ran out, seen by every worker that waits in poll().
#pragma once

namespace heddle::campaign {

class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void raise();  // safe in a signal handler
  bool raised() const;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// SIGINT, SIGTERM and SIGHUP raise `stop` as long as this lives; a second SIGINT within that time is no more than the
// first, because results are still being written.
class StopOnSignals {
 public:
  explicit StopOnSignals(StopSignal& stop);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
};

}  // namespace heddle::campaign
