// The next definition of a symbol we interpose: libc's own, or another interposer's behind us.
#pragma once

#include <dlfcn.h>

#include <cstddef>

namespace heddle::runtime {

// Looks `name` up behind us (RTLD_NEXT), with `version` if given. Null if nobody has it. Safe from any thread; does not
// disturb errno. Allocation by dlsym itself is served from a static buffer (interpose_heap.cpp).
void* find_real(const char* name, const char* version);

// What every Real is to those who know no signature. Aligned so that a section full of them is an array.
struct alignas(32) RealName {
  const char* name;
  const char* version;
  void* function = nullptr;

  void* find() {
    void* known = __atomic_load_n(&function, __ATOMIC_RELAXED);
    if (known == nullptr) [[unlikely]] {
      known = find_real(name, version);
      __atomic_store_n(&function, known, __ATOMIC_RELAXED);
    }
    return known;
  }
};

// Looks up all that is defined with HEDDLE_REAL: once in the fork server instead of in each of its children.
void find_all_real();

template <class Signature>
class Real;

// HEDDLE_REAL Real<int(pthread_mutex_t*)> real_lock{"pthread_mutex_lock"};
#define HEDDLE_REAL __attribute__((section("heddle_real"))) constinit

template <class Result, class... Arguments>
class Real<Result(Arguments...)> {
 public:
  using Function = Result (*)(Arguments...);

  constexpr explicit Real(const char* name, const char* version = nullptr) : real_{name, version} {}

  Result operator()(Arguments... arguments) { return function()(arguments...); }

  Function function() { return reinterpret_cast<Function>(real_.find()); }
  bool exists() { return function() != nullptr; }

 private:
  RealName real_;
};

// Condition variables have an older version under the same name: always ask for this one.
inline constexpr const char* kCondVersion = "GLIBC_2.3.2";

}  // namespace heddle::runtime
