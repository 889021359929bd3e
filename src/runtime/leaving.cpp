#include "runtime/leaving.h"

#include <linux/futex.h>
#include <poll.h>

#include <cstddef>
#include <cstdint>

#include "contract/control_block.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/mode.h"
#include "runtime/platform/syscall.h"

namespace heddle::runtime {
namespace {

// The kernel gives out the lowest number that is free, so who has any has one of these, but for numbers chosen by the program.
constexpr int kNumbers = 64;

bool g_ready;  // a server asked which descriptors there are
std::uint64_t g_inherited;
bool g_something_to_undo;

std::uint64_t open_descriptors() {
  pollfd asked[kNumbers];
  for (int i = 0; i < kNumbers; ++i) asked[i] = {i, 0, 0};
  raw_syscall(SYS_poll, as_word(asked), kNumbers, 0);
  std::uint64_t open = 0;
  for (int i = 0; i < kNumbers; ++i) {
    if ((asked[i].revents & POLLNVAL) == 0) open |= std::uint64_t{1} << i;
  }
  return open;
}

}  // namespace

void note_descriptors_of_server() {
  g_inherited = open_descriptors();
  g_ready = true;
}

void leave_something_to_undo() { g_something_to_undo = true; }

void announce_end() {
  if (!g_ready || !controlled() || g_something_to_undo) return;
  if (controlled::is_child_in_control() || controlled::has_child_now()) return;
  if ((open_descriptors() & ~g_inherited) != 0) return;
  robust_list_head* head = nullptr;
  std::size_t size = 0;
  if (raw_syscall(SYS_get_robust_list, 0, as_word(&head), as_word(&size)) != 0) return;
  if (head == nullptr || size != sizeof *head || head->list_op_pending != nullptr) return;
  head->list_op_pending = reinterpret_cast<robust_list*>(
      reinterpret_cast<char*>(&g_control->ended) - head->futex_offset);
}

}  // namespace heddle::runtime
