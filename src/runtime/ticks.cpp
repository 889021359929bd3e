#include "runtime/ticks.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdint>

#include "runtime/controlled/operations.h"
#include "runtime/faults.h"
#include "runtime/free_engine.h"
#include "runtime/mode.h"
#include "runtime/platform/syscall.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kTicksInNanosecond = 3;  // of a processor with 3 GHz
constexpr int kOfKernel = 128;                   // SI_KERNEL: no address is to blame

bool g_virtual = false;
std::uint64_t g_vdso_begin = 0;
std::uint64_t g_vdso_end = 0;

void let_ticks_be(int how) { raw_syscall(SYS_prctl, PR_SET_TSC, how); }

struct Reading {
  unsigned length;  // of the instruction; 0: it reads no ticks
  bool tells_processor;
};

Reading reading_at(const unsigned char* code) {
  if (code[0] != 0x0f) return {};
  if (code[1] == 0x31) return {2, false};                    // rdtsc
  if (code[1] == 0x01 && code[2] == 0xf9) return {3, true};  // rdtscp
  return {};
}

void find_vdso() {
  g_vdso_begin = getauxval(AT_SYSINFO_EHDR);
  if (g_vdso_begin == 0) return;
  const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(g_vdso_begin);
  const auto* const segments = reinterpret_cast<const Elf64_Phdr*>(g_vdso_begin + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD) g_vdso_end = g_vdso_begin + segments[i].p_memsz;
  }
}

// A clock that libc reads for itself: it makes a time of the ticks, and means the real one.
std::uint64_t real_ticks() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  let_ticks_be(PR_TSC_ENABLE);
  asm volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high));
  let_ticks_be(PR_TSC_SIGSEGV);
  return std::uint64_t{high} << 32 | low;
}

std::uint64_t virtual_ticks(void* caller) {
  g_control->outcome.asked_ticks = 1;
  const std::uint64_t now =
      under_control() ? controlled::nanoseconds_now(caller) : controlled::nanoseconds_at_a_glance();
  return now * kTicksInNanosecond;
}

bool take_reading(siginfo_t* info, void* context) {
  if (info->si_code != kOfKernel) return false;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto at = static_cast<std::uint64_t>(registers[REG_RIP]);
  const Reading reading = reading_at(reinterpret_cast<const unsigned char*>(at));
  if (reading.length == 0) return false;
  const bool is_libcs = at >= g_vdso_begin && at < g_vdso_end;
  // Sites are return addresses.
  void* const caller = reinterpret_cast<void*>(at + reading.length);
  const std::uint64_t ticks = is_libcs ? real_ticks() : virtual_ticks(caller);
  registers[REG_RAX] = static_cast<std::int64_t>(ticks & 0xffff'ffff);
  registers[REG_RDX] = static_cast<std::int64_t>(ticks >> 32);
  if (reading.tells_processor) registers[REG_RCX] = 0;
  registers[REG_RIP] = static_cast<std::int64_t>(at + reading.length);
  return true;
}

}  // namespace

void begin_virtual_ticks() {
  find_vdso();
  g_virtual = true;
  begin_taking_faults(take_reading);
  let_ticks_be(PR_TSC_SIGSEGV);
}

void end_virtual_ticks() {
  if (g_virtual) let_ticks_be(PR_TSC_ENABLE);
  g_virtual = false;
}

RealTicks::RealTicks() {
  if (g_virtual) let_ticks_be(PR_TSC_ENABLE);
}
RealTicks::~RealTicks() {
  if (g_virtual) let_ticks_be(PR_TSC_SIGSEGV);
}

}  // namespace heddle::runtime
