// The memory and string functions behind ours.
#pragma once

namespace heddle::runtime {

// Called once at start. Before it the entry points do their work by hand: they may be called by other libraries while
// nothing here is relocated yet.
void find_real_string_functions();

}  // namespace heddle::runtime
