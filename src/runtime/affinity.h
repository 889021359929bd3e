// A controlled run is pinned to one CPU. The program must not notice: it is told of the mask it would have had.
#pragma once

#include <sched.h>

#include <cstddef>

namespace heddle::runtime {

// Pins the calling thread, and with it all threads it creates. Remembers the mask from before.
void pin_to(unsigned cpu);
bool pinned();

// The mask the program believes in, and how it is changed without effect. Sizes are in bytes.
const cpu_set_t& believed_mask();
void set_believed_mask(const cpu_set_t* mask, std::size_t size);

// Gives the calling thread the believed mask for real, and pins it again at the end: around starting another program,
// which inherits it.
class Unpinned {
 public:
  Unpinned();
  ~Unpinned();
  Unpinned(const Unpinned&) = delete;
  Unpinned& operator=(const Unpinned&) = delete;
};

// For good: in a forked child.
void unpin();

}  // namespace heddle::runtime
