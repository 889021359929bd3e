// eraser: a variable that several threads use, of which no lock is held at every use.
//
// After Savage et al.: Eraser: A Dynamic Data Race Detector for Multithreaded Programs (TOCS 1997), with the state exclusive'
// that lets a variable be handed from the thread that made it to one other (001 5.5.1 has the same six states):
//
//   virgin -> exclusive (its first thread) -> exclusive' (its second) -> shared (read) or modified (written) -> race
//
// From the third owner on, the locks held at each use are intersected: all locks for a read, those held exclusively for a
// write. It knows nothing of order: programs that synchronise by semaphores, atomics or joining are accused wrongly.
#pragma once

#include "analysis/shadow.h"
#include "detect/detector.h"

namespace heddle {

// Stored in coverage features by number: append only.
enum class EraserState : std::uint8_t {
  virgin,
  exclusive,
  exclusive_prime,
  shared,
  modified,
  race
};

class Eraser final : public Detector {
 public:
  constexpr Eraser() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  std::uint64_t dropped() const override { return shadow_.dropped(); }

 private:
  static constexpr std::size_t kLocks =
      6;  // of a candidate set; more are not needed to find one in common

  struct Variable {
    std::uint64_t locks[kLocks];
    SiteId site;  // the last use
    std::uint32_t next;
    std::uint32_t step;
    ThreadId owner;
    ThreadId last;
    EventKind last_kind;
    EraserState state;
    std::uint8_t lock_count;
    std::uint8_t mask;
    bool written;
  };

  void use(Variable& variable, const Event& event, std::uint64_t granule);
  void take_all(Variable& variable, const Event& event) const;
  void intersect(Variable& variable, const Event& event) const;
  void granule(const Event& event, std::uint64_t granule, std::uint8_t mask);

  DetectorContext context_ = {};
  Shadow<Variable> shadow_;
};

}  // namespace heddle
