// Before main: who are we, is there a plan, and is it for us.
#include "runtime/start.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/access.h"
#include "runtime/affinity.h"
#include "runtime/controlled/operations.h"
#include "runtime/coverage.h"
#include "runtime/environment.h"
#include "runtime/fork_server.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/interpose_string.h"
#include "runtime/leaving.h"
#include "runtime/mode.h"
#include "runtime/platform/export.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/random_bytes.h"
#include "runtime/run_setup.h"
#include "runtime/thread.h"
#include "runtime/thread_end.h"
#include "runtime/ticks.h"

extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* dso);

namespace heddle::runtime {

bool g_initialised = false;

namespace {

using Main = int (*)(int, char**, char**);

constexpr int kFirstDescriptor =
    900;  // where ours go: programs use low ones and expect the lowest free
Pipes g_pipes{-1, -1};
ServerMode g_mode = ServerMode::one_shot;
Main g_program_main = nullptr;
char** g_arguments = nullptr;  // instead of the process's; null: these are right
int g_argument_count = 0;
bool g_exiting = false;
bool g_before_run = false;

[[noreturn]] void refuse(const char* sentence) {
  raw_write_all(2, sentence, text_length(sentence));
  raw_exit(2);
}

int move_up(int descriptor) {
  for (int lowest = kFirstDescriptor; lowest > 2; lowest /= 2) {  // ulimit -n may be small
    const long moved = raw_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, lowest);
    if (moved < 0) continue;
    raw_syscall(SYS_close, descriptor);
    return static_cast<int>(moved);
  }
  return descriptor;
}

// Where a page table begins, so that what every run touches needs only one.
ControlBlock* map_control(long file) {
  constexpr std::uint64_t kTable = std::uint64_t{2} << 20;
  constexpr std::uint64_t kSize = (sizeof(ControlBlock) + 4095) & ~std::uint64_t{4095};
  const auto room = reinterpret_cast<std::uint64_t>(map_memory(kSize + kTable));
  if (room == 0) return nullptr;
  const std::uint64_t begin = (room + kTable - 1) & ~(kTable - 1);
  const std::uint64_t end = begin + kSize;
  const long mapped = raw_syscall(SYS_mmap, static_cast<long>(begin), kSize, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_FIXED, file, 0);
  if (begin > room) raw_syscall(SYS_munmap, static_cast<long>(room), begin - room);
  raw_syscall(SYS_munmap, static_cast<long>(end), room + kSize + kTable - end);
  return mapped < 0 && mapped > -4096 ? nullptr : reinterpret_cast<ControlBlock*>(mapped);
}

// "<memory fd>:<command fd>:<status fd>:<mode>". False if it is not that.
bool read_control(const char* text) {
  std::int64_t numbers[4];
  for (int i = 0; i < 4; ++i) {
    numbers[i] = take_number(text);
    if (numbers[i] < 0 || *text++ != (i < 3 ? ':' : '\0')) return false;
  }
  ControlBlock* const control = map_control(numbers[0]);
  if (control == nullptr) return false;
  if (control->magic != kControlMagic || control->version != kControlVersion) return false;
  raw_syscall(SYS_close, numbers[0]);
  g_control = control;
  g_pipes = {move_up(static_cast<int>(numbers[1])), move_up(static_cast<int>(numbers[2]))};
  g_mode = static_cast<ServerMode>(numbers[3]);
  return true;
}

// Programs that the program starts must not find us: they would wait for commands of their own.
void hide(char** environment) {
  if (environment == nullptr) return;
  remove_variable(environment, kControlVariable);
  remove_variable(environment, kArgumentsVariable);
  Dl_info own{};
  char* const preloaded = find_variable(environment, "LD_PRELOAD");
  if (preloaded == nullptr || dladdr(&g_program_main, &own) == 0 || own.dli_fname == nullptr)
    return;
  if (remove_from_list(preloaded, own.dli_fname)) remove_variable(environment, "LD_PRELOAD");
}

void in_forked_child() {
  end_time_before_run();
  if (controlled() && controlled::take_control_in_child()) return;
  become_inactive();
}

void take_arguments(const char* path) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  const long file = raw_syscall(SYS_openat, AT_FDCWD, as_word(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char* const text = static_cast<char*>(map_memory(kMost));
  const long size = text == nullptr ? 0 : raw_syscall(SYS_read, file, as_word(text), kMost - 1);
  raw_syscall(SYS_close, file);
  int count = 0;
  for (long i = 0; i < size; ++i) count += text[i] == '\0' ? 1 : 0;
  if (count == 0) return;
  auto** const arguments =
      static_cast<char**>(map_memory((static_cast<std::size_t>(count) + 1) * sizeof(char*)));
  if (arguments == nullptr) return;
  char* next = text;
  for (int i = 0; i < count; ++i) {
    arguments[i] = next;
    next += text_length(next) + 1;
  }
  g_arguments = arguments;
  g_argument_count = count;
}

int main_of_run(int argc, char** argv, char** environment) {
  // What main() is called with is its canonical frame address, from which debug information counts its variables.
  std::uint64_t frame = 0;
  asm volatile("mov %%rsp, %0" : "=r"(frame));
  note_main_frame(frame);
  const bool given = g_arguments != nullptr;
  const int status =
      g_program_main(given ? g_argument_count : argc, given ? g_arguments : argv, environment);
  process_exiting(status, reinterpret_cast<char*>(g_program_main) + 1);
  return status;
}

}  // namespace

void runtime_init() {
  if (g_initialised) return;
  const int saved = errno;
  InRuntime guard(current_thread());
  g_initialised = true;
  find_real_string_functions();
  make_thread_end_key();
  const char* const control = find_variable(environ, kControlVariable);
  if (control != nullptr) {
    if (!read_control(control)) {
      refuse("heddle: the runtime library and the tool do not fit together; install them anew.\n");
    }
    const char* const arguments = find_variable(environ, kArgumentsVariable);
    if (arguments != nullptr) take_arguments(arguments);
    hide(environ);
    g_before_run = g_control->plan.engine == EngineKind::controlled;
    if (g_before_run) pin_auxiliary_bytes();
    __register_atfork(nullptr, nullptr, in_forked_child, nullptr);
  }
  errno = saved;
}

bool before_controlled_run() {
  if (!g_initialised) runtime_init();
  return g_before_run;
}
void end_time_before_run() { g_before_run = false; }

void process_exiting(int status, void* caller) {
  if (inactive() || __atomic_exchange_n(&g_exiting, true, __ATOMIC_ACQ_REL)) return;
  if (under_control()) {
    controlled::process_exiting(status, caller);
  } else if (!controlled()) {
    free_event({.kind = EventKind::process_exit, .object = nullptr, .caller = caller},
               EventPhase::before);
    add_counts(self());
    end_free_run();
  }
  if (controlled::is_child_in_control()) return;
  if (g_control->outcome.verdict == Verdict::none) g_control->outcome.verdict = Verdict::finished;
}

void process_exited() {
  if (inactive()) return;
  if (controlled()) {
    if (!under_control()) return;
    controlled::process_exited(reinterpret_cast<char*>(g_program_main) + 1);
    end_detection(true);
    return;
  }
  hold_detectors();
  end_detection(true);
  let_detectors_go();
}

void become_inactive() {
  if (inactive()) return;
  if (controlled()) controlled::after_fork_in_child();
  g_engine = EngineKind::inactive;
  g_note_heap = false;
  g_detecting = false;
  g_detecting_memory = false;
  g_tracking = false;
  g_tracking_alone = false;
  g_tracking_under_control = false;
  g_covering = false;
  g_control = nullptr;
  heddle_fast_state_v6.tracked_limit = 0;
  heddle_fast_state_v6.private_limit = 0;
  refresh_fast_state(current_thread());
  unpin();
  end_virtual_ticks();
}

namespace {

__attribute__((constructor)) void construct() { runtime_init(); }
// After the program's exit handlers and the destructors of its globals.
__attribute__((destructor)) void destruct() {
  process_exited();
  announce_end();
}

}  // namespace
}  // namespace heddle::runtime

HEDDLE_EXPORT int __libc_start_main(int (*program_main)(int, char**, char**), int argc, char** argv,
                                    void (*init)(), void (*fini)(), void (*loader_fini)(),
                                    void* stack_end) {
  using namespace heddle::runtime;
  using Signature =
      int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  static HEDDLE_REAL Real<Signature> real{"__libc_start_main"};
  runtime_init();
  if (g_control == nullptr) {
    return real(program_main, argc, argv, init, fini, loader_fini, stack_end);
  }
  {
    InRuntime guard(current_thread());
    char** const environment = argv + argc + 1;
    if (environment != environ) hide(environment);
    remember_modules();
    say_hello(g_pipes);
    if (g_mode == heddle::ServerMode::fork_server) {
      serve(g_pipes);
    } else {
      raw_syscall(SYS_setpgid, 0, 0);
      close_pipes(g_pipes);
    }
    end_time_before_run();
    g_program_main = program_main;
    set_up_run({argc, argv, stack_end, environment});
  }
  return real(main_of_run, argc, argv, init, fini, loader_fini, stack_end);
}
