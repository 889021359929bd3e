// Goldilocks' list of synchronisation: who may pass ownership to whom, in the order in which it happened.
//
// After Elmas, Qadeer, Tasiran: Goldilocks: A Race and Transaction-Aware Java Runtime (PLDI 2007). Every rule of its
// figure 5 has the form "if `from` is in the set of a variable, add `to`", where both are threads, locks or volatiles; so
// the list holds such pairs, and a variable's set is worked out when somebody asks, from its last access on. C++'s
// orders fit in: an acquiring load passes from the object to the thread, a releasing store from the thread to the
// object, and a store takes away what was there before it; fences have two elements per thread, one that relaxed loads
// fill and one that relaxed stores take from.
//
// The list is a ring. What is older than it holds is not known any more, and counts as ordered.
#pragma once

#include <cstdint>

#include "analysis/effect.h"
#include "base/arena.h"
#include "base/fixed_vector.h"

namespace heddle {

class TransferList {
 public:
  static constexpr std::uint64_t kLength = std::uint64_t{1} << 15;

  constexpr TransferList() = default;

  void begin_run(Arena& arena);
  void on(const Event& event);

  // Where the list ends now: an access remembers it.
  std::uint64_t position() const { return count_; }

  enum class Answer : std::uint8_t { passed, not_passed, forgotten };
  // Did ownership get from `owner`, as of `position`, to `thread`? `only_two`: by looking at transfers of these two alone.
  Answer passed(ThreadId owner, std::uint64_t position, ThreadId thread, bool only_two) const;

  // Who and what owns it now, if `owner` did as of `position`: threads, locks and volatiles, in the order in which they came in.
  static constexpr std::size_t kMostElements = 128;
  using Set = FixedVector<std::uint64_t, kMostElements>;
  Answer set_now(ThreadId owner, std::uint64_t position, ThreadId thread, Set& set) const;
  // An element that is a thread; kNoThread: it is an object.
  static ThreadId thread_of(std::uint64_t element);
  // An element that only serves fences and readers.
  static bool is_auxiliary(std::uint64_t element);

 private:
  struct Transfer {
    std::uint64_t from;
    std::uint64_t to;
    ThreadId by;
  };
  void add(std::uint64_t from, std::uint64_t to, ThreadId by);

  Transfer* ring_ = nullptr;
  std::uint64_t count_ = 0;
};

}  // namespace heddle
