// Which bytes an event touches, in the numbering of object ids: accesses to one place may begin at different bytes of it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>

#include "analysis/effect.h"

namespace heddle::campaign {

struct Extent {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // inclusive
};

// What is no access to memory is to its object as a whole: one byte stands for it.
inline Extent extent_of(const Event& event) {
  const std::uint64_t begin = event.object.value;
  if (!is_memory_access(event.kind)) return {begin, begin};
  const std::uint64_t length = access_size(event);
  const std::uint64_t more = length == 0 ? 0 : length - 1;
  // A stack's objects are counted down from its top.
  if (object_kind(event.object) == ObjectKind::stack) return {begin - more, begin};
  return {begin, begin + more};
}

inline bool overlap(const Extent& a, const Extent& b) {
  return a.first <= b.last && b.first <= a.last;
}
inline bool overlap(const Event& a, const Event& b) { return overlap(extent_of(a), extent_of(b)); }

// Who touched each byte last, by the number of the event.
class LastTouch {
 public:
  void put(const Extent& extent, std::size_t number) {
    split(extent.first);
    split(extent.last + 1);
    pieces_.erase(pieces_.lower_bound(extent.first), pieces_.upper_bound(extent.last));
    pieces_[extent.first] = {extent.last, number};
  }

  // Calls it with all that touched some byte of it last.
  template <class Function>
  void visit(const Extent& extent, Function&& call) const {
    auto piece = pieces_.upper_bound(extent.first);
    if (piece != pieces_.begin()) --piece;
    for (; piece != pieces_.end() && piece->first <= extent.last; ++piece) {
      if (piece->second.last >= extent.first) call(piece->second.number);
    }
  }

  // The latest of all that touched some byte of it; `none` if nobody did.
  std::size_t find(const Extent& extent, std::size_t none) const {
    std::size_t latest = none;
    visit(extent, [&](std::size_t number) {
      if (latest == none || number > latest) latest = number;
    });
    return latest;
  }

 private:
  struct Piece {
    std::uint64_t last = 0;
    std::size_t number = 0;
  };

  // No piece goes on from before `at` to it.
  void split(std::uint64_t at) {
    auto piece = pieces_.lower_bound(at);
    if (piece == pieces_.begin()) return;
    --piece;
    if (piece->second.last < at) return;
    pieces_[at] = piece->second;
    piece->second.last = at - 1;
  }

  std::map<std::uint64_t, Piece> pieces_;  // by first byte, none overlap
};

// The objects of events that touch something of another thread's, one of the two to change it.
inline std::set<ObjectId> shared_objects(std::span<const Event> events) {
  std::set<ObjectId> shared;
  LastTouch touched;
  LastTouch changed;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Extent extent = extent_of(events[i]);
    const bool changes = !is_read_only(events[i].kind);
    (changes ? touched : changed).visit(extent, [&](std::size_t before) {
      if (events[before].thread == events[i].thread) return;
      shared.insert(events[i].object);
      shared.insert(events[before].object);
    });
    touched.put(extent, i);
    if (changes) changed.put(extent, i);
  }
  return shared;
}

}  // namespace heddle::campaign
