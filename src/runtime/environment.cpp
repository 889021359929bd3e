#include "runtime/environment.h"

#include <cstdint>

#include "runtime/platform/memory.h"
#include "runtime/platform/text.h"

namespace heddle::runtime {
namespace {

constexpr const char* kRunMark = "{run}";

bool is_entry(const char* entry, const char* name) {
  return text_starts(entry, name) && entry[text_length(name)] == '=';
}

}  // namespace

char* find_variable(char** environment, const char* name) {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (is_entry(*environment, name)) return *environment + text_length(name) + 1;
  }
  return nullptr;
}

void remove_variable(char** environment, const char* name) {
  if (environment == nullptr) return;
  char** kept = environment;
  char** next = environment;
  for (; *next != nullptr; ++next) {
    if (!is_entry(*next, name)) *kept++ = *next;
  }
  for (; kept != next; ++kept) *kept = nullptr;
}

bool set_variable(char** environment, const char* name, char* whole_entry, bool room) {
  char** at = environment;
  for (; *at != nullptr; ++at) {
    if (is_entry(*at, name)) {
      *at = whole_entry;
      return true;
    }
  }
  if (!room) return false;
  at[0] = whole_entry;
  at[1] = nullptr;
  return true;
}

bool remove_from_list(char* list, const char* library) {
  const std::size_t length = text_length(library);
  char* kept = list;
  for (char* at = list; *at != '\0';) {
    char* end = at;
    while (*end != '\0' && *end != ':' && *end != ' ') ++end;
    const bool is_it = static_cast<std::size_t>(end - at) == length && text_starts(at, library);
    const char* const next = *end == '\0' ? end : end + 1;
    if (!is_it && end != at) {
      if (kept != list) *kept++ = ':';
      while (at != end) *kept++ = *at++;
    }
    at = const_cast<char*>(next);
  }
  *kept = '\0';
  return kept == list;
}

char* with_run_number(char* text, unsigned long run) {
  if (find_text(text, kRunMark) == nullptr) return text;
  const std::size_t capacity =
      text_length(text) * 4 + 24;  // a number has at most 20 digits, the mark 5
  char* const fresh = static_cast<char*>(allocate_forever(capacity));
  if (fresh == nullptr) return text;
  TextBuilder builder(fresh, capacity);
  const char* at = text;
  while (const char* mark = find_text(at, kRunMark)) {
    builder.add(at, static_cast<std::size_t>(mark - at)).add(std::uint64_t{run});
    at = mark + text_length(kRunMark);
  }
  builder.add(at);
  return fresh;
}

}  // namespace heddle::runtime
