// Starve: for long stretches one thread gets no turn while others can move, or only one thread gets any. Then the roles
// are drawn again. Finds what needs a thread to be very late or very early (missed signals, use before initialisation,
// buffers that overflow because nobody drains them).
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Starve final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  enum class Mode : std::uint8_t { one_starves, only_one_runs };

  void begin_stretch(std::uint64_t step, Prng& prng);

  Stalls stalls_;
  Mode mode_ = Mode::one_starves;
  std::uint64_t longest_ = 0;  // stretch, in scheduling points
  std::uint64_t ends_at_ = 0;
  std::uint64_t salt_ = 0;  // of this stretch: ranks the threads
};

}  // namespace heddle
