#include "runtime/thread_end.h"

#include <pthread.h>

#include <cstdint>

#include "runtime/call_stack.h"
#include "runtime/carry_out.h"
#include "runtime/free_engine.h"
#include "runtime/mode.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

pthread_key_t g_key;
bool g_has_key = false;

// Destructors of the program's own keys may still take locks: ours asks to be called again and acts in the third of
// glibc's four rounds.
constexpr std::uintptr_t kRounds = 3;

void on_thread_end(void* round) {
  const auto rounds_left = reinterpret_cast<std::uintptr_t>(round) - 1;
  if (rounds_left > 0) {
    pthread_setspecific(g_key, reinterpret_cast<void*>(rounds_left));
    return;
  }
  if (inactive()) return;
  ThreadState& thread = current_thread();
  if (!controlled()) {
    free_event({.kind = EventKind::thread_exit, .object = nullptr, .caller = nullptr},
               EventPhase::before);
    add_counts(thread);
    note_thread_gone();
    give_free_thread_back();
  }
  thread_ended(thread);
  give_call_stack_back();
}

}  // namespace

void make_thread_end_key() { g_has_key = pthread_key_create(&g_key, on_thread_end) == 0; }

void watch_for_thread_end() {
  if (g_has_key) pthread_setspecific(g_key, reinterpret_cast<void*>(kRounds));
}

}  // namespace heddle::runtime
