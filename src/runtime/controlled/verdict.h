// When a run ends by our own judgement, and what we say of it.
#pragma once

#include <cstddef>

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// A limit of ours that keeps the program from going on, in a sentence that says what to do: no verdict on the program.
[[noreturn]] void end_at_own_limit(const char* what);

// What is left to do when the outcome has its verdict.
[[noreturn]] void exit_after_verdict();

// The step limit: first a fair tail (a strategy may have starved somebody), then a verdict.
void check_limits(Engine& engine);

// True if every candidate only polls what has not changed. Lets time pass for those that poll the clock, and ends the run as
// a livelock once polling went on long enough with nothing that could bring a change.
bool everybody_polls(Engine& engine);

bool nobody_left(const Engine& engine);

// Nothing can run: whoever waits for a wake-up gets one, the first time, if the plan has it so. False: nobody did.
bool wakes_blocked();

// Nothing can run until a timer of the program's goes off. That may be its own watchdog, which ends it: if threads wait for each
// other's locks in a circle, they do so for good, and are described. False: they do not.
bool note_circle();

// Nothing can run, no timer is pending, nobody is outside: a deadlock, described and final.
[[noreturn]] void judge_blocked();

// Systematic search: how many candidates this point had, and what a switch there means (control block's widths).
void record_width(Engine& engine, const SchedulePoint& point);

// A poll that found nothing new: `key` names what was polled and what was seen. Anything else is progress of the thread.
void note_poll(Task& task, std::uint64_t key, std::uint64_t state = 0);
void note_progress(Task& task);

}  // namespace heddle::controlled
