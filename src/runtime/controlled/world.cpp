#include "runtime/controlled/world.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>

#include <cstdlib>

#include "base/fixed_vector.h"
#include "runtime/blocking.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/timer_descriptors.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/module_table.h"
#include "runtime/platform/kernel_name.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/thread.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::kernel_name;
using runtime::KernelName;
using runtime::raw_syscall;

namespace {

constexpr int kMostNestedSets = 4;

bool g_unseen_timers;

// The lines of a text of the kernel's, without the heap. Longer ones are cut.
class Lines {
 public:
  explicit Lines(const char* path)
      : file_(raw_syscall(SYS_open, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC)) {}
  ~Lines() {
    if (file_ >= 0) raw_syscall(SYS_close, file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  bool next() {
    std::size_t length = 0;
    for (;;) {
      if (at_ == size_ && !fill()) {
        line_[length] = '\0';
        return length > 0;
      }
      const char character = buffer_[at_++];
      if (character == '\n') {
        line_[length] = '\0';
        return true;
      }
      if (length + 1 < sizeof line_) line_[length++] = character;
    }
  }
  const char* line() const { return line_; }

 private:
  bool fill() {
    if (file_ < 0) return false;
    const long got = raw_syscall(SYS_read, file_, reinterpret_cast<long>(buffer_), sizeof buffer_);
    at_ = 0;
    size_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return size_ > 0;
  }

  long file_;
  char buffer_[2048];
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  char line_[256];
};

enum class Mapping : std::uint8_t { own, inherited, named };

// How the memory at an address is mapped: inherited memory is shared with children alone.
Mapping ask_kernel(std::uint64_t address) {
  for (Lines maps("/proc/self/maps"); maps.next();) {
    char* end = nullptr;
    const std::uint64_t first = std::strtoull(maps.line(), &end, 16);
    if (address < first || *end != '-') continue;
    const std::uint64_t behind = std::strtoull(end + 1, &end, 16);
    if (address >= behind) continue;
    if (runtime::text_length(end) < 5 || end[4] != 's') return Mapping::own;
    return runtime::find_text(end, "/dev/zero") != nullptr ? Mapping::inherited : Mapping::named;
  }
  return Mapping::own;
}

// Asking takes long: variables and stacks are never shared, and pages that were not are taken to stay so.
constexpr std::size_t kKnownPages = 64;
std::uint64_t g_own_pages[kKnownPages];

Mapping mapping_of(const void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  const std::uint64_t page = address >> 12;
  std::uint64_t& known = g_own_pages[page % kKnownPages];
  runtime::StackRange range{};
  if (known == page || runtime::find_module(address) != nullptr ||
      runtime::find_stack(address, &range) != kNoThread) {
    return Mapping::own;
  }
  const Mapping mapping = ask_kernel(address);
  if (mapping == Mapping::own) known = page;
  return mapping;
}

bool is_set(const itimerspec& timer) {
  return timer.it_value.tv_sec != 0 || timer.it_value.tv_nsec != 0;
}

// Whether a socket counts as ours.
enum class Sockets : bool { outside, ours };

// Pipes that were there before the program: their other ends are with others.
constexpr int kMostNumbers = 1024;
FixedVector<std::uint64_t, 64> g_inherited_pipes;
bool g_inherited_counters;
bool g_inherited_listeners;
bool g_passed_descriptors;

bool is_inherited(const struct stat& pipe) {
  for (const std::uint64_t inode : g_inherited_pipes) {
    if (inode == pipe.st_ino) return true;
  }
  return g_inherited_pipes.full();
}

// No file of a file system.
bool is_anonymous(const struct stat& status) { return (status.st_mode & S_IFMT) == 0; }

bool has_option(int descriptor, int option, int value) {
  int is = 0;
  socklen_t length = sizeof is;
  return raw_syscall(SYS_getsockopt, descriptor, SOL_SOCKET, option, as_word(&is),
                     as_word(&length)) == 0 &&
         is == value;
}

// Or takes messages without a connection.
bool listens(int descriptor) {
  return has_option(descriptor, SO_ACCEPTCONN, 1) || (has_option(descriptor, SO_TYPE, SOCK_DGRAM) &&
                                                      has_option(descriptor, SO_DOMAIN, AF_UNIX));
}

bool internal(int descriptor, Sockets sockets, int depth);

// "tfd:        5 events: ..." is a line for each member.
bool internal_set(int descriptor, Sockets sockets, int depth) {
  char path[64];
  runtime::TextBuilder(path, sizeof path)
      .add("/proc/self/fdinfo/")
      .add(static_cast<std::uint64_t>(descriptor));
  for (Lines info(path); info.next();) {
    if (!runtime::text_starts(info.line(), "tfd:")) continue;
    const char* at = info.line() + 4;
    while (*at == ' ' || *at == '\t') ++at;
    const std::int64_t member = runtime::take_number(at);
    if (member < 0 || !internal(static_cast<int>(member), sockets, depth + 1)) return false;
  }
  return true;
}

bool internal(int descriptor, Sockets sockets, int depth) {
  if (descriptor < 3 || depth > kMostNestedSets) return false;
  struct stat status {};
  if (raw_syscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status), 0, 0, 0, 0) != 0)
    return false;
  if (S_ISSOCK(status.st_mode)) return sockets == Sockets::ours;
  const KernelName name = kernel_name(descriptor);
  if (S_ISFIFO(status.st_mode))  // one with a path is open to all
    return runtime::text_starts(name.text, "pipe:") && !is_inherited(status);
  if (!is_anonymous(status)) return false;
  if (runtime::find_text(name.text, "[eventfd]") != nullptr) return !g_inherited_counters;
  if (runtime::find_text(name.text, "[eventpoll]") != nullptr)
    return internal_set(descriptor, sockets, depth);
  if (runtime::find_text(name.text, "[timerfd]") == nullptr) return false;
  itimerspec state{};
  return raw_syscall(SYS_timerfd_gettime, descriptor, reinterpret_cast<long>(&state), 0, 0, 0, 0) ==
             0 &&
         !is_set(state);
}

}  // namespace

