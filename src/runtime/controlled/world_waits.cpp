#include "runtime/controlled/world_waits.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstdlib>

#include "base/hash.h"
#include "contract/descriptor_kind.h"
#include "runtime/blocking.h"
#include "runtime/controlled/cancel.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/signals.h"
#include "runtime/controlled/world.h"
#include "runtime/faults.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/platform/thread_file.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

constinit WorldWaits g_world_waits{};

ObjectId descriptor_name(int descriptor) {
  const bool by_us = descriptor >= runtime::kFirstOwnDescriptor;
  return make_descriptor(by_us ? DescriptorKind::several : kind_of(descriptor), descriptor);
}

namespace {

bool has_signal_to_read(const Task& task, int descriptor);

bool descriptor_ready(const Task& task) {
  const auto descriptor = static_cast<int>(task.wait_value >> 16);
  return runtime::is_ready(descriptor, static_cast<short>(task.wait_value & 0xffff)) ||
         (runtime::takes_signals(descriptor) && has_signal_to_read(task, descriptor));
}

// A thread that has waited this long asks again although nobody has told of room: another process may have made it.
constexpr std::uint64_t kStepsBetweenAsking = 1000;

struct RoomWait {
  const RoomAttempt* attempt;
  std::uint64_t seen;    // WorldWaits::rooms_made
  std::uint64_t ask_at;  // a step
  bool own;
  bool over;
};

RoomWait& room_wait(const Task& task) {
  return *static_cast<RoomWait*>(const_cast<void*>(task.wait_object));
}

bool ask(RoomWait& wait) {
  wait.over = wait.over || wait.attempt->again(wait.attempt->what);
  return wait.over;
}

bool room_ready(const Task& task) {
  RoomWait& wait = room_wait(task);
  if (wait.over || wait.seen != g_world_waits.rooms_made) return true;
  if (g_engine.step < wait.ask_at) return false;
  wait.ask_at = g_engine.step + kStepsBetweenAsking;
  return ask(wait);
}

// A hexadecimal number behind `label` in a text of the kernel's.
std::uint64_t number_behind(const char* text, const char* label) {
  const char* at = runtime::find_text(text, label);
  if (at == nullptr) return 0;
  return std::strtoull(at + runtime::text_length(label), nullptr, 16);
}

// Only the kernel knows what is pending for a thread that is not running, and what it has blocked. False: nobody knows.
bool read_status(const Task& task, char* text, std::size_t room) {
  return runtime::read_thread_file(raw_syscall(SYS_getpid), task.tid, "status", text, room) >= 0;
}

// From a descriptor of signals a thread reads its own, too, which nobody else sees there.
bool has_signal_to_read(const Task& task, int descriptor) {
  char name[32];
  runtime::TextBuilder(name, sizeof name)
      .add("fdinfo/")
      .add(static_cast<std::uint64_t>(descriptor));
  char text[512];
  const long process = raw_syscall(SYS_getpid);
  if (runtime::read_thread_file(process, task.tid, name, text, sizeof text) < 0) return false;
  return (pending_signals(task) & number_behind(text, "sigmask:")) != 0;
}

bool signal_pending(const Task& task) { return (pending_signals(task) & task.wait_value) != 0; }

}  // namespace

bool waits_for_descriptor(const Task& task) { return task.ready == descriptor_ready; }

bool waits_for_room(const Task& task) { return task.ready == room_ready; }

bool waits_for_own_room(const Task& task) { return !g_engine.has_children && room_wait(task).own; }

bool ask_for_room() {
  if (g_world_waits.rooms == 0) return false;
  bool found = false;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.state == TaskState::live && waits_for_room(task) && ask(room_wait(task))) found = true;
  }
  return found;
}

std::uint64_t pending_signals(const Task& task) {
  char text[4096];
  if (!read_status(task, text, sizeof text)) return ~std::uint64_t{0};  // let it look itself
  return number_behind(text, "SigPnd:") | number_behind(text, "ShdPnd:");
}

bool waits_for_signal(const Task& task, int signal) {
  return task.ready == signal_pending && !task.suspended &&
         (task.wait_value >> (signal - 1) & 1) != 0;
}

bool blocks_signal(Task& task, int signal) {
  std::uint64_t mask = 0;
  if (task.suspended) {
    mask = task.suspended_mask;
  } else if (runtime::self().controlled == &task) {
    mask = blocked_by_self();
  } else {
    // It does not change while the thread is parked, and asking takes long.
    char text[4096];
    if (task.blocked_asked_at != task.points + 1 || task.state == TaskState::outside) {
      if (!read_status(task, text, sizeof text)) return true;
      task.blocked_signals = number_behind(text, "SigBlk:");
      task.blocked_asked_at = task.points + 1;
    }
    mask = task.blocked_signals;
  }
  return (mask >> (signal - 1) & 1) != 0;
}

// Signals with a handler of the program's.
static std::uint64_t handled_signals() {
  std::uint64_t handled = 0;
  for (int signal = 1; signal < _NSIG; ++signal) {
    const bool of_libc = signal == __SIGRTMIN || signal == __SIGRTMIN + 1;  // for threads
    struct sigaction action {};
    if (!of_libc && has_handler(signal, &action)) handled |= std::uint64_t{1} << (signal - 1);
  }
  return handled;
}

// A signal that comes now is handled before the wait begins: who has just looked whether it came, waits in vain.
static void come_before_wait(Caller caller) {
  if (!g_engine.release_points || handled_signals() == 0) return;
  Task& self = current();
  Intent intent{EventKind::blocking_call};
  intent.caller = caller;
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, false);
}

void begin_world_wait(Task& self, std::uint32_t& waiters) {
  ++waiters;
  self.world_wait = &waiters;
}

