#include "runtime/access.h"

#include "analysis/effect.h"
#include "runtime/controlled/operations.h"
#include "runtime/detection.h"
#include "runtime/free_engine.h"
#include "runtime/mode.h"
#include "runtime/module_table.h"
#include "runtime/platform/export.h"

extern "C" {
__attribute__((
    visibility("default"),
    tls_model(
        "initial-exec"))) constinit thread_local heddle::runtime::FastState heddle_fast_state_v6{};
}

namespace heddle::runtime {
namespace {

// Some module of the program reports its accesses. Without one, the ranges that memcpy and its kin report are all there
// is: nobody's race shows in them, and a compressor calls memcmp a million times a second.
bool g_instrumented = false;

bool accesses_count() { return g_instrumented && g_level == Level::memory && g_multithreaded; }

}  // namespace

void note_instrumented_module() {
  g_instrumented = true;
  heddle_fast_state_v6.skip = 0;  // the next access looks again whether it counts
}

bool is_instrumented(const void* address) {
  const LoadedModule* const module = find_module(reinterpret_cast<std::uint64_t>(address));
  return module != nullptr && module->instrumented;
}

void refresh_fast_state(ThreadState& thread) {
  FastState& fast = heddle_fast_state_v6;
  if (inactive() || !accesses_count()) {
    fast.skip = kPassAll;
  } else if (controlled()) {
    fast.skip = thread.exempt ? kPassAll : -1;
  } else {
    fast.skip = free_countdown(thread);
  }
}

}  // namespace heddle::runtime

HEDDLE_EXPORT void heddle_access_slow_v6(const void* address, std::size_t size, unsigned kind,
                                         void* caller) {
  using namespace heddle::runtime;
  FastState& fast = heddle_fast_state_v6;
  if (fast.tracked_limit != 0) {
    // Nobody looks but fasttrack. The countdown, below 0, counts these accesses.
    ThreadState& thread = current_thread();
    if (thread.in_runtime) return;
    const InRuntime guard(thread);
    return track_again(thread.id, {address, size, static_cast<heddle::EventKind>(kind), caller});
  }
  ThreadState& thread = current_thread();
  if (controlled() && thread.has_control && !thread.in_runtime && accesses_count()) [[likely]] {
    return heddle::controlled::before_access(address, size, static_cast<heddle::EventKind>(kind),
                                             caller);
  }
  if (inactive()) {
    fast.skip = kPassAll;
    return;
  }
  self();  // somebody nobody announced
  if (!accesses_count()) {
    refresh_fast_state(thread);
    return;
  }
  if (controlled()) {
    if (under_control()) {
      heddle::controlled::before_access(address, size, static_cast<heddle::EventKind>(kind),
                                        caller);
    } else if (thread.exempt) {
      fast.skip = kPassAll;
    }
    return;
  }
  if (thread.in_runtime) return;  // a signal handler inside our own code: its accesses go unseen
  const bool is_long = size > 16;
  const bool is_range = is_long || heddle::is_range(static_cast<heddle::EventKind>(kind));
  if (g_tracking && g_events_pass) {
    const InRuntime guard(thread);
    show_tracker({.kind = static_cast<heddle::EventKind>(kind),
                  .thread = thread.id,
                  .object = address,
                  .site = site_to_find(caller),
                  .argument = is_range ? size : 0,
                  .size = static_cast<std::uint8_t>(is_long ? 0 : size)});
    pass_tracked_accesses(thread.id);
    return;
  }
  free_access(thread, Occurrence{.kind = static_cast<heddle::EventKind>(kind),
                                 .object = address,
                                 .caller = caller,
                                 .argument = is_range ? size : 0,
                                 .size = static_cast<std::uint8_t>(is_long ? 0 : size)});
}
