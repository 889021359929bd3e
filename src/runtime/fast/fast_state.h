// What the access stubs in instrumented modules share with the runtime: one thread-local struct.
//
// The stubs (fast/stubs.cpp) are linked statically, with hidden visibility, into every instrumented executable and
// library, so that an access that nobody wants costs a call, a decrement and a return, without a PLT. Everything else
// is in the shared runtime. The symbol carries the layout's version: a runtime that cannot serve old stubs must not
// define it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

struct FastState {
  // Accesses to let pass before anybody looks. Counted down by one for each; negative: look.
  // Huge while the program is not under test or still has one thread; a draw for noise; -1 in the controlled engine.
  std::int64_t skip;
  // One 16-bit cell per 8 application bytes, at shadow_base[(address >> 3) & shadow_mask]: who had it to itself last,
  // and whether it was written (bit 0). See runtime/controlled/classification.h for the values.
  const std::uint16_t* shadow_base;
  std::uint64_t shadow_mask;
  // The calling thread's present phase, bit 0 set. A read passes if (cell | 1) == owner, a write if cell == owner: the
  // location is private to this phase and its kind of access known. 0 matches nothing (cells are never 0 with bit 0).
  std::uint16_t owner;
  std::uint8_t keep_stack;  // function entry and exit maintain the shadow stack
  std::uint8_t reserved[5];
  // Shadow stack of return addresses, for reports; grows upwards, never written past the limit.
  void** stack_top;
  void** stack_limit;
  std::uint64_t stack_overflow;  // entries that did not fit
  void** stack_low;  // the lowest it has been since somebody set this: below it nothing has changed
  // Free engine, where fasttrack alone looks at accesses: its directory of pages (analysis/access_cells.h) and their number (0: not
  // so), and what its words begin with for the calling thread now. An access that it knows already passes, and most others
  // the stub keeps by itself; the rest of this struct is for that.
  std::uint64_t tracked_limit;
  void* const* tracked_pages;
  std::uint64_t tracked_who;
  const void* tracked_clock;  // the thread's VectorClock
  const std::uint32_t* sleeps_ended;
  bool* in_runtime;  // ThreadState's
  void* page_user;   // an AccessCells::PageUser, or null: no page is the thread's own
  // What places begin with while the thread is where it was (context.h): as long as the stack's top is this one and it has
  // not been lower since.
  void** context_top;
  std::uint64_t context_site;
  // Controlled engine, where fasttrack alone looks at accesses: the number of pages (0: not so). An access that is private
  // passes if fasttrack knows it as well; nobody but the runtime keeps any.
  std::uint64_t private_limit;
};

// Controlled engine: after so many accesses without a point (skip counts on below zero), one is a point all the same.
// Without that, a loop over a plain flag that nobody has written yet would never let anybody write it.
inline constexpr std::int64_t kLongStretch = -200'000;

}  // namespace heddle::runtime

extern "C" {
// Zero-initialised: skip 0 means "ask once"; the slow path then sets it for the thread. constinit spares every use the
// question whether another module has an initialisation function for it.
extern constinit __attribute__((
    tls_model("initial-exec"))) thread_local heddle::runtime::FastState heddle_fast_state_v6;

// kind is an EventKind, size the access's; caller the return address in the program.
void heddle_access_slow_v6(const void* address, std::size_t size, unsigned kind, void* caller);
}
