// A campaign's own memory as bytes, for the store: written and read by the same build of the tool, checked on reading.
// What another build wrote is not understood and counts as nothing.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/hash.h"
#include "contract/control_block.h"

namespace heddle::campaign {

// Whatever changes the meaning of the bytes changes this.
inline std::uint64_t state_format() {
  constexpr std::uint64_t kLayout = 3;
  std::uint64_t hash = combine(kLayout, kControlVersion);
  hash = combine(hash, sizeof(RunOutcome));
  return hash_bytes(HEDDLE_VERSION, sizeof HEDDLE_VERSION, hash);
}

class StateWriter {
 public:
  StateWriter() { put(state_format()); }

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::uint64_t{values.size()});
    const std::size_t at = bytes_.size();
    bytes_.resize(at + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes_.data() + at, values.data(), values.size() * sizeof(T));
  }
  void text(std::string_view value) { list(std::vector<char>(value.begin(), value.end())); }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Past the end, or after anything that does not fit, every answer is empty and ok() false.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {
    if (get<std::uint64_t>() != state_format()) fail();
  }

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (rest_.size() < sizeof value) {
      fail();
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> list() {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) {
      fail();
      return {};
    }
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return values;
  }
  std::string text() {
    const std::vector<char> value = list<char>();
    return {value.begin(), value.end()};
  }

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace heddle::campaign
