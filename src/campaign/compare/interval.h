// How sure a measured rate is.
#pragma once

#include <cstdint>

namespace heddle::campaign {

struct Interval {
  double low = 0;
  double high = 1;
};

// Wilson's interval for `hits` of `tries`, at 95 %: right also where none or all were hits, unlike the plain normal one.
Interval wilson_95(std::uint64_t hits, std::uint64_t tries);

}  // namespace heddle::campaign
