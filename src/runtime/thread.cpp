#include "runtime/thread.h"

#include <sys/resource.h>

#include "runtime/access.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread_path.h"

namespace heddle::runtime {

constinit thread_local ThreadState t_thread{.id = kNoThread,
                                            .children = 0,
                                            .registered = false,
                                            .in_runtime = false,
                                            .exempt = false,
                                            .has_control = false,
                                            .outside = false,
                                            .believes_faults_blocked = false,
                                            .path_hash = 0,
                                            .event_count = 0,
                                            .stack_top = 0,
                                            .stack_size = 0,
                                            .creation_caller = nullptr,
                                            .futex_caller = nullptr,
                                            .thrown_at = {},
                                            .allocation_caller = nullptr,
                                            .tid = 0,
                                            .prng = Prng(0),
                                            .controlled = nullptr};

bool g_multithreaded = false;

namespace {

std::uint32_t g_thread_count = 0;
std::uint32_t g_strangers = 0;
// The library's zero variables are sorted by alignment (src/CMakeLists.txt): what is aligned like this, and written in every run,
// comes to lie side by side, on fewer pages.
alignas(64) StackRange g_stacks[kMaxThreads];

// glibc puts a thread's descriptor and its thread-local variables at the upper end of its stack: pthread_self() is the
// descriptor, this its size rounded up. Only identities depend on it, and they need it constant, not exact.
constexpr std::uint64_t kDescriptorSize = 0x900;
constexpr std::uint64_t kUsualStack = std::uint64_t{8} << 20;
constexpr std::uint64_t kLargestStack = std::uint64_t{1} << 30;

std::uint64_t default_stack_size() {
  static std::uint64_t known = 0;
  if (known != 0) return known;
  rlimit limit{};
  raw_syscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, as_word(&limit));
  known = limit.rlim_cur == 0 || limit.rlim_cur > kLargestStack ? kUsualStack : limit.rlim_cur;
  return known;
}

void adopt(ThreadState& thread, ThreadId id, std::uint64_t path_hash) {
  thread.id = id;
  thread.children = 0;
  thread.registered = true;
  thread.exempt = false;
  thread.path_hash = path_hash;
  thread.event_count = 0;
  thread.tid = static_cast<pid_t>(raw_syscall(SYS_gettid));
  note_pinned_thread(id, thread.tid);
  thread.prng.reseed(thread_seed(g_control == nullptr ? 0 : g_control->plan.seed, path_hash));
}

void set_stack(ThreadState& thread, std::uint64_t top, std::uint64_t size) {
  thread.stack_top = top;
  thread.stack_size = size;
  if (thread.id == kNoThread) return;
  g_stacks[thread.id.value].size = size;
  __atomic_store_n(&g_stacks[thread.id.value].top, top, __ATOMIC_RELEASE);
  note_places_changed();
}

}  // namespace

std::uint32_t thread_count() { return __atomic_load_n(&g_thread_count, __ATOMIC_RELAXED); }

void skip_thread_numbers(std::uint32_t count) {
  if (count > g_thread_count) g_thread_count = count;
}

ThreadId announce_child(ThreadState& parent, void* start_routine, void* create_caller,
                        std::uint64_t* path_hash) {
  if (!g_multithreaded) {
    g_multithreaded = true;
    refresh_fast_state(parent);
  }
  const std::uint16_t number = parent.children++;
  *path_hash = child_path(parent.path_hash, number);
  const std::uint32_t index = __atomic_fetch_add(&g_thread_count, 1, __ATOMIC_RELAXED);
  g_control->outcome.thread_count = index + 1;
  if (index >= kMaxThreads) return kNoThread;
  ThreadRecord& record = g_control->threads[index];
  record = ThreadRecord{};
  record.parent = parent.id;
  record.child_number = number;
  record.path_hash = *path_hash;
  record.create_site = site_of(create_caller);
  record.start_routine = site_of(static_cast<char*>(start_routine) + 1);
  return ThreadId{static_cast<std::uint16_t>(index)};
}

void register_thread(ThreadId id, std::uint64_t path_hash) {
  ThreadState& thread = t_thread;
  adopt(thread, id, path_hash);
  thread.exempt = id == kNoThread;
  set_stack(thread, static_cast<std::uint64_t>(pthread_self()) + kDescriptorSize,
            default_stack_size());
  refresh_fast_state(thread);
}

void register_main_thread(const void* stack_end) {
  for (std::uint32_t i = 0; i < g_thread_count && i < kMaxThreads; ++i) g_stacks[i] = StackRange{};
  g_thread_count = 1;
  g_strangers = 0;
  g_multithreaded = false;
  ThreadState& thread = t_thread;
  adopt(thread, ThreadId{0}, kMainPath);
  ThreadRecord& record = g_control->threads[0];
  record = ThreadRecord{};
  record.parent = kNoThread;
  record.path_hash = kMainPath;
  g_control->outcome.thread_count = 1;
  set_stack(thread, reinterpret_cast<std::uint64_t>(stack_end), default_stack_size());
  refresh_fast_state(thread);
}

void note_main_frame(std::uint64_t frame) {
  if (g_control == nullptr || t_thread.id.value != 0) return;
  const std::uint64_t below = t_thread.stack_top - frame;
  g_control->modules[0].main_frame = static_cast<std::uint16_t>(below <= 0xffff ? below : 0);
}

void register_stranger(ThreadState& thread) {
  if (inactive()) return;
  const std::uint32_t number = __atomic_fetch_add(&g_strangers, 1, __ATOMIC_RELAXED);
  adopt(thread, kNoThread, combine(kNoThread.value, number));
  thread.exempt = true;
  refresh_fast_state(thread);
}

void thread_ended(ThreadState& thread) {
  if (thread.registered && thread.id != kNoThread) {
    __atomic_store_n(&g_stacks[thread.id.value].top, 0, __ATOMIC_RELEASE);
    note_places_changed();
  }
}

ThreadId find_stack(std::uint64_t address, StackRange* range) {
  const ThreadState& own = t_thread;
  if (own.id != kNoThread && address < own.stack_top && own.stack_top - address <= own.stack_size) {
    // Another thread's small stack could lie inside what we take for ours; only below a small part of it.
    if (own.stack_top - address < (std::uint64_t{64} << 10)) {
      *range = {own.stack_top, own.stack_size};
      return own.id;
    }
  }
  const std::uint32_t count = thread_count() < kMaxThreads ? thread_count() : kMaxThreads;
  ThreadId found = kNoThread;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t top = __atomic_load_n(&g_stacks[i].top, __ATOMIC_ACQUIRE);
    if (top <= address || top - address > g_stacks[i].size) continue;
    if (found != kNoThread && top >= range->top) continue;
    *range = {top, g_stacks[i].size};
    found = ThreadId{static_cast<std::uint16_t>(i)};
  }
  return found;
}

StackRange stack_of(ThreadId thread) {
  return thread.value < kMaxThreads ? g_stacks[thread.value] : StackRange{};
}

}  // namespace heddle::runtime
