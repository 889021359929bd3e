// The next definition of a symbol we interpose: libc's own, or another interposer's behind us.
#pragma once

#include <dlfcn.h>

#include <cstddef>

namespace heddle::runtime {

// Looks `name` up behind us (RTLD_NEXT), with `version` if given. Null if nobody has it. Safe from any thread; does not
// disturb errno. Allocation by dlsym itself is served from a static buffer (interpose_heap.cpp).
void* find_real(const char* name, const char* version);

template <class Signature>
class Real;

// constinit Real<int(pthread_mutex_t*)> real_lock{"pthread_mutex_lock"};
template <class Result, class... Arguments>
class Real<Result(Arguments...)> {
 public:
  using Function = Result (*)(Arguments...);

  constexpr explicit Real(const char* name, const char* version = nullptr)
      : name_(name), version_(version) {}

  Result operator()(Arguments... arguments) { return function()(arguments...); }

  Function function() {
    Function known = __atomic_load_n(&function_, __ATOMIC_RELAXED);
    if (known == nullptr) [[unlikely]] {
      known = reinterpret_cast<Function>(find_real(name_, version_));
      __atomic_store_n(&function_, known, __ATOMIC_RELAXED);
    }
    return known;
  }
  bool exists() { return function() != nullptr; }

 private:
  const char* name_;
  const char* version_;
  Function function_ = nullptr;
};

// Condition variables have an older version under the same name: always ask for this one.
inline constexpr const char* kCondVersion = "GLIBC_2.3.2";

}  // namespace heddle::runtime
