// Output to stdio streams. What a thread writes there others may see, or the world may after the program's end: before it
// does so is a scheduling point, as with write(). Single characters are not: a loop over them would be nothing but points.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/thread.h"

using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(FILE*, const char*, va_list)> real_vfprintf{"vfprintf"};
HEDDLE_REAL Real<int(FILE*, int, const char*, va_list)> real_vfprintf_chk{"__vfprintf_chk"};
HEDDLE_REAL Real<int(const char*, FILE*)> real_fputs{"fputs"};
HEDDLE_REAL Real<int(const char*)> real_puts{"puts"};
HEDDLE_REAL Real<std::size_t(const void*, std::size_t, std::size_t, FILE*)> real_fwrite{"fwrite"};
HEDDLE_REAL Real<int(FILE*)> real_fflush{"fflush"};
HEDDLE_REAL Real<int(FILE*)> real_fclose{"fclose"};

void come_to(FILE* stream, void* caller) {
  if (!g_multithreaded || stream == nullptr || !under_control()) return;
  const int saved = errno;
  controlled::use_stream(stream, caller);
  errno = saved;
}

}  // namespace

HEDDLE_EXPORT int vfprintf(FILE* stream, const char* format, va_list arguments) {
  come_to(stream, HEDDLE_CALLER);
  return real_vfprintf(stream, format, arguments);
}
HEDDLE_EXPORT int vprintf(const char* format, va_list arguments) {
  come_to(stdout, HEDDLE_CALLER);
  return real_vfprintf(stdout, format, arguments);
}
HEDDLE_EXPORT int fprintf(FILE* stream, const char* format, ...) {
  come_to(stream, HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int written = real_vfprintf(stream, format, arguments);
  va_end(arguments);
  return written;
}
HEDDLE_EXPORT int printf(const char* format, ...) {
  come_to(stdout, HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int written = real_vfprintf(stdout, format, arguments);
  va_end(arguments);
  return written;
}

// What -D_FORTIFY_SOURCE makes of the same calls.
HEDDLE_EXPORT int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments) {
  come_to(stream, HEDDLE_CALLER);
  return real_vfprintf_chk(stream, flag, format, arguments);
}
HEDDLE_EXPORT int __vprintf_chk(int flag, const char* format, va_list arguments) {
  come_to(stdout, HEDDLE_CALLER);
  return real_vfprintf_chk(stdout, flag, format, arguments);
}
HEDDLE_EXPORT int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  come_to(stream, HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int written = real_vfprintf_chk(stream, flag, format, arguments);
  va_end(arguments);
  return written;
}
HEDDLE_EXPORT int __printf_chk(int flag, const char* format, ...) {
  come_to(stdout, HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int written = real_vfprintf_chk(stdout, flag, format, arguments);
  va_end(arguments);
  return written;
}

HEDDLE_EXPORT int fputs(const char* text, FILE* stream) {
  come_to(stream, HEDDLE_CALLER);
  return real_fputs(text, stream);
}
HEDDLE_EXPORT int puts(const char* text) {
  come_to(stdout, HEDDLE_CALLER);
  return real_puts(text);
}
HEDDLE_EXPORT std::size_t fwrite(const void* data, std::size_t size, std::size_t count,
                                 FILE* stream) {
  come_to(stream, HEDDLE_CALLER);
  return real_fwrite(data, size, count, stream);
}

// Null means all streams: which one is written to nobody knows.
HEDDLE_EXPORT int fflush(FILE* stream) {
  come_to(stream == nullptr ? stdout : stream, HEDDLE_CALLER);
  return real_fflush(stream);
}
HEDDLE_EXPORT int fclose(FILE* stream) {
  come_to(stream, HEDDLE_CALLER);
  return real_fclose(stream);
}
