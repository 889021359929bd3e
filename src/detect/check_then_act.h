// check-then-act: a thread reads under a lock, gives the lock back, takes it again and writes to the same object; in between
// another thread has written what it read. Every access holds the lock, so there is no race.
//
// The interleaving of Artho, Havelund, Biere: High-level Data Races (STVR 2003) and Burrows, Leino: Finding stale-value errors
// (CCPE 2004), seen in one run. What is reported are candidates, as avio's are: a queue whose consumers check, let go and come
// back is right if it looks again. Which of them matter is for the campaign to say.
//
// The same object: the same eight bytes, or near by in one piece of memory. Only the section directly before counts.
#pragma once

#include "analysis/shadow.h"
#include "base/fixed_vector.h"
#include "base/key_map.h"
#include "base/per_thread.h"
#include "detect/detector.h"

namespace heddle {

class CheckThenAct final : public Detector {
 public:
  constexpr CheckThenAct() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  std::uint64_t dropped() const override { return reads_.dropped() + dropped_; }

 private:
  static constexpr std::size_t kMostStale = 16;      // of one thread at a time
  static constexpr std::uint64_t kObjectBytes = 64;  // farther apart are two objects

  // The last read of these bytes by a thread under a lock.
  struct Read {
    std::uint64_t lock;
    SiteId site;
    std::uint32_t section;
    std::uint32_t next;
    ThreadId thread;
    std::uint8_t mask;
  };
  // A read whose bytes another thread has written since.
  struct Stale {
    std::uint64_t address;
    std::uint64_t lock;
    SiteId read_site;
    SiteId write_site;
    std::uint32_t section;
    ThreadId writer;
    EventKind write_kind;
  };
  using StaleReads = FixedVector<Stale, kMostStale>;
  struct Section {
    std::uint32_t number;
  };

  void enter(ThreadId thread, std::uint64_t lock);
  std::uint32_t section(ThreadId thread, std::uint64_t lock) const;
  void read(const Event& event, std::uint64_t lock, std::uint64_t granule, std::uint8_t mask);
  void write(const Event& event, std::uint64_t lock, std::uint64_t granule, std::uint8_t mask);
  void act(const Event& event, std::uint64_t lock);
  void now_stale(const Read& read, const Event& write);

  DetectorContext context_ = {};
  Shadow<Read> reads_;
  KeyMap<Section> sections_;  // by thread and lock
  PerThread<StaleReads*, kMaxThreads> stale_;
  std::uint64_t dropped_ = 0;
};

}  // namespace heddle
