// What check() does inside the program: the sentence goes to the tool, the run ends.
#include "base/check.h"

#include "runtime/mode.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

namespace heddle {

void check_failed(const char* what) {
  using namespace runtime;
  if (g_control != nullptr) {
    RunOutcome& outcome = g_control->outcome;
    TextBuilder(outcome.internal_error, sizeof outcome.internal_error).add(what);
    outcome.verdict = Verdict::internal_error;
  }
  char line[320];
  TextBuilder text(line, sizeof line);
  text.add("heddle: internal error in the runtime: this should hold: ").add(what).add("\n");
  raw_write_all(2, line, text.size());
  constexpr int kSoftwareError = 70;  // EX_SOFTWARE
  raw_exit(kSoftwareError);
}

}  // namespace heddle
