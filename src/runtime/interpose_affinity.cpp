// Questions about CPUs, answered as if we had not pinned the run.
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/affinity.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {
namespace {

HEDDLE_REAL Real<int(pid_t, std::size_t, cpu_set_t*)> real_getaffinity{"sched_getaffinity"};
HEDDLE_REAL Real<int(pid_t, std::size_t, const cpu_set_t*)> real_setaffinity{"sched_setaffinity"};
HEDDLE_REAL Real<int(pthread_t, std::size_t, cpu_set_t*)> real_thread_getaffinity{
    "pthread_getaffinity_np"};
HEDDLE_REAL Real<int(pthread_t, std::size_t, const cpu_set_t*)> real_thread_setaffinity{
    "pthread_setaffinity_np"};
HEDDLE_REAL Real<int()> real_nprocs{"get_nprocs"};
HEDDLE_REAL Real<long(int)> real_sysconf{"sysconf"};
HEDDLE_REAL Real<int()> real_getcpu{"sched_getcpu"};
HEDDLE_REAL Real<int(unsigned*, unsigned*)> real_getcpu_node{"getcpu"};

bool any_bit(const cpu_set_t* mask, std::size_t size) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(mask);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != 0) return true;
  }
  return false;
}

void copy_mask(cpu_set_t* to, std::size_t size) {
  const auto* const from = reinterpret_cast<const unsigned char*>(&believed_mask());
  auto* const bytes = reinterpret_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = i < sizeof(cpu_set_t) ? from[i] : 0;
}

int believed_count() {
  int count = 0;
  for (const unsigned long word : believed_mask().__bits) count += __builtin_popcountl(word);
  return count;
}

int first_cpu() {
  for (std::size_t i = 0; i < sizeof(cpu_set_t) / sizeof(long); ++i) {
    const unsigned long word = believed_mask().__bits[i];
    if (word != 0) return static_cast<int>(i * 64 + static_cast<unsigned>(__builtin_ctzl(word)));
  }
  return 0;
}

// 0 or an errno value, as the kernel would.
int take_mask(const cpu_set_t* mask, std::size_t size) {
  if (!any_bit(mask, size)) return EINVAL;
  set_believed_mask(mask, size);
  return 0;
}

bool about_us(pid_t process) { return process == 0 || process == own_process(); }

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* mask) noexcept {
  const int result = real_getaffinity(real_id(process), size, mask);
  if (!pinned() || result != 0) return pinned() ? -1 : result;
  copy_mask(mask, size);
  return 0;
}

HEDDLE_EXPORT int sched_setaffinity(pid_t process, std::size_t size,
                                    const cpu_set_t* mask) noexcept {
  const pid_t real = real_id(process);
  if (!pinned() || !about_us(real)) return real_setaffinity(real, size, mask);
  const int error = take_mask(mask, size);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

HEDDLE_EXPORT int pthread_getaffinity_np(pthread_t thread, std::size_t size,
                                         cpu_set_t* mask) noexcept {
  const int result = real_thread_getaffinity(thread, size, mask);
  if (pinned() && result == 0) copy_mask(mask, size);
  return result;
}

HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t thread, std::size_t size,
                                         const cpu_set_t* mask) noexcept {
  if (!pinned()) return real_thread_setaffinity(thread, size, mask);
  return take_mask(mask, size);
}

HEDDLE_EXPORT int get_nprocs() noexcept { return pinned() ? believed_count() : real_nprocs(); }

HEDDLE_EXPORT long sysconf(int name) noexcept {
  if (pinned() && name == _SC_NPROCESSORS_ONLN) return believed_count();
  return real_sysconf(name);
}

// The same in every run, whichever CPU the tool's worker has.
HEDDLE_EXPORT int sched_getcpu() noexcept { return pinned() ? first_cpu() : real_getcpu(); }

HEDDLE_EXPORT int getcpu(unsigned* cpu, unsigned* node) noexcept {
  const int result = real_getcpu_node(cpu, node);
  if (pinned() && result == 0 && cpu != nullptr) *cpu = static_cast<unsigned>(first_cpu());
  return result;
}
