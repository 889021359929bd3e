// memcpy and its kin: what they read and write are accesses of the program (gcc and clang 14 copy aggregates with them).
// Report the ranges, then the real function. This file defines the names that the compiler calls by itself: built with
// HEDDLE_DEFINES_BUILTINS.
#include "runtime/interpose_string.h"

#include <cstddef>

#include "runtime/fast/access.h"
#include "runtime/identity.h"
#include "runtime/platform/export.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/real.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

using Size = std::size_t;

// Plain pointers, not Real: null means "too early, do it by hand", and looking one up is not possible then.
void* (*g_memcpy)(void*, const void*, Size) = nullptr;
void* (*g_memmove)(void*, const void*, Size) = nullptr;
void* (*g_memset)(void*, int, Size) = nullptr;
int (*g_memcmp)(const void*, const void*, Size) = nullptr;
Size (*g_strlen)(const char*) = nullptr;
int (*g_strcmp)(const char*, const char*) = nullptr;
int (*g_strncmp)(const char*, const char*, Size) = nullptr;
char* (*g_strcpy)(char*, const char*) = nullptr;
char* (*g_stpcpy)(char*, const char*) = nullptr;
char* (*g_strncpy)(char*, const char*, Size) = nullptr;
char* (*g_strcat)(char*, const char*) = nullptr;
char* (*g_strncat)(char*, const char*, Size) = nullptr;
char* (*g_strdup)(const char*) = nullptr;
char* (*g_strndup)(const char*, Size) = nullptr;
void (*g_chk_fail)() = nullptr;
bool g_found = false;

template <class Function>
void find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(find_real(name, nullptr));
}

Size length_by_hand(const char* text) {
  Size length = 0;
  while (text[length] != '\0') ++length;
  return length;
}
Size length_within(const char* text, Size most) {
  Size length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}
Size length_of(const char* text) { return g_found ? g_strlen(text) : length_by_hand(text); }

// How far a comparison reads: past the first difference or the end, at most `most`.
Size compared(const char* a, const char* b, Size most) {
  Size at = 0;
  while (at < most && a[at] == b[at] && a[at] != '\0') ++at;
  return at < most ? at + 1 : most;
}
int compare_by_hand(const char* a, const char* b, Size most) {
  const Size size = compared(a, b, most);
  if (size == 0) return 0;
  return static_cast<unsigned char>(a[size - 1]) - static_cast<unsigned char>(b[size - 1]);
}

// The strings' own lengths cost a pass over them: only when somebody will look.
bool watched() { return g_found && heddle_fast_state_v6.skip <= 0; }

void reads(const void* address, Size size, void* caller) {
  access_range(address, size, EventKind::read_range, caller);
}
void writes(const void* address, Size size, void* caller) {
  access_range(address, size, EventKind::write_range, caller);
}

void require(bool fits) {
  if (!fits && g_chk_fail != nullptr) g_chk_fail();
}

}  // namespace

void find_real_string_functions() {
  find(g_memcpy, "memcpy");
  find(g_memmove, "memmove");
  find(g_memset, "memset");
  find(g_memcmp, "memcmp");
  find(g_strlen, "strlen");
  find(g_strcmp, "strcmp");
  find(g_strncmp, "strncmp");
  find(g_strcpy, "strcpy");
  find(g_stpcpy, "stpcpy");
  find(g_strncpy, "strncpy");
  find(g_strcat, "strcat");
  find(g_strncat, "strncat");
  find(g_strdup, "strdup");
  find(g_strndup, "strndup");
  find(g_chk_fail, "__chk_fail");
  g_found = true;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;
using std::size_t;

HEDDLE_EXPORT void* memcpy(void* to, const void* from, size_t size) {
  if (!g_found) return heddle_raw_memcpy(to, from, size);
  reads(from, size, HEDDLE_CALLER);
  writes(to, size, HEDDLE_CALLER);
  return g_memcpy(to, from, size);
}
HEDDLE_EXPORT void* memmove(void* to, const void* from, size_t size) {
  if (!g_found) return heddle_raw_memmove(to, from, size);
  reads(from, size, HEDDLE_CALLER);
  writes(to, size, HEDDLE_CALLER);
  return g_memmove(to, from, size);
}
HEDDLE_EXPORT void* memset(void* to, int byte, size_t size) {
  if (!g_found) return heddle_raw_memset(to, byte, size);
  writes(to, size, HEDDLE_CALLER);
  return g_memset(to, byte, size);
}
HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t size) {
  if (!g_found) return heddle_raw_memcmp(a, b, size);
  reads(a, size, HEDDLE_CALLER);
  reads(b, size, HEDDLE_CALLER);
  return g_memcmp(a, b, size);
}

