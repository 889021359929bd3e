// How the runtime comes to life, and how it goes quiet again.
#pragma once

namespace heddle::runtime {

// Idempotent; called by whoever is first: our constructor, __tsan_init, __libc_start_main.
void runtime_init();
// False until then: entry points that may be called before relocation do everything by hand.
extern bool g_initialised;

// The process is about to leave through exit, _exit or the end of main. Once.
void process_exiting(int status, void* caller);
// Nothing of the program runs any more: its exit handlers and the destructors of its globals have been, or never will be.
void process_exited();

// In a forked child of the program under test: from here on everything is forwarded.
void become_inactive();

}  // namespace heddle::runtime
