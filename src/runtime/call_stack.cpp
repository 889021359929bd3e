#include "runtime/call_stack.h"

#include "runtime/fast/fast_state.h"
#include "runtime/platform/memory.h"

namespace heddle::runtime {
namespace {

constexpr std::size_t kFrames = 4096;
// A function that was entered before the stack was kept leaves below its bottom.
constexpr std::size_t kBelow = 256;

constexpr std::size_t kStackSize = (kFrames + kBelow) * sizeof(void*);
// Made before the run for its first threads, in one mapping.
constexpr std::uint32_t kReady = 16;
char* g_ready = nullptr;
std::uint32_t g_taken = 0;

constinit thread_local CallStack t_calls{};

void* take_memory() {
  char* const ready = g_ready;
  if (ready != nullptr) {
    const std::uint32_t number = __atomic_fetch_add(&g_taken, 1, __ATOMIC_RELAXED);
    if (number < kReady) return ready + number * kStackSize;
  }
  return map_memory(kStackSize);
}

}  // namespace

void prepare_call_stacks() {
  if (g_ready == nullptr) g_ready = static_cast<char*>(map_memory(kReady * kStackSize));
}

CallStack& call_stack() { return t_calls; }

void keep_call_stack() {
  FastState& fast = heddle_fast_state_v3;
  if (fast.keep_stack != 0) return;  // somebody keeps one already: the engine's for reports
  auto** const memory = static_cast<void**>(take_memory());
  if (memory == nullptr) return;
  keep_call_stack_in(memory, kFrames + kBelow);
}

void keep_call_stack_in(void** memory, std::size_t count) {
  FastState& fast = heddle_fast_state_v3;
  t_calls.base = memory + kBelow;
  t_calls.depth = 0;
  fast.stack_top = t_calls.base;
  fast.stack_limit = memory + count;
  fast.keep_stack = 1;
}

std::size_t calls_now(void**& frames) {
  frames = t_calls.base;
  void** const top = heddle_fast_state_v3.stack_top;
  if (top <= frames) return 0;
  const auto depth = static_cast<std::size_t>(top - frames);
  return depth < CallStack::kMostShown ? depth : CallStack::kMostShown;
}

}  // namespace heddle::runtime
