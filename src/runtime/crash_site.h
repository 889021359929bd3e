// Where the program was when it died. The tool sees a signal's number only, and two crashes are not one.
#pragma once

#include <signal.h>

namespace heddle::runtime {

// For signals that the program leaves to the default: notes the place, and lets the default have its way.
void note_crashes();
// An exception is thrown from here: nobody may catch it.
void note_throw(void* caller);
// The handler for them: the program is about to end by the signal.
void end_by(int signal, siginfo_t* info, void* context);

}  // namespace heddle::runtime
