// What the world or the user got wrong: a sentence that says what to do next, and the exit status
// that goes with it. Our own mistakes are check() (base/check.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace heddle {

// The tool's exit statuses: a contract with users (docs, DESIGN A2).
enum ExitStatus : int {
  kExitNothingFound = 0,
  kExitFailureFound = 1,
  kExitBadUsage = 2,  // or a program that cannot be started
  kExitInconclusive = 3,
  kExitUnsupported = 77,
};

struct Error {
  std::string sentence;  // complete, ends in a full stop, says what to do
  int exit_status = kExitBadUsage;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    check(ok(), "value() is asked of a Result that holds one");
    return std::get<0>(state_);
  }
  const T& value() const& {
    check(ok(), "value() is asked of a Result that holds one");
    return std::get<0>(state_);
  }
  T&& value() && {
    check(ok(), "value() is asked of a Result that holds one");
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    check(!ok(), "error() is asked of a Result that failed");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    check(!ok(), "error() is asked of a Result that failed");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace heddle
