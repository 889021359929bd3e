// The metrics of one run and what they share, behind one on(): feeds each event in the right order.
#pragma once

#include "analysis/shadow.h"
#include "base/fixed_vector.h"
#include "coverage/catalog.h"

namespace heddle {

class MetricSet {
 public:
  struct Settings {
    MetricMask metrics;
    Arena::Map map;
    std::uint64_t memory;  // most bytes for all of them
    Identities::Translation translation;
    CoverageArea* area;
  };

  constexpr MetricSet() = default;

  void begin_run(const Settings& settings);
  void on(const Event& event);

  bool watches_memory() const { return watches_memory_; }
  std::uint64_t dropped() const { return variables_.dropped() + held_.dropped(); }

 private:
  Variable* variable_of(const Event& event);
  void remember(Variable& variable, const Event& event, std::uint64_t place);

  // Small ones first, and so in each of them: a run pays for each page that it writes.
  Arena arena_;
  TaskSink tasks_;
  FixedVector<Metric*, 32> active_;
  bool watches_memory_ = false;
  Identities identities_;
  LockStacks held_;
  Shadow<Variable> variables_;
};

}  // namespace heddle
