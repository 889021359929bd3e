#include "detect/finding_log.h"

#include "base/hash.h"

namespace heddle {

std::uint64_t finding_key(const Finding& finding) {
  const std::uint64_t a = finding.first_site.value;
  const std::uint64_t b = finding.second_site.value;
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
