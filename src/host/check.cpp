// The tool's half of base/check.h: say it and stop, with a core for whoever debugs heddle itself.
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace heddle {

void check_failed(const char* what) {
  std::fprintf(
      stderr,
      "heddle: internal error: this should hold, and does not: %s. Please report it with the "
      "command you gave.\n",
      what);
  std::abort();
}

}  // namespace heddle
