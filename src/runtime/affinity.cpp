#include "runtime/affinity.h"

#include "runtime/platform/syscall.h"

namespace heddle::runtime {
namespace {

cpu_set_t g_believed;
cpu_set_t g_pin;
bool g_pinned = false;
unsigned g_cpu = 0;

void apply(const cpu_set_t& mask) {
  raw_syscall(SYS_sched_setaffinity, 0, sizeof mask, as_word(&mask));
}

}  // namespace

bool pinned() { return g_pinned; }

void pin_to(unsigned cpu) {
  if (cpu >= CPU_SETSIZE || (g_pinned && g_cpu == cpu)) return;
  unpin();
  g_cpu = cpu;
  for (unsigned long& word : g_believed.__bits) word = 0;
  for (unsigned long& word : g_pin.__bits) word = 0;
  if (raw_syscall(SYS_sched_getaffinity, 0, sizeof g_believed, as_word(&g_believed)) < 0) return;
  g_pin.__bits[cpu / 64] = 1ul << (cpu % 64);
  // A CPU that is not ours is refused: then the run is merely slower.
  g_pinned = raw_syscall(SYS_sched_setaffinity, 0, sizeof g_pin, as_word(&g_pin)) == 0;
}

const cpu_set_t& believed_mask() { return g_believed; }

void set_believed_mask(const cpu_set_t* mask, std::size_t size) {
  const auto* const from = reinterpret_cast<const unsigned char*>(mask);
  auto* const to = reinterpret_cast<unsigned char*>(&g_believed);
  for (std::size_t i = 0; i < sizeof g_believed; ++i) to[i] = i < size ? from[i] : 0;
}

Unpinned::Unpinned() {
  if (g_pinned) apply(g_believed);
}
Unpinned::~Unpinned() {
  if (g_pinned) apply(g_pin);
}

void unpin() {
  if (g_pinned) apply(g_believed);
  g_pinned = false;
}

}  // namespace heddle::runtime
