// atomrace: an access comes while another thread's access to the same place is under way, and one of them writes.
//
// After Letko, Vojnar, Křena: AtomRace: Data Race and Atomicity Violation Detector and Healer (PADTAD 2008). An access is
// under way from when its thread gets there until it is done. No lock and no order is looked at, so there are no false
// alarms, and what never overlaps is not found: noise or a schedule must bring it about.
#pragma once

#include "base/fixed_vector.h"
#include "detect/detector.h"

namespace heddle {

class AtomRace final : public Detector {
 public:
  constexpr AtomRace() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;

 private:
  DetectorContext context_ = {};
  FixedVector<Event, kMaxThreads> open_;  // at most one per thread
};

}  // namespace heddle
