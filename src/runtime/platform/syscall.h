// System calls without libc in between: nobody can interpose them, and errno stays the program's.
#pragma once

#include <sys/syscall.h>

namespace heddle::runtime {

// Returns what the kernel returns: a value, or -errno.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <class Pointer>
long as_word(Pointer* pointer) {
  return reinterpret_cast<long>(pointer);
}

[[noreturn]] inline void raw_exit(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

// All of it, whatever the kernel takes at a time. False when the other end is gone.
inline bool raw_write_all(int descriptor, const void* bytes, unsigned long size) {
  const char* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const long written = raw_syscall(SYS_write, descriptor, as_word(next), static_cast<long>(size));
    if (written == -4) continue;  // EINTR
    if (written <= 0) return false;
    next += written;
    size -= static_cast<unsigned long>(written);
  }
  return true;
}

}  // namespace heddle::runtime