void end_world_wait(Task& self) {
  if (self.world_wait == nullptr) return;
  --*self.world_wait;
  self.world_wait = nullptr;
}

WaitEnd wait_inside(Intent intent, std::int64_t timeout_ns, std::uint32_t& waiters,
                    Cancellable cancellable) {
  do_without_passing();
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  begin_world_wait(self, waiters);
  if (timeout_ns >= 0) intent.deadline = g_engine.now + static_cast<std::uint64_t>(timeout_ns);
  g_engine.left = &self;
  self.cancellation_point = cancellable == Cancellable::yes;  // the entry point acts on it
  g_engine.point(self, intent);
  self.cancellation_point = false;
  end_world_wait(self);
  const WaitEnd end = self.timed_out     ? WaitEnd::timed_out
                      : self.interrupted ? WaitEnd::interrupted
                                         : WaitEnd::ready;
  g_engine.commit(self, intent, 0, end == WaitEnd::interrupted ? EINTR : 0, true);
  return end;
}

void use_named(ObjectId name, Transfer transfer, Caller caller) {
  static char marks[1024];  // stand for them where an address is needed
  Task& self = current();
  Intent intent{EventKind::blocking_call};
  intent.object = &marks[name.value % sizeof marks];
  intent.name = name;
  intent.argument = static_cast<std::uint64_t>(transfer);
  intent.caller = caller;
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, true);
}

void use_descriptor(int descriptor, Transfer transfer, Caller caller) {
  use_named(descriptor_name(descriptor), transfer, caller);
}

void use_kernel(const char* call, Caller caller) {
  static char marks[256];  // one for each kind of call: their order may matter
  std::uint64_t hash = 0;
  for (const char* at = call; *at != '\0'; ++at) {
    hash = combine(hash, static_cast<unsigned char>(*at));
  }
  Task& self = current();
  Operation operation{EventKind::blocking_call, nullptr, caller};
  g_engine.point(self, operation);
  operation.object = &marks[hash % sizeof marks];
  g_engine.commit(self, operation, 0, 0, true);
}

WaitEnd wait_for_descriptor(int descriptor, short events, std::int64_t timeout_ns, WaitsFor what,
                            Caller caller) {
  // Of a set, the call may have changed the mask already.
  if (what != WaitsFor::any) come_before_wait(caller);
  Intent intent{EventKind::blocking_call};
  intent.name = descriptor_name(descriptor);
  intent.argument = static_cast<std::uint64_t>(events == POLLOUT ? Transfer::out : Transfer::in);
  intent.caller = caller;
  intent.ready = descriptor_ready;
  // A socket's own timeout is not begun again.
  intent.interruption = what == WaitsFor::any || timeout_ns >= 0 ? Interruption::always
                                                                 : Interruption::unless_restarted;
  intent.in_real_time = timeout_ns >= 0 && outsiders_descriptor(descriptor);
  intent.wait_value =
      static_cast<std::uint64_t>(descriptor) << 16 | static_cast<std::uint16_t>(events);
  return wait_inside(intent, timeout_ns, g_world_waits.descriptors);
}

WaitEnd wait_for_room(int descriptor, const RoomAttempt& attempt, std::int64_t timeout_ns,
                      Caller caller) {
  RoomWait wait{&attempt, g_world_waits.rooms_made, g_engine.step + kStepsBetweenAsking,
                is_own_listener(attempt.address, attempt.length), false};
  Intent intent{EventKind::blocking_call};
  intent.name = descriptor_name(descriptor);
  intent.argument = static_cast<std::uint64_t>(Transfer::out);
  intent.caller = caller;
  intent.ready = room_ready;
  intent.interruption = timeout_ns >= 0 ? Interruption::always : Interruption::unless_restarted;
  intent.in_real_time = timeout_ns >= 0 && (g_engine.has_children || !wait.own);
  intent.wait_object = &wait;
  return wait_inside(intent, timeout_ns, g_world_waits.rooms);
}

void note_room() { __atomic_fetch_add(&g_world_waits.rooms_made, 1, __ATOMIC_RELAXED); }

WaitEnd wait_for_signal(std::uint64_t set, std::int64_t timeout_ns, Caller caller) {
  take_timers_over(set);
  Intent intent{EventKind::blocking_call};
  intent.caller = caller;
  intent.ready = signal_pending;
  intent.interruption = Interruption::always;
  intent.wait_value = set;
  return wait_inside(intent, timeout_ns, g_world_waits.signals);
}

void wait_for_handler(std::uint64_t asked, Caller caller) {
  const std::uint64_t mask = runtime::mask_for_call(asked);
  come_before_wait(caller);
  Task& self = current();
  // The kernel's handlers would run while the thread is parked, and nobody would know: they are blocked, and looked for. What has
  // no handler ends the program, or does nothing, at once.
  const std::uint64_t wanted = handled_signals() & ~mask;
  std::uint64_t before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, as_word(&wanted), as_word(&before), sizeof before);
  self.suspended = true;
  self.suspended_mask = mask;
  Intent intent{EventKind::blocking_call};
  intent.caller = caller;
  intent.ready = signal_pending;
  intent.interruption = Interruption::always;
  intent.wait_value = wanted;
  const WaitEnd end = wait_inside(intent, -1, g_world_waits.signals);
  self.suspended = false;
  // It is there, so that this does not wait; its handler runs with the mask that was asked for.
  if (end == WaitEnd::ready && !will_be_cancelled(self))
    raw_syscall(SYS_rt_sigsuspend, as_word(&mask), sizeof mask);
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_word(&before), 0, sizeof before);
}

}  // namespace heddle::controlled
