// goldilocks: the same races as fasttrack, by another way: ownership of a variable passes from thread to thread through
// locks, volatiles, creation and joining (analysis/transfer_list.h).
//
// After Elmas, Qadeer, Tasiran (PLDI 2007), with its three short circuits, tried in this order: the last access was by
// the same thread (SCT); a lock held at the last access is held now (SCL); only transfers of the two threads
// are looked at. Then the whole list decides: in the set (LS) or not, which is a race (E).
#pragma once

#include "analysis/shadow.h"
#include "analysis/transfer_list.h"
#include "detect/detector.h"

namespace heddle {

// How the last check of a pair was decided; the states of 001 5.5.1.
enum class GoldilocksState : std::uint8_t {
  short_circuit_thread,
  short_circuit_lock,
  lock_set,
  error
};

class Goldilocks final : public Detector {
 public:
  constexpr Goldilocks() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  std::uint64_t dropped() const override { return shadow_.dropped() + forgotten_; }

  std::uint64_t decided(GoldilocksState how) const { return decided_[static_cast<unsigned>(how)]; }

 private:
  struct Access {
    std::uint64_t position;
    std::uint64_t lock;  // one that was held; 0: none
    SiteId site;
    std::uint32_t next;
    std::uint32_t step;
    ThreadId thread;
    EventKind kind;
    std::uint8_t mask;
  };

  bool ordered(const Access& earlier, const Event& event);
  void granule(const Event& event, std::uint64_t granule, std::uint8_t mask, EventKind kind);

  DetectorContext context_ = {};
  TransferList transfers_;
  Shadow<Access> shadow_;
  std::uint64_t forgotten_ = 0;
  std::uint64_t decided_[4] = {};
};

}  // namespace heddle
