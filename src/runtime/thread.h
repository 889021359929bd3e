// What the runtime knows of the calling thread. Lives in static TLS; reachable before main and in signal handlers.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>

#include "base/prng.h"
#include "contract/ids.h"

namespace heddle::runtime {

struct ThreadState {
  ThreadId id;             // kNoThread until registered
  std::uint16_t children;  // threads created so far: the next child's number
  bool registered;
  bool in_runtime;   // inside us: entry points forward to the real function (see InRuntime)
  bool exempt;       // not a program thread, or too many threads: never controlled
  bool has_control;  // controlled engine: the one thread that runs
  bool outside;      // controlled engine: left control for a call that may wait for the world
  bool believes_faults_blocked;  // faults.h
  std::uint64_t path_hash;       // (parent's path, n-th child)
  std::uint64_t event_count;     // of this thread (free engine: Event::step)
  std::uint64_t stack_top;       // highest address of its stack, exclusive
  std::uint64_t stack_size;
  void* creation_caller;    // set by std::thread around pthread_create, likewise
  void* futex_caller;       // set by futures and guards around their system calls, likewise
  SiteId thrown_at;         // where it last threw an exception
  void* allocation_caller;  // set by operator new around malloc, so that the site is the program's
  pid_t tid;
  Prng prng;         // seeded from the run's seed and path_hash (free engine, noise)
  void* controlled;  // the controlled engine's own record of this thread
};

extern constinit thread_local ThreadState t_thread;

// The calling thread's, as it is: for code that may run before or outside a run.
inline ThreadState& current_thread() { return t_thread; }

// Gives an identity to a thread that nobody announced (created by clone or by an unseen library): never controlled,
// no id, but its noise is its own.
void register_stranger(ThreadState& thread);

// The calling thread's; registers a thread that nobody announced. Only while a run is on.
inline ThreadState& self() {
  ThreadState& thread = t_thread;
  if (!thread.registered) [[unlikely]]
    register_stranger(thread);
  return thread;
}

// Marks a stretch of our own work, so that libc functions we call are not taken for the program's.
class InRuntime {
 public:
  explicit InRuntime(ThreadState& thread) : thread_(thread), before_(thread.in_runtime) {
    thread_.in_runtime = true;
  }
  ~InRuntime() { thread_.in_runtime = before_; }
  InRuntime(const InRuntime&) = delete;
  InRuntime& operator=(const InRuntime&) = delete;

 private:
  ThreadState& thread_;
  bool before_;
};

// Called by pthread_create's entry point (both engines): gives the child its identity before it exists. The record in the
// control block is filled; returns kNoThread when there are more than kMaxThreads (the child is then exempt in the
// controlled engine and unnamed in the free one).
ThreadId announce_child(ThreadState& parent, void* start_routine, void* create_caller,
                        std::uint64_t* path_hash);
// Called first thing in a new thread.
void register_thread(ThreadId id, std::uint64_t path_hash);

// The main thread of a run; `stack_end` is where its stack begins. Forgets whatever was registered before.
void register_main_thread(const void* stack_end);

// Called last in a thread (both engines): its stack is no object of ours any more.
void thread_ended(ThreadState& thread);

// So that the tool can name main()'s own variables.
void note_main_frame(std::uint64_t frame);

// True from the first pthread_create of the run on.
extern bool g_multithreaded;

// Threads created in this run, main included; those past kMaxThreads are counted too.
std::uint32_t thread_count();
// So many numbers are taken, by another process of the run as well.
void skip_thread_numbers(std::uint32_t count);

// Whose stack holds the address: nearest top above it. Null if nobody's.
struct StackRange {
  std::uint64_t top;  // 0: unused
  std::uint64_t size;
};
ThreadId find_stack(std::uint64_t address, StackRange* range);
StackRange stack_of(ThreadId thread);

}  // namespace heddle::runtime
