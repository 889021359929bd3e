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

// Addresses that stand for what descriptors refer to; different ones may share one.
constexpr std::size_t kStandIns = 1024;
char g_stand_ins[kStandIns];

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
  return &g_stand_ins[mix64(name) % kStandIns];
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
