// Lines and blocks to and from stdio streams. What a thread writes there others may see, or the world may after the program's
// end: before it does so is a scheduling point, as with write(). Who reads waits for more in the engine, and knows what was done
// before that was written. Single characters are left out: a loop over them would be nothing but points.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/blocking.h"
#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/random_bytes.h"
#include "runtime/thread.h"

using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(FILE*, const char*, va_list)> real_vfprintf{"vfprintf"};
HEDDLE_REAL Real<int(FILE*, int, const char*, va_list)> real_vfprintf_chk{"__vfprintf_chk"};
HEDDLE_REAL Real<int(const char*, va_list)> real_vprintf{"vprintf"};
HEDDLE_REAL Real<int(int, const char*, va_list)> real_vprintf_chk{"__vprintf_chk"};
HEDDLE_REAL Real<int(const char*, FILE*)> real_fputs{"fputs"};
HEDDLE_REAL Real<int(const char*)> real_puts{"puts"};
HEDDLE_REAL Real<std::size_t(const void*, std::size_t, std::size_t, FILE*)> real_fwrite{"fwrite"};
HEDDLE_REAL Real<int(FILE*)> real_fflush{"fflush"};
HEDDLE_REAL Real<int(FILE*)> real_fclose{"fclose"};

HEDDLE_REAL Real<char*(char*, int, FILE*)> real_fgets{"fgets"};
HEDDLE_REAL Real<char*(char*, std::size_t, int, FILE*)> real_fgets_chk{"__fgets_chk"};
HEDDLE_REAL Real<std::size_t(void*, std::size_t, std::size_t, FILE*)> real_fread{"fread"};
HEDDLE_REAL Real<std::size_t(void*, std::size_t, std::size_t, std::size_t, FILE*)> real_fread_chk{
    "__fread_chk"};
HEDDLE_REAL Real<ssize_t(char**, std::size_t*, int, FILE*)> real_getdelim{"getdelim"};

// One with a descriptor, whose lines may go to another thread.
bool leads_outside(const FILE* stream) {
  return g_multithreaded && stream != nullptr && stream->_fileno >= 0;
}

void come_to(FILE* stream, void* caller) {
  if (!g_multithreaded || stream == nullptr) return;
  const int saved = errno;
  if (under_control()) controlled::use_stream(stream, caller);
  if (g_detecting && leads_outside(stream)) {
    show_descriptor_written({stream->_fileno, POLLOUT, "fprintf", caller});
  }
  errno = saved;
}

// What printf means is libc's to know: the program may change it.
void come_to_output(void* caller) {
  if (!g_multithreaded) return;
  const int saved = errno;
  if (under_control()) controlled::use_standard_output(caller);
  if (g_detecting) show_descriptor_written({STDOUT_FILENO, POLLOUT, "printf", caller});
  errno = saved;
}

template <class Call>
auto read_from(FILE* stream, void* caller, Call&& call) -> decltype(call()) {
  if (!leads_outside(stream)) return call();
  const DescriptorUse use{stream->_fileno, POLLIN, "fgets", caller};
  const bool has_some = stream->_IO_read_ptr < stream->_IO_read_end;
  if (!has_some && under_control()) wait_until_ready(use);
  const auto result = call();
  if (g_detecting) show_descriptor_read(use);
  return result;
}

// `read` returns how many pieces of `size` bytes have come.
template <class Read>
std::size_t with_random_pinned(void* data, std::size_t size, const FILE* stream, Read&& read) {
  const std::size_t count = read();
  if (stream != nullptr && stream->_fileno >= 0) pin_if_random(stream->_fileno, data, size * count);
  return count;
}

}  // namespace

HEDDLE_EXPORT int vfprintf(FILE* stream, const char* format, va_list arguments) {
  come_to(stream, HEDDLE_CALLER);
  return real_vfprintf(stream, format, arguments);
}
HEDDLE_EXPORT int vprintf(const char* format, va_list arguments) {
  come_to_output(HEDDLE_CALLER);
  return real_vprintf(format, arguments);
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
  come_to_output(HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int written = real_vprintf(format, arguments);
  va_end(arguments);
  return written;
}

// What -D_FORTIFY_SOURCE makes of the same calls.
HEDDLE_EXPORT int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments) {
  come_to(stream, HEDDLE_CALLER);
  return real_vfprintf_chk(stream, flag, format, arguments);
}
HEDDLE_EXPORT int __vprintf_chk(int flag, const char* format, va_list arguments) {
  come_to_output(HEDDLE_CALLER);
  return real_vprintf_chk(flag, format, arguments);
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
  come_to_output(HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int written = real_vprintf_chk(flag, format, arguments);
  va_end(arguments);
  return written;
}

HEDDLE_EXPORT int fputs(const char* text, FILE* stream) {
  come_to(stream, HEDDLE_CALLER);
  return real_fputs(text, stream);
}
HEDDLE_EXPORT int puts(const char* text) {
  come_to_output(HEDDLE_CALLER);
  return real_puts(text);
}
HEDDLE_EXPORT std::size_t fwrite(const void* data, std::size_t size, std::size_t count,
                                 FILE* stream) {
  come_to(stream, HEDDLE_CALLER);
  return real_fwrite(data, size, count, stream);
}

// Null means all streams: which one is written to nobody knows.
HEDDLE_EXPORT int fflush(FILE* stream) {
  if (stream == nullptr) {
    come_to_output(HEDDLE_CALLER);
  } else {
    come_to(stream, HEDDLE_CALLER);
  }
  return real_fflush(stream);
}
HEDDLE_EXPORT int fclose(FILE* stream) {
  come_to(stream, HEDDLE_CALLER);
  return real_fclose(stream);
}

HEDDLE_EXPORT char* fgets(char* line, int size, FILE* stream) {
  return read_from(stream, HEDDLE_CALLER, [&] { return real_fgets(line, size, stream); });
}
HEDDLE_EXPORT char* __fgets_chk(char* line, std::size_t room, int size, FILE* stream) {
  return read_from(stream, HEDDLE_CALLER, [&] { return real_fgets_chk(line, room, size, stream); });
}
HEDDLE_EXPORT std::size_t fread(void* data, std::size_t size, std::size_t count, FILE* stream) {
  return with_random_pinned(data, size, stream, [&] {
    return read_from(stream, HEDDLE_CALLER, [&] { return real_fread(data, size, count, stream); });
  });
}
HEDDLE_EXPORT std::size_t __fread_chk(void* data, std::size_t room, std::size_t size,
                                      std::size_t count, FILE* stream) {
  return with_random_pinned(data, size, stream, [&] {
    return read_from(stream, HEDDLE_CALLER,
                     [&] { return real_fread_chk(data, room, size, count, stream); });
  });
}
HEDDLE_EXPORT ssize_t getdelim(char** line, std::size_t* size, int end, FILE* stream) {
  return read_from(stream, HEDDLE_CALLER, [&] { return real_getdelim(line, size, end, stream); });
}
HEDDLE_EXPORT ssize_t __getdelim(char** line, std::size_t* size, int end, FILE* stream) {
  return read_from(stream, HEDDLE_CALLER, [&] { return real_getdelim(line, size, end, stream); });
}
HEDDLE_EXPORT ssize_t getline(char** line, std::size_t* size, FILE* stream) {
  return read_from(stream, HEDDLE_CALLER, [&] { return real_getdelim(line, size, '\n', stream); });
}
