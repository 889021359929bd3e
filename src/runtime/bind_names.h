// Functions that modules bind at their first call, bound once in the fork server.
#pragma once

namespace heddle::runtime {

// Each run is a fresh copy of the server, and would look up the same names again. Done as the dynamic linker does it: by
// name and version in the global scope, into the same slot. What it would not find stays as it is.
void bind_lazy_names();

}  // namespace heddle::runtime