std::uint64_t real_now() {
  timespec now{};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now), 0, 0, 0, 0);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void note_unseen_timer() { g_unseen_timers = true; }

bool is_shared_memory(const void* object) { return mapping_of(object) != Mapping::own; }

bool others_share(const void* object) {
  const Mapping mapping = mapping_of(object);
  return mapping == Mapping::named || (mapping == Mapping::inherited && g_engine.has_children);
}

bool children_have_memory() {
  static bool found;
  if (found || !g_engine.has_children) return found;
  for (Lines maps("/proc/self/maps"); maps.next();) {
    found = found || runtime::find_text(maps.line(), "/dev/zero") != nullptr;
  }
  return found;
}

bool kernel_works_for_program() {
  static bool found;
  if (found) return true;
  for (Lines maps("/proc/self/maps"); maps.next();) {
    found = found || runtime::find_text(maps.line(), "[io_uring]") != nullptr ||
            runtime::find_text(maps.line(), "/[aio]") != nullptr;
  }
  return found;
}

bool waits_for_shared() {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.state == TaskState::live && task.ready != nullptr && task.shared) return true;
  }
  return false;
}

bool world_may_act() {
  if (g_unseen_timers) return true;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.state != TaskState::live || task.ready == nullptr) continue;
    if (waits_for_semaphores(task) && g_engine.has_children) return true;
    if (task.shared && others_share(task.wait_object)) return true;
  }
  return false;
}

