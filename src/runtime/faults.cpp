#include "runtime/faults.h"

#include <errno.h>
#include <ucontext.h>

#include "runtime/crash_site.h"
#include "runtime/mode.h"
#include "runtime/own_handlers.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

HEDDLE_REAL Real<int(int, const struct sigaction*, struct sigaction*)> real_sigaction{"sigaction"};

constexpr std::uint64_t kFault = std::uint64_t{1} << (SIGSEGV - 1);
constexpr int kLastSignal = 64;

FaultTaker g_taker = nullptr;
struct sigaction g_programs {};  // its action for SIGSEGV

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

bool is_debugged() {
  return g_control != nullptr && (g_control->plan.flags & kPlanStopAtFailure) != 0;
}

bool is_ignored(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
}

// The kernel takes the word of a mask that begins a sigset_t.
void block(const sigset_t& mask) {
  const std::uint64_t word = mask.__val[0] & ~kFault;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, as_word(&word), 0, sizeof word);
}

// As the kernel would. Our return restores the mask.
void call_programs_handler(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = g_programs;
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) g_programs = {};
  block(action.sa_mask);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  if (g_taker(info, context)) {
    errno = saved;
    return;
  }
  const bool was_sent = info->si_code <= 0;
  if (is_ignored(g_programs) && was_sent) return;
  if (is_default(g_programs) || is_ignored(g_programs)) {
    if (is_debugged()) raise(SIGTRAP);  // which lets SIGSEGV pass
    end_by(signal, info, context);
  } else {
    call_programs_handler(signal, info, context);
  }
}

}  // namespace

void begin_taking_faults(FaultTaker taker) {
  g_taker = taker;
  withdraw_own_handler(SIGSEGV);
  real_sigaction(SIGSEGV, nullptr, &g_programs);
  const struct sigaction none {};
  real_sigaction(SIGSEGV, &none, nullptr);
  // One may come while another is dealt with: its handler may be a place where the thread waits for its turn.
  install_own_handler(SIGSEGV, on_fault, SA_ONSTACK | SA_NODEFER,
                      WhileHandling::block_nothing_else);
  for (int signal = 1; signal <= kLastSignal; ++signal) {
    struct sigaction action {};
    if (signal == SIGSEGV || real_sigaction(signal, nullptr, &action) != 0) continue;
    if ((action.sa_mask.__val[0] & kFault) == 0) continue;
    const struct sigaction changed = with_faults_unblocked(action);
    real_sigaction(signal, &changed, nullptr);
  }
  unblock_faults();
}

bool takes_faults() { return __builtin_expect(g_taker != nullptr, 0); }

void unblock_faults() {
  std::uint64_t before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, as_word(&kFault), as_word(&before), sizeof before);
  if ((before & kFault) != 0) current_thread().believes_faults_blocked = true;
}

int set_programs_fault_action(const struct sigaction* action, struct sigaction* old) {
  const struct sigaction before = g_programs;
  if (action != nullptr) g_programs = *action;
  if (old != nullptr) *old = before;
  return 0;
}

struct sigaction with_faults_unblocked(const struct sigaction& action) {
  struct sigaction result = action;
  result.sa_mask.__val[0] &= ~kFault;
  return result;
}

sigset_t note_mask(int how, const sigset_t& asked) {
  const bool named = (asked.__val[0] & kFault) != 0;
  bool& believed = current_thread().believes_faults_blocked;
  if (how == SIG_SETMASK) {
    believed = named;
  } else if (named) {
    believed = how == SIG_BLOCK;
  }
  sigset_t result = asked;
  result.__val[0] &= ~kFault;
  return result;
}

std::uint64_t mask_for_call(std::uint64_t asked) {
  return takes_faults() ? asked & ~kFault : asked;
}

bool believes_faults_blocked() { return current_thread().believes_faults_blocked; }

}  // namespace heddle::runtime
