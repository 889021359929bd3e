// The controlled engine as entry points see it: one function per primitive, with POSIX's return values.
//
// Called only while runtime::controlled(), from a thread that has control, outside the engine. `caller` is the return
// address in the program. Every function is a scheduling point, does the operation when the thread is scheduled to, and
// preserves errno unless it reports through it.
//
// Principle: what lasts lives in the program's own object (a mutex's owner and count are changed by the real trylock and
// unlock), what waits lives in the engine. So memory reuse, fork and uninstrumented code all see true state.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

#include "contract/event.h"

namespace heddle::controlled {

using Caller = void*;

// threads
int thread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                  void* argument, Caller caller);
int thread_join(pthread_t thread, void** result, Caller caller);
int thread_tryjoin(pthread_t thread, void** result, Caller caller);
int thread_timedjoin(pthread_t thread, void** result, clockid_t clock, const timespec* deadline,
                     Caller caller);
int thread_detach(pthread_t thread, Caller caller);
int thread_cancel(pthread_t thread, Caller caller);
void thread_testcancel();
// As the program does it between pieces of its work.
void thread_poll_cancel(Caller caller);
int set_cancel_state(int state, int* old);
int set_cancel_type(int type, int* old);
// pthread_exit and thrd_exit run the real one; thread end is noticed by a TSD destructor.
void thread_exiting();

// mutexes
int mutex_lock(pthread_mutex_t* mutex, Caller caller);
int mutex_trylock(pthread_mutex_t* mutex, Caller caller);
int mutex_timedlock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                    Caller caller);
int mutex_unlock(pthread_mutex_t* mutex, Caller caller);
int mutex_destroy(pthread_mutex_t* mutex, Caller caller);

int spin_lock(pthread_spinlock_t* lock, Caller caller);
int spin_trylock(pthread_spinlock_t* lock, Caller caller);
int spin_unlock(pthread_spinlock_t* lock, Caller caller);

// The lock of a stdio stream, which its holder may take again.
void stream_lock(FILE* stream, Caller caller);
int stream_trylock(FILE* stream, Caller caller);
void stream_unlock(FILE* stream, Caller caller);
// A thread is about to write to a stream, or to pass on what was written: when it does so may matter, as with a descriptor.
void use_stream(FILE* stream, Caller caller);
void use_standard_output(Caller caller);

// reader-writer locks; deadline null: wait for ever
int rwlock_rdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, Caller caller);
int rwlock_wrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, Caller caller);
int rwlock_tryrdlock(pthread_rwlock_t* lock, Caller caller);
int rwlock_trywrlock(pthread_rwlock_t* lock, Caller caller);
int rwlock_unlock(pthread_rwlock_t* lock, Caller caller);

// condition variables; deadline null: wait for ever. `clock` is what the deadline is measured on: the entry point
// finds it out (pthread_condattr_setclock is in the condvar's own bits, see cond_clock()).
int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
              const timespec* deadline, Caller caller);
int cond_signal(pthread_cond_t* cond, Caller caller);
int cond_broadcast(pthread_cond_t* cond, Caller caller);
int cond_destroy(pthread_cond_t* cond, Caller caller);

int barrier_wait(pthread_barrier_t* barrier, Caller caller);

// semaphores report through errno, as POSIX says; deadline null: wait for ever
int sem_wait(sem_t* semaphore, clockid_t clock, const timespec* deadline, Caller caller);
int sem_trywait(sem_t* semaphore, Caller caller);
int sem_post(sem_t* semaphore, Caller caller);

int once(pthread_once_t* control, void (*routine)(), Caller caller);

// SYS_futex with its six arguments; returns what the system call would (-1 and errno on failure).
long futex(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout,
           std::uint32_t* word2, std::uint32_t value3, Caller caller);

// time. sleep: relative nanoseconds or an absolute deadline on `clock` (flags = TIMER_ABSTIME); `remaining`, if not null, is
// what was left of the former when a handler ended it.
int sleep(clockid_t clock, int flags, const timespec* request, timespec* remaining, Caller caller);
void yield(Caller caller);
// The virtual clock; false if this clock is not virtual (process CPU time): ask the real one.
bool clock_now(clockid_t clock, timespec* now, Caller caller);
// Of the monotonic one: as a reading of it, and for who has no control.
std::uint64_t nanoseconds_now(Caller caller);
std::uint64_t nanoseconds_at_a_glance();
// The same in constructors of libraries: nobody else is there, and who looks again and again waits for time to pass.
bool clock_before_run(clockid_t clock, timespec* now);
void sleep_before_run(clockid_t clock, int flags, const timespec& request);

