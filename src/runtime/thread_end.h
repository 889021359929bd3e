// Noticing a thread's end however it comes: return, pthread_exit, cancellation.
#pragma once

namespace heddle::runtime {

// Once, at start: the key whose destructor runs when a thread ends.
void make_thread_end_key();
// In a thread of the program under test.
void watch_for_thread_end();

}  // namespace heddle::runtime