void note_inherited_descriptors() {
  for (int descriptor = 0; descriptor < kMostNumbers; ++descriptor) {
    struct stat status {};
    if (raw_syscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) != 0) continue;
    if (S_ISFIFO(status.st_mode) && !g_inherited_pipes.full()) {
      g_inherited_pipes.push_back(status.st_ino);
    }
    if (is_anonymous(status) && kind_of(descriptor) == DescriptorKind::event_counter &&
        descriptor < runtime::kFirstOwnDescriptor) {
      g_inherited_counters = true;
    }
    if (S_ISSOCK(status.st_mode) && listens(descriptor)) g_inherited_listeners = true;
  }
}

void note_passed_descriptor() { g_passed_descriptors = true; }

DescriptorKind kind_of(int descriptor) {
  struct stat status {};
  if (raw_syscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) != 0)
    return DescriptorKind::other;
  if (S_ISFIFO(status.st_mode)) return DescriptorKind::pipe;
  if (S_ISSOCK(status.st_mode)) return DescriptorKind::socket;
  if (!is_anonymous(status) || is_timer_descriptor(descriptor)) return DescriptorKind::other;
  const KernelName name = kernel_name(descriptor);
  if (runtime::find_text(name.text, "[eventfd]") != nullptr) return DescriptorKind::event_counter;
  if (runtime::find_text(name.text, "[eventpoll]") != nullptr) return DescriptorKind::set;
  return DescriptorKind::other;
}

bool is_own_listener(const sockaddr* address, socklen_t length) {
  sockaddr_un wanted{};
  if (g_inherited_listeners || length <= offsetof(sockaddr_un, sun_path) || length > sizeof wanted)
    return false;
  __builtin_memcpy(&wanted, address, length);
  if (wanted.sun_path[0] != '\0') return false;
  for (int descriptor = 0; descriptor < kMostNumbers; ++descriptor) {
    if (!listens(descriptor)) continue;
    sockaddr_un name{};
    socklen_t size = sizeof name;
    if (raw_syscall(SYS_getsockname, descriptor, as_word(&name), as_word(&size)) != 0) continue;
    if (size == length && __builtin_memcmp(&name, &wanted, size) == 0) return true;
  }
  return false;
}

// Threads that the engine knows of and that are there, the calling one included.
static std::int64_t known_threads() {
  const Task* const self = static_cast<const Task*>(runtime::self().controlled);
  std::int64_t known = 0;
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    const bool ended = task.state == TaskState::ended || task.state == TaskState::unused;
    // The first stays as a number when it has ended.
    if (!ended || &task == self || i == 0) ++known;
  }
  return known;
}

// A fault of the program's own is no news from outside.
static bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGTRAP || signal == SIGABRT || signal == SIGSYS;
}

bool handles_signals() {
  for (int signal = 1; signal < _NSIG; ++signal) {
    const bool of_libc = signal == __SIGRTMIN || signal == __SIGRTMIN + 1;  // for threads
    struct sigaction action {};
    if (of_libc || is_fault(signal) || sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) return true;
  }
  return false;
}

bool has_unseen_threads() {
  for (Lines status("/proc/self/status"); status.next();) {
    if (!runtime::text_starts(status.line(), "Threads:")) continue;
    const char* at = status.line() + 8;
    while (*at == ' ' || *at == '\t') ++at;
    return runtime::take_number(at) > known_threads();
  }
  return true;
}

bool nobody_else_acts() {
  return !g_passed_descriptors && !g_engine.has_children && !handles_signals() &&
         !has_unseen_threads();
}

bool internal_descriptor(int descriptor) {
  if (is_timer_descriptor(descriptor)) return true;  // nobody else counts it up
  return !g_engine.has_children && internal(descriptor, Sockets::outside, 0);
}

bool outsiders_descriptor(int descriptor) {
  return outsiders_descriptor(descriptor, g_engine.has_children);
}

bool outsiders_descriptor(int descriptor, bool children) {
  if (is_timer_descriptor(descriptor)) return false;
  return children || !internal(descriptor, Sockets::ours, 0);
}

}  // namespace heddle::controlled
