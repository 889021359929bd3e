// Semaphores of System V's. The kernel counts; who waits for a set that no other process knows of waits in the engine, so that a
// deadlock is seen as one.
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#include "base/fixed_vector.h"
#include "contract/descriptor_kind.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

namespace {

constexpr std::size_t kSets = 256;
constexpr unsigned kPlaces = 1u << 16;
FixedVector<int, kSets>
    g_sets;  // that were used, in that order: the kernel's numbers differ from run to run

std::size_t number_of(int set) {
  for (std::size_t i = 0; i < g_sets.size(); ++i) {
    if (g_sets[i] == set) return i;
  }
  if (!g_sets.full()) g_sets.push_back(set);
  return g_sets.size() - 1;
}

ObjectId semaphore_name(int set, unsigned first) {
  const std::size_t number = number_of(set) * kPlaces + first % kPlaces;
  return make_descriptor(DescriptorKind::semaphores, static_cast<int>(number));
}

long value_of(const SemaphoreWait& wait, unsigned place) {
  return raw_syscall(SYS_semctl, wait.set, place, GETVAL);
}

bool semaphores_ready(const Task& task) {
  const auto& wait = *static_cast<const SemaphoreWait*>(task.wait_object);
  return first_to_wait(wait) == wait.count;
}

}  // namespace

std::size_t first_to_wait(const SemaphoreWait& wait) {
  for (std::size_t i = 0; i < wait.count; ++i) {
    const sembuf& operation = wait.operations[i];
    if (operation.sem_op > 0) continue;
    long value = value_of(wait, operation.sem_num);
    if (value < 0) return wait.count;  // the set is gone: the call will say so
    for (std::size_t before = 0; before < i; ++before) {
      const sembuf& done = wait.operations[before];
      if (done.sem_num == operation.sem_num) value += done.sem_op;
    }
    const bool waits = operation.sem_op == 0 ? value != 0 : value + operation.sem_op < 0;
    if (waits) return i;
  }
  return wait.count;
}

bool only_ours(int set) {
  semid_ds state{};
  return !g_engine.has_children &&
         raw_syscall(SYS_semctl, set, 0, IPC_STAT, as_word(&state)) == 0 &&
         state.sem_perm.__key == IPC_PRIVATE;
}

bool waits_for_semaphores(const Task& task) { return task.ready == semaphores_ready; }

void use_semaphores(int set, unsigned first, Transfer transfer, Caller caller) {
  use_named(semaphore_name(set, first), transfer, caller);
}

WaitEnd wait_for_semaphores(const SemaphoreWait& wait, std::int64_t timeout_ns, Caller caller) {
  std::uint32_t waiters = 0;
  const std::size_t first = first_to_wait(wait);
  const unsigned place = first < wait.count ? wait.operations[first].sem_num : 0;
  Intent intent{EventKind::blocking_call};
  intent.name = semaphore_name(wait.set, place);
  intent.argument = static_cast<std::uint64_t>(Transfer::in);
  intent.caller = caller;
  intent.ready = semaphores_ready;
  intent.wait_object = &wait;
  intent.interruption = Interruption::always;
  return wait_inside(intent, timeout_ns, waiters, Cancellable::no);
}

}  // namespace heddle::controlled
