// An access in one word, as access_cells.h keeps it: who, when, which bytes, and how.
#pragma once

#include <cstdint>

#include "contract/event.h"

namespace heddle {

// By code: bit 0 says that it writes, bit 1 that it is plain. There is none left for vptr_write, which is kept as a write.
inline constexpr EventKind kAccessKinds[16] = {
    EventKind::atomic_load, EventKind::atomic_store, EventKind::read,       EventKind::write,
    EventKind::none,        EventKind::atomic_rmw,   EventKind::read_range, EventKind::write_range,
    EventKind::none,        EventKind::atomic_cas,   EventKind::vptr_read,  EventKind::freed,
    EventKind::none,        EventKind::none,         EventKind::none,       EventKind::read_write};

// The code of a kind. Not in a function: it would be put together there at every call.
struct AccessCodes {
  std::uint8_t of[static_cast<unsigned>(EventKind::freed) + 1];
};
inline constexpr AccessCodes kAccessCodes = [] {
  AccessCodes codes{};
  for (std::uint8_t code = 0; code < 16; ++code) {
    codes.of[static_cast<unsigned>(kAccessKinds[code])] = code;
  }
  codes.of[static_cast<unsigned>(EventKind::vptr_write)] =
      codes.of[static_cast<unsigned>(EventKind::write)];
  return codes;
}();

// An access in one word. 0 is none: ticks begin with 1.
class AccessWord {
 public:
  constexpr AccessWord() = default;
  constexpr explicit AccessWord(std::uint64_t word) : word_(word) {}
  constexpr AccessWord(ThreadId thread, std::uint32_t tick, EventKind kind, std::uint8_t mask)
      : word_(who_of(thread, tick) | what_of(kind, mask)) {}

  constexpr std::uint64_t word() const { return word_; }
  constexpr bool is_none() const { return word_ == 0; }
  constexpr ThreadId thread() const {
    return ThreadId{static_cast<std::uint16_t>(word_ >> kThreadShift & 0x3ff)};
  }
  constexpr std::uint32_t tick() const {
    return static_cast<std::uint32_t>(word_ >> kTickShift & 0xffffffff);
  }
  constexpr std::uint8_t mask() const {
    return static_cast<std::uint8_t>(word_ >> kMaskShift & 0xff);
  }
  constexpr EventKind kind() const { return kAccessKinds[word_ >> kKindShift & 15]; }
  constexpr bool writes() const { return (word_ & kWrites) != 0; }
  constexpr bool is_plain() const { return (word_ & kPlain) != 0; }

  // A number of the owner's that comes along; at most kMostNote.
  constexpr std::uint32_t note() const { return static_cast<std::uint32_t>(word_ >> kNoteShift); }
  constexpr void set_note(std::uint32_t note) {
    word_ |= std::uint64_t{note < kMostNote ? note : kMostNote} << kNoteShift;
  }
  constexpr void take_bytes(std::uint8_t bytes) {
    word_ &= ~(std::uint64_t{bytes} << kMaskShift);
    if (mask() == 0) word_ = 0;
  }

  // Stands for accesses that are written down elsewhere (atomic_book.h): by all that it says, nobody is ordered after it.
  static constexpr AccessWord mark(AccessWord access) {
    return AccessWord(who_of(access.thread(), 0xffffffff) | kMarkCode << kKindShift |
                      (access.word_ & kMask));
  }
  constexpr bool is_mark() const { return (word_ >> kKindShift & 15) == kMarkCode; }

  constexpr bool has_bytes_of(AccessWord other) const {
    return ((word_ ^ other.word_) & kMask) == 0;
  }
  constexpr bool shares_bytes(AccessWord other) const { return (word_ & other.word_ & kMask) != 0; }
  constexpr bool is_of_thread_of(AccessWord other) const {
    return ((word_ ^ other.word_) & kThread) == 0;
  }
  constexpr void take_bytes_of(AccessWord other) {
    word_ &= ~(other.word_ & kMask);
    if ((word_ & kMask) == 0) word_ = 0;
  }
  // Can these two be a race, if neither comes before the other?
  constexpr bool conflicts_with(AccessWord other) const {
    return ((word_ | other.word_) & kWrites) != 0 && ((word_ | other.word_) & kPlain) != 0;
  }
  // Whatever conflicts with `other` conflicts with this, too (if the bytes are the same).
  constexpr bool covers(AccessWord other) const {
    return (other.word_ & ~word_ & (kWrites | kPlain)) == 0;
  }
  // And there is no byte in that one that is not in this.
  constexpr bool says_all_of(AccessWord other) const {
    return (other.word_ & ~word_ & (kWrites | kPlain | kMask)) == 0;
  }
  // Of the same thread in the same tick, with the same kind and note: only the bytes may differ.
  constexpr bool differs_in_bytes_only(AccessWord other) const {
    return ((word_ ^ other.word_) & ~kMask & ~kLock) == 0;
  }
  // Of the same thread, with the same kind and bytes: only when it was, and the note, may differ.
  constexpr bool differs_in_time_only(AccessWord other) const {
    return ((word_ ^ other.word_) & (kThread | kMask | kKind)) == 0;
  }
  constexpr bool is_of_tick_of(AccessWord other) const {
    return ((word_ ^ other.word_) & kIdentity) == 0;
  }
  constexpr void add_bytes(std::uint8_t bytes) { word_ |= std::uint64_t{bytes} << kMaskShift; }
  // The same thread in the same tick, and everything that conflicts with `other` conflicts with this.
  constexpr bool knows(AccessWord other) const {
    return (((word_ ^ other.word_) & kIdentity) |
            (other.word_ & ~word_ & (kWrites | kPlain | kMask))) == 0;
  }

  // The part of a word that is the same in all words that know a plain access of that kind to all the bytes.
  static constexpr std::uint64_t whole(EventKind kind) {
    return kIdentity | kPlain | kMask | (code_of(kind) << kKindShift & kWrites);
  }

  static constexpr std::uint32_t kMostNote = 511;
  static constexpr std::uint64_t kLock = 1;  // of the granule, in its first word
  // The part that says who and when: to be combined with what_of().
  static constexpr std::uint64_t who_of(ThreadId thread, std::uint32_t tick) {
    return std::uint64_t{thread.value} << kThreadShift | std::uint64_t{tick} << kTickShift;
  }
  static constexpr std::uint64_t what_of(EventKind kind, std::uint8_t mask) {
    return code_of(kind) << kKindShift | std::uint64_t{mask} << kMaskShift;
  }

 private:
  static constexpr unsigned kKindShift = 1, kMaskShift = 5, kThreadShift = 13, kTickShift = 23,
                            kNoteShift = 55;
  static constexpr std::uint64_t kWrites = 2, kPlain = 4;
  static constexpr std::uint64_t kMask = std::uint64_t{0xff} << kMaskShift;
  static constexpr std::uint64_t kKind = std::uint64_t{15} << kKindShift;
  static constexpr std::uint64_t kThread = std::uint64_t{0x3ff} << kThreadShift;
  static constexpr std::uint64_t kIdentity =
      (std::uint64_t{1} << kNoteShift) - (std::uint64_t{1} << kThreadShift);
  static constexpr std::uint64_t kMarkCode = 13;  // a mark is like an atomic that writes
  static constexpr std::uint64_t code_of(EventKind kind) {
    return kAccessCodes.of[static_cast<unsigned>(kind)];
  }

  std::uint64_t word_ = 0;
};

}  // namespace heddle
