// The calling thread's signal mask: the program's own affair, but for a signal that heddle needs itself in some runs.
#include <signal.h>

#include "runtime/faults.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {
namespace {

HEDDLE_REAL Real<int(int, const sigset_t*, sigset_t*)> real_sigmask{"pthread_sigmask"};
HEDDLE_REAL Real<int(int, const sigset_t*, sigset_t*)> real_sigprocmask{"sigprocmask"};

template <class Change>
int change_mask(Change& change, int how, const sigset_t* asked, sigset_t* before) {
  if (!takes_faults()) return change(how, asked, before);
  const bool believed = believes_faults_blocked();
  const sigset_t allowed = asked != nullptr ? note_mask(how, *asked) : sigset_t{};
  const int result = change(how, asked != nullptr ? &allowed : nullptr, before);
  if (result == 0 && before != nullptr && believed) sigaddset(before, SIGSEGV);
  return result;
}

}  // namespace
}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* asked, sigset_t* before) noexcept {
  return heddle::runtime::change_mask(heddle::runtime::real_sigmask, how, asked, before);
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* asked, sigset_t* before) noexcept {
  return heddle::runtime::change_mask(heddle::runtime::real_sigprocmask, how, asked, before);
}
