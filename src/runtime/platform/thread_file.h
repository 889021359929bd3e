// What the kernel tells of a thread in /proc.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>

#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

namespace heddle::runtime {

// The beginning of /proc/PROCESS/task/THREAD/NAME, ended by a zero. The length, or -errno.
inline long read_thread_file(long process, long thread, const char* name, char* text,
                             std::size_t room) {
  char path[64];
  TextBuilder(path, sizeof path)
      .add("/proc/")
      .add(static_cast<std::uint64_t>(process))
      .add("/task/")
      .add(static_cast<std::uint64_t>(thread))
      .add("/")
      .add(name);
  const long file = raw_syscall(SYS_open, as_word(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return file;
  const long size = raw_syscall(SYS_read, file, as_word(text), static_cast<long>(room - 1));
  raw_syscall(SYS_close, file);
  if (size >= 0) text[size] = '\0';
  return size;
}

}  // namespace heddle::runtime