// memory. before_access is a scheduling point if classification says so; the access follows in the program.
void before_access(const void* address, std::size_t size, EventKind kind, Caller caller);
// Always a scheduling point at level atomics and above. The operation follows at once in the entry point, which then
// calls after_atomic with what was read or written.
void before_atomic(const void* address, std::size_t size, EventKind kind, MemoryOrder order,
                   Caller caller);
void after_atomic(const void* address, std::size_t size, EventKind kind, MemoryOrder order,
                  std::uint64_t value, bool stored);

// heap: reset of the shadow of blocks. By any thread; of one outside control it is told when that comes back, and does not
// come about if it gives the block back before.
void allocated(void* block, std::size_t size);
void given_back(void* block);

// functions that may wait for the world outside. Between the two, other threads run.
void leave_control(const char* call, Caller caller);
void enter_control();
// The same where the program calls us from inside such a call, or after the watchdog took control from it; false if the thread is
// not one of ours.
bool regain_control();
// A thread is about to read from a descriptor or write to it: who does so first may matter.
enum class Transfer : bool { in, out };
void use_descriptor(int descriptor, Transfer transfer, Caller caller);
// The same of what has no descriptor (messages, locks on files, children), by the name of the call.
void use_kernel(const char* call, Caller caller);
// Semaphores of System V's, by the number of the set; `first`: the place in it that the operations begin with.
void use_semaphores(int set, unsigned first, Transfer transfer, Caller caller);
enum class WaitEnd : std::uint8_t { ready, timed_out, interrupted };
// Calls that a handler ends whatever its flags say are those that wait for several descriptors.
enum class WaitsFor : bool { one, any };
// For descriptors: parks the thread inside the engine until poll() says ready (events as in poll), so that threads of one
// process that talk through a pipe or socket stay under control.
WaitEnd wait_for_descriptor(int descriptor, short events, std::int64_t timeout_ns, WaitsFor what,
                            Caller caller);
// A connection to a listener of this machine whose queue is full. `again` tries once more without waiting, in whichever thread
// has control, and is true when it need not be tried again, whatever came of it.
struct RoomAttempt {
  bool (*again)(void* what);
  void* what;
  const sockaddr* address;
  socklen_t length;
};
// Parks the thread until there may be room (it tries again itself), or an attempt on its behalf was the last.
WaitEnd wait_for_room(int descriptor, const RoomAttempt& attempt, std::int64_t timeout_ns,
                      Caller caller);
// Parks the thread until the kernel could carry out these operations on a set that no other process knows of.
struct SemaphoreWait {
  int set;
  const sembuf* operations;
  std::size_t count;
};
// The first of them that would wait now; `count` if none.
std::size_t first_to_wait(const SemaphoreWait& wait);
bool only_ours(int set);
WaitEnd wait_for_semaphores(const SemaphoreWait& wait, std::int64_t timeout_ns, Caller caller);
// A thread has taken a connection from a queue, or closed what may be a listener.
void note_room();
// For a thread that has blocked the signals of the set (its first word, as the kernel knows it): parks it until one of
// them is pending.
WaitEnd wait_for_signal(std::uint64_t set, std::int64_t timeout_ns, Caller caller);
// Parks the thread until a handler has run in it; until then the signals of the mask are blocked, and no others. A cancelled
// thread goes on without.
void wait_for_handler(std::uint64_t mask, Caller caller);

// What the kernel says of a signal that this process sends in that way (SI_USER, SI_TKILL, SI_QUEUE).
siginfo_t signal_info(int signal, int code);
// A signal for another thread, by its handle or by the kernel's number, or for the process. False: the caller has to send it
// itself.
bool send_signal(pthread_t thread, const siginfo_t& info, Caller caller);
bool send_signal_to_thread(pid_t thread, const siginfo_t& info, Caller caller);
bool send_signal_to_process(const siginfo_t& info, Caller caller);

// The program has changed what a signal does.
void note_action(int signal);
// The program is about to become another one; and has not.
void lend_timers_to_kernel();
void take_timers_back();

// A timer of the kernel's calls a function of the program's, or a handler.
void note_unseen_timer();

// process
// The program has started another process; has_children() is true from then on.
void note_child();
// A descriptor went to another process, or came from one.
void note_passed_descriptor();
bool has_children();
void process_exiting(int status, Caller caller);
void process_exited(Caller caller);
enum class ChildMayHaveControl : bool { no, yes };  // passing.h
void before_fork(ChildMayHaveControl passing, Caller caller);
void after_fork_in_parent(int child);
// In the child, inside fork. False: it is on its own.
bool take_control_in_child();
void after_fork_in_child();
bool is_child_in_control();
// One that is on its own has threads.
void note_thread_in_child();
// The program waits for a child's end, and a child that waits to hear of it may take control meanwhile.
bool may_pass_control();
void offer_control();
bool is_waiting_for_child();
// After the wait. False if the child has not ended.
bool take_control_back();

}  // namespace heddle::controlled
