// check(): our own mistakes, on in release builds. The world's and the user's mistakes are a Result (host/result.h).
#pragma once

namespace heddle {

// Defined once per world: the tool prints and aborts (host/check.cpp); the runtime records the sentence
// for the tool and ends the run (runtime/check.cpp).
[[noreturn]] void check_failed(const char* what);

inline void check(bool condition, const char* what_should_hold) {
  if (!condition) [[unlikely]] {
    check_failed(what_should_hold);
  }
}

}  // namespace heddle
