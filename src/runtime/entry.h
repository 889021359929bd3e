// The primitives that have more than one name in the program: pthread's and C11's functions, and libc's syscall(). Each
// does what the pthread function of that name does, in whichever engine drives the process; `caller` is the site.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

#include <cstddef>

namespace heddle::runtime::entry {

int mutex_lock(pthread_mutex_t* mutex, void* caller);
int mutex_trylock(pthread_mutex_t* mutex, void* caller);
int mutex_timedlock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                    void* caller);
int mutex_unlock(pthread_mutex_t* mutex, void* caller);
int mutex_destroy(pthread_mutex_t* mutex, void* caller);

int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex, void* caller);
int cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* deadline,
                   void* caller);
int cond_signal(pthread_cond_t* cond, void* caller);
int cond_broadcast(pthread_cond_t* cond, void* caller);
int cond_destroy(pthread_cond_t* cond, void* caller);

int once(pthread_once_t* control, void (*routine)(), void* caller);

// Returns 0 or an error number, as clock_nanosleep does. A cancellation point.
int sleep(clockid_t clock, int flags, const timespec* request, timespec* remaining, void* caller);
int yield(void* caller);
// Under control alone: -1 and EINTR when a handler has run. A cancellation point.
int pause(void* caller);
// Returns 0, or -1 and errno.
int clock_read(clockid_t clock, timespec* now, void* caller);

// Processes and threads by the kernel's own numbers. False: it is for the kernel to send the signal, or to say why not.
bool send_signal_to_thread(pid_t process, pid_t thread, const siginfo_t& info, void* caller);
bool send_signal_to_process(pid_t process, const siginfo_t& info, void* caller);

}  // namespace heddle::runtime::entry
