// Counts what ran at scheduling points by (thread, site, object), straight into the control block, so that a run
// that dies loses nothing. The engine calls note() with the operation about to run, in runs whose table is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "contract/control_block.h"
#include "contract/schedule_point.h"

namespace heddle {

class AccessRecorder {
 public:
  void begin_run(std::span<AccessProfile> table, std::uint64_t* count) {
    table_ = table.first(table.size() < kAccessCapacity ? table.size() : kAccessCapacity);
    count_ = count;
    *count_ = 0;
    for (std::size_t i = 0; i < used_slots_; ++i) slots_[i] = 0;
    used_slots_ = kFirstSlots;
    forget_recent();
  }

  // Once the table is full, only known triples are counted: an array swept by a loop must not cost time or space.
  void note(const PendingOperation& operation) {
    // A thread mostly comes back to where it was: the last one of each of a few places is looked at first.
    const std::uint64_t place =
        operation.site.value ^ operation.object.value << 32 ^ operation.path_hash;
    std::uint16_t& recent = recent_[(place * 0x9e3779b97f4a7c15ULL >> 32) % kRecent];
    if (recent != 0 && is_about(table_[recent - 1u], operation)) {
      ++table_[recent - 1u].count;
      return;
    }
    const std::uint64_t hash =
        hash_of(operation.path_hash, operation.site, operation.object, operation.kind);
    for (std::size_t i = 0; i < kProbes; ++i) {
      std::uint16_t& slot = slots_[(hash + i) % used_slots_];
      if (slot == 0) {
        if (*count_ >= table_.size()) return;
        table_[*count_] = {};
        table_[*count_].site = operation.site;
        table_[*count_].object = operation.object;
        table_[*count_].path_hash = operation.path_hash;
        table_[*count_].count = 1;
        table_[*count_].kind = operation.kind;
        slot = static_cast<std::uint16_t>(++*count_);
        recent = slot;
        if (*count_ * 2 > used_slots_ && used_slots_ < kSlots) grow();
        return;
      }
      if (!is_about(table_[slot - 1u], operation)) continue;
      ++table_[slot - 1u].count;
      recent = slot;
      return;
    }
  }

 private:
  // Few slots at first, so that a small program touches one page of them.
  static constexpr std::size_t kFirstSlots = 512;
  static constexpr std::size_t kSlots = kAccessCapacity * 2;
  static constexpr std::size_t kProbes = 16;
  static constexpr std::size_t kRecent = 64;
  static_assert(kAccessCapacity < 0xffff, "a slot holds an index plus one");

  static bool is_about(const AccessProfile& entry, const PendingOperation& operation) {
    return entry.path_hash == operation.path_hash && entry.site == operation.site &&
           entry.object == operation.object && entry.kind == operation.kind;
  }
  // After a time a place may be in none of the slots where it is looked for, and is counted anew.
  void forget_recent() {
    for (std::uint16_t& recent : recent_) recent = 0;
  }

  static std::uint64_t hash_of(std::uint64_t path_hash, SiteId site, ObjectId object,
                               EventKind kind) {
    return combine(combine(path_hash, site.value), object.value + static_cast<std::uint64_t>(kind));
  }

  void grow() {
    forget_recent();
    for (std::size_t i = 0; i < used_slots_; ++i) slots_[i] = 0;
    used_slots_ *= 4;
    if (used_slots_ > kSlots) used_slots_ = kSlots;
    for (std::size_t number = 1; number <= *count_; ++number) {
      const AccessProfile& entry = table_[number - 1];
      const std::uint64_t hash = hash_of(entry.path_hash, entry.site, entry.object, entry.kind);
      for (std::size_t i = 0; i < kProbes; ++i) {
        std::uint16_t& slot = slots_[(hash + i) % used_slots_];
        if (slot != 0) continue;
        slot = static_cast<std::uint16_t>(number);
        break;
      }
    }
  }

  std::span<AccessProfile> table_;
  std::uint64_t* count_ = nullptr;
  std::size_t used_slots_ = 0;
  std::uint16_t recent_[kRecent] = {};
  std::uint16_t slots_[kSlots] = {};
};

}  // namespace heddle
