// What was wrong with a run, in a line for people and as a signature that is the same whenever the same thing goes wrong.
#pragma once

#include <string>
#include <string_view>

#include "campaign/failure.h"
#include "campaign/oracle.h"
#include "campaign/site_names.h"

namespace heddle::campaign {

Judgement describe(const RunRecord& record, const RunCapture& capture, const Suspicion& suspicion,
                   SiteNames& sites);

// Of a run that ended in a deadlock.
Judgement describe_blocked(const RunOutcome& outcome, SiteNames& sites);

// "SIGSEGV", or "signal 42".
std::string signal_text(int signal);

// "deadlock", "lost wake-up" …: what to call a run that cannot go on.
std::string_view blocked_title(const RunOutcome& outcome);

// "the wake-up in notify queue.cpp:7 came before it waited"; empty if none was lost. `by`: "in notify queue.cpp:7".
std::string lost_wakeup_text(LostWakeup lost, std::string_view by);

// "mutex", "condition variable", "pipe", … for what a thread waits for.
std::string_view waiting_for(const BlockedThread& thread);

}  // namespace heddle::campaign
