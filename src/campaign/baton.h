// One run at a time, of two workers with a thread each: whoever has the baton has the run that goes on.
#pragma once

#include <mutex>
#include <utility>

namespace heddle::campaign {

template <class Runner>
class Baton {
 public:
  // True: it was free and is the caller's. False: `runner`, who is prepared, gets it from whoever has it.
  [[nodiscard]] bool take_or_queue(Runner& runner) {
    const std::lock_guard lock(mutex_);
    if (taken_) next_ = &runner;
    return !std::exchange(taken_, true);
  }

  // By who has it. Who has it now and is to be told to go; null: nobody, it is free.
  [[nodiscard]] Runner* pass() {
    const std::lock_guard lock(mutex_);
    taken_ = next_ != nullptr;
    return std::exchange(next_, nullptr);
  }

 private:
  std::mutex mutex_;
  bool taken_ = false;
  Runner* next_ = nullptr;
};

}  // namespace heddle::campaign
