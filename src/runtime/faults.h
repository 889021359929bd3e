// Faults that heddle takes for itself (ticks.h), whatever handler the program has for SIGSEGV. The program sets and asks for its own
// handler and its mask as if it were alone, and what is not ours goes to that handler. Nothing of this is there in a run that does not
// need it.
#pragma once

#include <signal.h>

#include <cstdint>

namespace heddle::runtime {

// True: it was ours and is dealt with; the thread goes on where `context` says.
using FaultTaker = bool (*)(siginfo_t* info, void* context);

// Before the program has threads. The kernel ends a process that faults while the signal is blocked, so from here on it never is.
void begin_taking_faults(FaultTaker taker);
bool takes_faults();
// In a new thread, which may have been given a mask.
void unblock_faults();

// sigaction() for SIGSEGV meanwhile.
int set_programs_fault_action(const struct sigaction* action, struct sigaction* old);
// What of an action for another signal the kernel may be given.
struct sigaction with_faults_unblocked(const struct sigaction& action);

// The calling thread's mask meanwhile: what of a change the kernel may be given, and what the program is told it was.
sigset_t note_mask(int how, const sigset_t& asked);
bool believes_faults_blocked();
// Of a mask for as long as a call lasts (sigsuspend), as the kernel has it.
std::uint64_t mask_for_call(std::uint64_t asked);

}  // namespace heddle::runtime
