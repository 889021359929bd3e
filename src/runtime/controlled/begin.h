// Where a controlled run starts: called once, in the run's own process, before main and before the program's static
// constructors. The main thread is registered, the plan is in the control block, nothing of the program runs yet.
#pragma once

namespace heddle::controlled {

// In the fork server, before any run: memory that every run needs. Also safe to leave out.
void prepare();

void begin_run();

}  // namespace heddle::controlled
