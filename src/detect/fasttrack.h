// fasttrack: two accesses, one of them a write, not both atomic, neither ordered before the other. Precise for the run
// at hand: no false alarm, and the first race on every byte is found.
//
// After Flanagan, Freund: FastTrack: Efficient and Precise Dynamic Race Detection (PLDI 2009). Like there, an access is
// remembered as an epoch (thread, tick), and an access that is ordered after a remembered one and would conflict with
// whatever that conflicts with takes its place; so a location has one record until it is really shared. We differ:
//  - records are about bytes, not variables: neighbours in one 8-byte granule do not collide;
//  - unordered accesses stay side by side instead of the last one winning, so that each racing pair is told;
//  - an atomic access races with plain ones only.
//
// A race whose second access comes after a sleep, with the first access made before that sleep was over, is told as well as
// what it is: a sleep used as synchronisation. Not so if the thread had read there before, or anything else that another
// thread then wrote without order: it polls.
//
// Threads may come at the same time, each with events of its own: an access looks at its own thread's clock, at the granules
// it touches and at nothing else (analysis/access_cells.h).
#pragma once

#include "analysis/access_cells.h"
#include "base/per_thread.h"
#include "detect/detector.h"

namespace heddle {

class FastTrack final : public Detector {
 public:
  constexpr FastTrack() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  std::uint64_t dropped() const override { return cells_.dropped(); }

  // What on() does with an access that has happened: for engines that show nothing else to anybody.
  struct Access {
    ThreadId thread;
    EventKind kind;  // a compare-and-swap that failed is a load
    SiteId site;
    std::uint64_t start;
    std::uint64_t size;
    std::uint64_t step;
  };
  void access(const Access& access);
  // Where one thread runs at a time.
  void access_alone(const Access& access);
  // The same for an atomic that was carried out as `kind`; site() is asked if that is news.
  // kAlone: where one thread runs at a time; it was at the step `at`.
  template <bool kAlone = false, class Site>
  [[gnu::always_inline]] void atomic_access(const AtomicStep& step, EventKind kind, Site&& site,
                                            std::uint64_t at = 0) {
    const std::uint64_t start = step.object;
    const std::uint32_t tick = context_.order->tick(step.thread);
    const AccessWord word(step.thread, tick, kind,
                          AccessCells::mask_of(start >> 3, start, start + step.size));
    AtomicBook& book = books_[step.thread.value];
    BookEntry& entry = book.entry_for(start);
    if ((start & 7) + step.size <= 8 && entry.is_about(start, word)) {
      if (entry.knows(word) && entry.is_marked()) return;
      AccessWord fresh = word;
      fresh.set_note(__atomic_load_n(&sleeps_ended_, __ATOMIC_RELAXED));
      if (entry.keep<kAlone>({fresh, site()})) return;
    }
    keep_atomic<kAlone>({step.thread, kind, site(), start, step.size, at}, word, book);
  }

  // For stubs that keep accesses by themselves: part of each.
  const std::uint32_t& sleeps_ended() const { return sleeps_ended_; }
  // Null where pages have no owners (analysis/access_cells.h).
  AccessCells::PageUser* page_user(ThreadId thread) {
    return context_.barrier == nullptr ? nullptr : &users_[thread.value];
  }

 private:
  struct Sleep {
    SiteId site;
    std::uint32_t number;  // it was the n-th of the run to end; 0: none
    bool polls;
  };

  template <bool kAlone>
  AccessCells::Page* page_of(std::uint64_t address, ThreadId thread);
  template <bool kAlone>
  void look(const Access& access);
  void granule(const Access& access, std::uint64_t granule, AccessCells::Granule& cells,
               const AccessCell& fresh);
  template <bool kAlone>
  void keep_atomic(const Access& access, AccessWord word, AtomicBook& book);
  void report(const AccessCell& earlier, const Access& access, std::uint64_t granule,
              std::uint8_t bytes, bool was_here);
  void sleep_ended(const Event& event);

  DetectorContext context_ = {};
  AccessCells cells_;
  PerThread<Sleep, kMaxThreads> sleeps_;      // the last of each thread
  PerThread<AtomicBook, kMaxThreads> books_;  // of what many use
  PerThread<AccessCells::PageUser, kMaxThreads> users_;
  std::uint32_t sleeps_ended_ = 0;
};

}  // namespace heddle
