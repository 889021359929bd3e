#include "campaign/unseen_order.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::campaign {

namespace {

constexpr std::array<std::string_view, 3> kRuntimes{"libgomp.so", "libomp.so", "libiomp5.so"};

bool is_in_runtime(SiteId site, const RunRecord& record) {
  const std::uint64_t module = site_module(site);
  if (site == SiteId{} || module >= record.modules.size()) return false;
  const std::string_view path = record.modules[module].path;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(kRuntimes,
                             [&](std::string_view runtime) { return name.starts_with(runtime); });
}

// The runtime made the thread, or called what it is in.
bool is_of_runtime(ThreadId thread, std::uint16_t stack, const RunRecord& record) {
  if (thread.value < record.threads.size() &&
      is_in_runtime(record.threads[thread.value].start_routine, record)) {
    return true;
  }
  if (stack == 0 || stack > record.stacks.size()) return false;
  const StackRecord& calls = record.stacks[stack - 1];
  for (std::size_t i = 1; i < std::min<std::size_t>(calls.frame_count, kStackFrames); ++i) {
    if (is_in_runtime(calls.frames[i], record)) return true;
  }
  return false;
}

}  // namespace

bool has_unseen_order(const Finding& finding, const RunRecord& record) {
  const bool of_accesses = finding.kind == FindingKind::race ||
                           finding.kind == FindingKind::atomicity ||
                           finding.kind == FindingKind::sleep_sync;
  return of_accesses && (is_of_runtime(finding.first_thread, finding.first_stack, record) ||
                         is_of_runtime(finding.second_thread, finding.second_stack, record));
}

}  // namespace heddle::campaign
