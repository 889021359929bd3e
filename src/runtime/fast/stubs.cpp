// libheddle_fast.a: the access callbacks, linked statically and hidden into every instrumented executable and library,
// so that an access nobody wants costs a direct call, a decrement and a return (docs: fast_state.h).
#define HEDDLE_ACCESS_ENTRY extern "C" __attribute__((visibility("hidden")))
#include "runtime/fast/access_entries.h"
