// The little text handling that start-up needs. Plain characters, ends included, no libc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

inline std::size_t text_length(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

inline bool text_equal(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

inline bool text_starts(const char* text, const char* prefix) {
  while (*prefix != '\0') {
    if (*text++ != *prefix++) return false;
  }
  return true;
}

inline bool text_ends(const char* text, const char* suffix) {
  const std::size_t length = text_length(text);
  const std::size_t tail = text_length(suffix);
  return length >= tail && text_equal(text + length - tail, suffix);
}

// Where `part` begins in `text`, or null.
inline const char* find_text(const char* text, const char* part) {
  for (; *text != '\0'; ++text) {
    if (text_starts(text, part)) return text;
  }
  return nullptr;
}

// Reads a decimal number and moves past it. -1 if there is none.
inline std::int64_t take_number(const char*& text) {
  if (*text < '0' || *text > '9') return -1;
  std::int64_t number = 0;
  while (*text >= '0' && *text <= '9') number = number * 10 + (*text++ - '0');
  return number;
}

// Appends within `capacity` (which includes the end mark); what does not fit is dropped.
class TextBuilder {
 public:
  TextBuilder(char* buffer, std::size_t capacity) : buffer_(buffer), capacity_(capacity) {
    if (capacity_ > 0) buffer_[0] = '\0';
  }
  TextBuilder& add(const char* text, std::size_t length) {
    for (std::size_t i = 0; i < length && used_ + 1 < capacity_; ++i) buffer_[used_++] = text[i];
    if (capacity_ > 0) buffer_[used_] = '\0';
    return *this;
  }
  TextBuilder& add(const char* text) { return add(text, text_length(text)); }
  TextBuilder& add(std::uint64_t number) {
    char digits[20];
    std::size_t length = 0;
    do {
      digits[length++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (length > 0) add(&digits[--length], 1);
    return *this;
  }
  std::size_t size() const { return used_; }

 private:
  char* buffer_;
  std::size_t capacity_;
  std::size_t used_ = 0;
};

}  // namespace heddle::runtime
