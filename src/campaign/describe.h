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

// "SIGSEGV", or "signal 42".
std::string signal_text(int signal);

// "deadlock", "lost wake-up" …: what to call a run that cannot go on.
std::string_view blocked_title(const RunOutcome& outcome);

// "mutex", "condition variable", … for what a thread waits in.
std::string_view waiting_for(EventKind kind);

}  // namespace heddle::campaign
