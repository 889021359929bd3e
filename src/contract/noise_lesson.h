// What placements learn in one run and may be told before the next. Plain data; the store keeps it,
// the control block carries it. A lesson is a hint: one that is lost or stale costs some noise in
// the wrong place, nothing else.
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle {

// Stored: append only, never renumber.
enum class LessonKind : std::uint64_t {
  none = 0,
  shared = 1,              // first: a variable that several threads touch
  unprotected = 2,         // first: a shared variable that no lock guards throughout
  coverage_target = 3,     // first: a site before which noise may turn a couple of accesses round
  method_interrupted = 4,  // first: a function
  method_pair = 5,         // first, second: the second function ran while the first was interrupted
  sync_task =
      6,  // first: a site of a synchronisation; second: 1 visited, 2 blocking, 4 blocked, summed
};

struct NoiseLesson {
  LessonKind kind;
  std::uint64_t first;  // ObjectId or SiteId value, see LessonKind
  std::uint64_t second;
};
static_assert(std::has_unique_object_representations_v<NoiseLesson>);

}  // namespace heddle
