// Our own variables, as a fork server wants them.
#pragma once

namespace heddle::runtime {

// Puts anonymous memory in the place of the file's pages, zero pages left out. Variables keep their addresses and values. Once, in a
// process with one thread.
void make_own_data_anonymous();

}  // namespace heddle::runtime
