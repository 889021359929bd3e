// What a detector reports: two places, what they touched and why it is wrong.
#pragma once

#include <cstdint>
#include <type_traits>

#include "contract/event.h"
#include "contract/ids.h"

namespace heddle {

// Stored by name (finding_name in the tool): append only.
enum class FindingKind : std::uint8_t {
  none = 0,
  race,
  atomicity,
  lock_order,
  misuse,
  leak,
  sleep_sync,
};

struct Finding {
  FindingKind kind;
  std::uint8_t detector;  // row in detect/catalog.h
  EventKind first_kind;
  EventKind second_kind;
  ThreadId first_thread;
  ThreadId second_thread;
  ObjectId object;
  SiteId first_site;
  SiteId second_site;
  // atomicity: where the second thread began what the first came into. lock_order: of a third thread in the circle.
  SiteId begun_site;
  std::uint64_t first_step;  // 0: not known
  std::uint64_t second_step;
  std::uint64_t detail;  // detector's own
  // Places in the control block's stacks, plus one; 0: not known.
  std::uint16_t first_stack;
  std::uint16_t second_stack;
  std::uint16_t block_stack;         // where the heap block was allocated
  std::uint16_t first_thread_stack;  // where the thread was created
  std::uint16_t second_thread_stack;
  std::uint16_t reserved[3];
};
static_assert(std::has_unique_object_representations_v<Finding>);

}  // namespace heddle
