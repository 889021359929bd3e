// Signal handlers of ours, for signals that the program leaves to the default. It does not see them: asked for its handler
// it hears "default", and the first handler it sets takes the place of ours.
#pragma once

#include <signal.h>

namespace heddle::runtime {

using OwnHandler = void (*)(int, siginfo_t*, void*);

enum class WhileHandling { block_nothing_else, block_everything };

// Nothing if the program has a handler for the signal or ignores it.
void install_own_handler(int signal, OwnHandler handler, int flags, WhileHandling mask);
// Back to the default, if ours is installed.
void withdraw_own_handler(int signal);

}  // namespace heddle::runtime
