// How the metrics (coverage/) are fed: with what detectors are shown (runtime/detection.h), with calls, and with locks that a
// thread is about to take.
#pragma once

#include "contract/event.h"

namespace heddle::runtime {

extern bool g_covering;  // some metric is on

// Once per run, before its first event. Reads the plan. True: every plain access is needed.
bool begin_coverage();
void end_coverage();

// The same turns as for detectors: one thread at a time.
void cover(const Event& event);

}  // namespace heddle::runtime
