// Stdio streams: explicit locks on them, whose state is libc's own, and output.
#include <stdio.h>
#include <unistd.h>

#include "runtime/controlled/engine.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

using runtime::Real;

HEDDLE_REAL Real<int(FILE*)> real_trylock{"ftrylockfile"};
HEDDLE_REAL Real<void(FILE*)> real_unlock{"funlockfile"};

// glibc's lock begins with a word that is not 0 while somebody has it. Its holder may take it again.
bool stream_is_free(const Task& task) {
  const auto* const stream = static_cast<const FILE*>(task.wait_object);
  const auto* const word = reinterpret_cast<const int*>(stream->_lock);
  if (word == nullptr || __atomic_load_n(word, __ATOMIC_RELAXED) == 0) return true;
  void* owner = nullptr;  // behind the word and a count: its descriptor
  __builtin_memcpy(&owner, word + 2, sizeof owner);
  return owner == reinterpret_cast<void*>(task.handle);
}

void taken(Task& self, const Intent& intent) {
  note_held(self, intent.object);
  acquire(self, intent.object);
  g_engine.commit(self, intent, 0, 0, true);
}

}  // namespace

void stream_lock(FILE* stream, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{EventKind::spin_lock, stream, caller};
  intent.ready = stream_is_free;
  g_engine.point(self, intent);
  // Inside libc, somebody outside control may have been faster.
  while (at_once(self, real_trylock, stream) != 0) yield(caller);
  taken(self, intent);
}

int stream_trylock(FILE* stream, Caller caller) {
  Task& self = current();
  want_release_points();
  const Intent intent{EventKind::spin_trylock, stream, caller};
  g_engine.point(self, intent);
  const int result = at_once(self, real_trylock, stream);
  if (result == 0) {
    taken(self, intent);
  } else {
    note_failed_try(self, stream);
    g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), false);
  }
  return result;
}

void stream_unlock(FILE* stream, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::spin_unlock, stream, caller};
  point_before_release(self, intent);
  at_once(self, real_unlock, stream);
  note_unheld(self, stream);
  release(self, stream);
  g_engine.commit(self, intent, 0, 0, true);
}

// Most of what goes to the terminal is there for people to read: its order matters where somebody judges it, and else a program
// that logs would have little but such points.
static bool is_for_people(int descriptor) {
  const bool standard = descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO;
  return standard && (g_engine.control->plan.flags & kPlanOutputPoints) == 0;
}

void use_standard_output(Caller caller) {
  if (!is_for_people(STDOUT_FILENO)) use_descriptor(STDOUT_FILENO, Transfer::out, caller);
}

void use_stream(FILE* stream, Caller caller) {
  if (is_for_people(stream->_fileno)) return;
  Task& self = current();
  Intent intent{EventKind::blocking_call, stream, caller};
  if (stream->_fileno >= 0) intent.name = descriptor_name(stream->_fileno);
  intent.argument = static_cast<std::uint64_t>(Transfer::out);
  intent.ready = stream_is_free;
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, false);
}

}  // namespace heddle::controlled
