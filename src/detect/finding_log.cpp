#include "detect/finding_log.h"

#include "base/hash.h"

namespace heddle {

namespace {

// In a live run the same place may be shown with different call stacks (runtime/detection.h): that is one pair.
std::uint64_t place(SiteId site) {
  constexpr std::uint64_t kNotLookedUp = std::uint64_t{1} << 63;
  constexpr std::uint64_t kAddress = (std::uint64_t{1} << 47) - 1;
  return (site.value & kNotLookedUp) == 0 ? site.value : site.value & kAddress;
}

}  // namespace

std::uint64_t finding_key(const Finding& finding) {
  const std::uint64_t a = place(finding.first_site);
  const std::uint64_t b = place(finding.second_site);
  std::uint64_t key = combine(static_cast<std::uint64_t>(finding.kind), finding.detector);
  key = combine(key, a < b ? a : b);
  key = combine(key, a < b ? b : a);
  // A predicted cycle or a misuse is told apart by what it is, too.
  if (finding.kind != FindingKind::race) key = combine(key, finding.detail);
  return key | 1;
}

void FindingLog::begin_run(std::span<Finding> area, std::uint32_t* count, std::uint64_t* dropped,
                           Translate translate) {
  area_ = area;
  count_ = count;
  dropped_ = dropped;
  translate_ = translate;
  *count_ = 0;
  *dropped_ = 0;
  for (std::uint64_t& key : keys_) {
    if (key != 0) key = 0;
  }
}

void FindingLog::report(const Finding& finding) {
  if (count_ == nullptr) return;
  const std::uint64_t key = finding_key(finding);
  const SpinGuard guard(lock_);
  std::size_t slot = key & (kKeys - 1);
  for (std::size_t tried = 0; keys_[slot] != 0; ++tried) {
    if (keys_[slot] == key) return;
    if (tried == kKeys / 2) break;
    slot = (slot + 1) & (kKeys - 1);
  }
  if (*count_ >= area_.size()) {
    ++*dropped_;
    return;
  }
  keys_[slot] = key;
  Finding& kept = area_[*count_];
  kept = finding;
  if (translate_ != nullptr) translate_(kept);
  __atomic_store_n(count_, *count_ + 1, __ATOMIC_RELEASE);
}

}  // namespace heddle
