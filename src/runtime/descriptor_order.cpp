// Who reads what another thread wrote to a pipe, a socket or an eventfd knows what that thread did before: the kernel hands the
// bytes over. Plain files order nobody.
//
// A pipe is known by its inode, which both of its ends have. The ends of a connection have nothing in common that could be
// asked for cheaply, so all sockets count as one; what has no inode of its own (eventfd, timerfd, signalfd) goes by its
// descriptor. A set of descriptors (epoll) hands on what those in it do, whichever of them it reports. That may order more than
// the kernel does, never less: a race can be missed, none is invented.
#include <sys/stat.h>

#include <bit>
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
// Of a set of descriptors: those in it.
struct Members {
  std::uint64_t words[kStandIns / 64];
};
Members g_members[kStandIns];

constexpr int kNotedDescriptors = 4096;  // those above are taken for what they look like
std::uint64_t g_signal_descriptors[kNotedDescriptors / 64];

// What stands for things that are no descriptors comes after the kinds of descriptors.
constexpr std::uint64_t kNumbered = 1;
constexpr std::uint64_t kFirstKernelObject = 2;

std::uint64_t name_of(KernelObject kind, std::uint64_t number) {
  return combine(kFirstKernelObject + static_cast<std::uint64_t>(kind), number);
}

// The last one stands for all that come when there are too many.
std::size_t stand_in_for(std::uint64_t name) {
  name |= 1;  // 0 is nobody's
  for (std::size_t i = 0; i + 1 < kStandIns; ++i) {
    std::uint64_t known = __atomic_load_n(&g_names[i], __ATOMIC_RELAXED);
    if (known == 0 && __atomic_compare_exchange_n(&g_names[i], &known, name, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return i;
    }
    if (known == name) return i;
  }
  return kStandIns - 1;
}

constexpr std::size_t kNobody = kStandIns;  // it orders nobody

std::size_t stand_in(const DescriptorUse& use) {
  struct stat about {};
  if (::fstat(use.descriptor, &about) != 0) return kNobody;
  const auto number = static_cast<std::uint64_t>(use.descriptor);
  switch (about.st_mode & S_IFMT) {
    case S_IFIFO:
      return stand_in_for(combine(about.st_dev, about.st_ino));
    case S_IFSOCK:
      return stand_in_for(S_IFSOCK);
    case S_IFREG:
      return use.queue ? stand_in_for(combine(about.st_dev, about.st_ino)) : kNobody;
    case 0:
      return stand_in_for(takes_signals(use.descriptor) ? name_of(KernelObject::any_signal, 0)
                                                        : combine(kNumbered, number));
    default:
      return kNobody;
  }
}

bool put(Members& members, std::size_t member) {
  const std::uint64_t bit = std::uint64_t{1} << member % 64;
  return (__atomic_fetch_or(&members.words[member / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
}

void show_with_members(std::size_t object, void* caller, Members& shown) {
  if (!put(shown, object)) return;
  show_acquired(&g_stand_ins[object], caller);
  for (std::size_t i = 0; i < kStandIns / 64; ++i) {
    std::uint64_t rest = __atomic_load_n(&g_members[object].words[i], __ATOMIC_RELAXED);
    for (; rest != 0; rest &= rest - 1) {
      show_with_members(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)), caller, shown);
    }
  }
}

}  // namespace

void show_descriptor_written(const DescriptorUse& use) {
  const int saved = errno;
  const std::size_t object = stand_in(use);
  if (object != kNobody) show_released(&g_stand_ins[object], use.caller);
  errno = saved;
}

void show_descriptor_read(const DescriptorUse& use) {
  const int saved = errno;
  const std::size_t object = stand_in(use);
  Members shown{};
  if (object != kNobody) show_with_members(object, use.caller, shown);
  errno = saved;
}

void show_descriptor_closed(const DescriptorUse& use) {
  const int saved = errno;
  note_signal_descriptor(use.descriptor, false);
  struct stat about {};
  const bool known = ::fstat(use.descriptor, &about) == 0;
  if (known && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode))) show_descriptor_written(use);
  errno = saved;
}

void show_put_into_set(const DescriptorUse& set, int descriptor) {
  const int saved = errno;
  const std::size_t object = stand_in(set);
  const std::size_t member = stand_in({descriptor, POLLIN, set.call, set.caller});
  if (object != kNobody && member != kNobody) put(g_members[object], member);
  if (object != kNobody) show_released(&g_stand_ins[object], set.caller);
  errno = saved;
}

bool takes_signals(int descriptor) {
  if (descriptor < 0 || descriptor >= kNotedDescriptors) return false;
  const auto at = static_cast<unsigned>(descriptor);
  return (__atomic_load_n(&g_signal_descriptors[at / 64], __ATOMIC_RELAXED) >> at % 64 & 1) != 0;
}

void note_signal_descriptor(int descriptor, bool takes) {
  if (descriptor < 0 || descriptor >= kNotedDescriptors) return;
  const auto at = static_cast<unsigned>(descriptor);
  const std::uint64_t bit = std::uint64_t{1} << at % 64;
  std::uint64_t& word = g_signal_descriptors[at / 64];
  if (takes) {
    __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
  } else if (takes_signals(descriptor)) {
    __atomic_fetch_and(&word, ~bit, __ATOMIC_RELAXED);
  }
}

void show_released(KernelObject kind, std::uint64_t number, void* caller) {
  if (g_detecting) show_released(&g_stand_ins[stand_in_for(name_of(kind, number))], caller);
}

void show_acquired(KernelObject kind, std::uint64_t number, void* caller) {
  if (g_detecting) show_acquired(&g_stand_ins[stand_in_for(name_of(kind, number))], caller);
}

}  // namespace heddle::runtime