// The checked forms of _FORTIFY_SOURCE.
HEDDLE_EXPORT void* __memcpy_chk(void* to, const void* from, size_t size, size_t room) {
  require(size <= room);
  if (!g_found) return heddle_raw_memcpy(to, from, size);
  reads(from, size, HEDDLE_CALLER);
  writes(to, size, HEDDLE_CALLER);
  return g_memcpy(to, from, size);
}
HEDDLE_EXPORT void* __memmove_chk(void* to, const void* from, size_t size, size_t room) {
  require(size <= room);
  if (!g_found) return heddle_raw_memmove(to, from, size);
  reads(from, size, HEDDLE_CALLER);
  writes(to, size, HEDDLE_CALLER);
  return g_memmove(to, from, size);
}
HEDDLE_EXPORT void* __memset_chk(void* to, int byte, size_t size, size_t room) {
  require(size <= room);
  if (!g_found) return heddle_raw_memset(to, byte, size);
  writes(to, size, HEDDLE_CALLER);
  return g_memset(to, byte, size);
}

HEDDLE_EXPORT size_t strlen(const char* text) {
  if (!g_found) return length_by_hand(text);
  if (watched()) reads(text, g_strlen(text) + 1, HEDDLE_CALLER);
  return g_strlen(text);
}
HEDDLE_EXPORT int strcmp(const char* a, const char* b) {
  if (!g_found) return compare_by_hand(a, b, ~size_t{0});
  if (watched()) {
    const size_t size = compared(a, b, ~size_t{0});
    reads(a, size, HEDDLE_CALLER);
    reads(b, size, HEDDLE_CALLER);
  }
  return g_strcmp(a, b);
}
HEDDLE_EXPORT int strncmp(const char* a, const char* b, size_t most) {
  if (!g_found) return compare_by_hand(a, b, most);
  if (watched()) {
    const size_t size = compared(a, b, most);
    reads(a, size, HEDDLE_CALLER);
    reads(b, size, HEDDLE_CALLER);
  }
  return g_strncmp(a, b, most);
}

HEDDLE_EXPORT char* strcpy(char* to, const char* from) {
  if (!g_found) {
    heddle_raw_memcpy(to, from, length_by_hand(from) + 1);
    return to;
  }
  if (watched()) {
    const size_t size = length_of(from) + 1;
    reads(from, size, HEDDLE_CALLER);
    writes(to, size, HEDDLE_CALLER);
  }
  return g_strcpy(to, from);
}
HEDDLE_EXPORT char* stpcpy(char* to, const char* from) {
  if (!g_found) {
    const size_t length = length_by_hand(from);
    heddle_raw_memcpy(to, from, length + 1);
    return to + length;
  }
  if (watched()) {
    const size_t length = length_of(from);
    reads(from, length + 1, HEDDLE_CALLER);
    writes(to, length + 1, HEDDLE_CALLER);
  }
  return g_stpcpy(to, from);
}
HEDDLE_EXPORT char* strncpy(char* to, const char* from, size_t size) {
  if (!g_found) {
    const size_t length = length_within(from, size);
    heddle_raw_memcpy(to, from, length);
    heddle_raw_memset(to + length, 0, size - length);
    return to;
  }
  if (watched()) {
    const size_t read = length_within(from, size);
    reads(from, read < size ? read + 1 : size, HEDDLE_CALLER);
    writes(to, size, HEDDLE_CALLER);
  }
  return g_strncpy(to, from, size);
}
HEDDLE_EXPORT char* strcat(char* to, const char* from) {
  if (!g_found) {
    heddle_raw_memcpy(to + length_by_hand(to), from, length_by_hand(from) + 1);
    return to;
  }
  if (watched()) {
    const size_t size = length_of(from) + 1;
    const size_t before = length_of(to);
    reads(to, before + 1, HEDDLE_CALLER);
    reads(from, size, HEDDLE_CALLER);
    writes(to + before, size, HEDDLE_CALLER);
  }
  return g_strcat(to, from);
}
HEDDLE_EXPORT char* strncat(char* to, const char* from, size_t most) {
  if (!g_found) {
    const size_t size = length_within(from, most);
    char* const end = to + length_by_hand(to);
    heddle_raw_memcpy(end, from, size);
    end[size] = '\0';
    return to;
  }
  if (watched()) {
    const size_t size = length_within(from, most);
    const size_t before = length_of(to);
    reads(to, before + 1, HEDDLE_CALLER);
    reads(from, size < most ? size + 1 : most, HEDDLE_CALLER);
    writes(to + before, size + 1, HEDDLE_CALLER);
  }
  return g_strncat(to, from, most);
}

// The block is the caller's, not libc's.
HEDDLE_EXPORT char* strdup(const char* text) {
  if (!g_found) find_real_string_functions();
  if (watched()) reads(text, length_of(text) + 1, HEDDLE_CALLER);
  if (g_note_heap && current_thread().allocation_caller == nullptr) {
    current_thread().allocation_caller = HEDDLE_CALLER;
  }
  return g_strdup(text);
}
HEDDLE_EXPORT char* strndup(const char* text, size_t most) {
  if (!g_found) find_real_string_functions();
  if (watched()) reads(text, length_within(text, most), HEDDLE_CALLER);
  if (g_note_heap && current_thread().allocation_caller == nullptr) {
    current_thread().allocation_caller = HEDDLE_CALLER;
  }
  return g_strndup(text, most);
}
