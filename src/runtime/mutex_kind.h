// What glibc keeps of a mutex's type, as far as detectors need it.
#pragma once

#include <pthread.h>

namespace heddle::runtime {

// A robust mutex may be held by a thread that has ended.
inline bool is_robust(const pthread_mutex_t& mutex) {
  constexpr int kRobust = 16;
  return (mutex.__data.__kind & kRobust) != 0;
}

// Of no special kind: it is taken where its word is 0, and nothing else is asked.
inline bool is_plain(const pthread_mutex_t& mutex) {
  constexpr int kKind = 127;
  return (mutex.__data.__kind & kKind) == PTHREAD_MUTEX_NORMAL;
}

// It refuses to be unlocked by a thread that does not hold it, and says so.
inline bool checks_owner(const pthread_mutex_t& mutex) {
  constexpr int kType = 3;
  const int type = mutex.__data.__kind & kType;
  return is_robust(mutex) || type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

}  // namespace heddle::runtime
