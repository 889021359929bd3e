// Who reads what another thread wrote to a pipe, a socket or an eventfd knows what that thread did before: the kernel hands the
// bytes over. Plain files order nobody.
//
// A pipe is known by its inode, which both of its ends have. The ends of a connection have nothing in common that could be
// asked for cheaply, so all sockets count as one; what has no inode of its own (eventfd, timerfd, signalfd) goes by its
// descriptor. That may order more than the kernel does, never less: a race can be missed, none is invented.
#include <sys/stat.h>

#include <cerrno>

#include "base/hash.h"
#include "runtime/blocking.h"
#include "runtime/detection.h"

namespace heddle::runtime {
namespace {

// Addresses that stand for what descriptors refer to, in the order of first use: the kernel's numbers are others in every run.
constexpr std::size_t kStandIns = 256;
char g_stand_ins[kStandIns];
std::uint64_t g_names[kStandIns];

// The last one stands for all that come when there are too many.
const void* stand_in_for(std::uint64_t name) {
  for (std::size_t i = 0; i + 1 < kStandIns; ++i) {
    std::uint64_t known = __atomic_load_n(&g_names[i], __ATOMIC_RELAXED);
    if (known == 0 && __atomic_compare_exchange_n(&g_names[i], &known, name, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return &g_stand_ins[i];
    }
    if (known == name) return &g_stand_ins[i];
  }
  return &g_stand_ins[kStandIns - 1];
}

// Null: it orders nobody.
const void* stand_in(int descriptor) {
  struct stat about {};
  if (::fstat(descriptor, &about) != 0) return nullptr;
  std::uint64_t name = 0;
  switch (about.st_mode & S_IFMT) {
    case S_IFIFO:
      name = combine(about.st_dev, about.st_ino);
      break;
    case S_IFSOCK:
      name = S_IFSOCK;
      break;
    case 0:
      name = combine(1, static_cast<std::uint64_t>(descriptor));
      break;
    default:
      return nullptr;
  }
  return stand_in_for(name | 1);  // 0 is nobody's
}

}  // namespace

void show_descriptor_written(const DescriptorUse& use) {
  const int saved = errno;
  if (const void* const object = stand_in(use.descriptor)) show_released(object, use.caller);
  errno = saved;
}

void show_descriptor_read(const DescriptorUse& use) {
  const int saved = errno;
  if (const void* const object = stand_in(use.descriptor)) show_acquired(object, use.caller);
  errno = saved;
}

}  // namespace heddle::runtime
