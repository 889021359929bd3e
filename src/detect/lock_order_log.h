// The lock order of a run as goodlock sees it, in areas of fixed size: what the tool puts together over runs.
#pragma once

#include <cstdint>
#include <span>

#include "contract/lock_edge.h"

namespace heddle {

class LockOrderLog {
 public:
  // Turns what detectors work with (addresses, in a live run) into identities that survive it.
  using Translate = void (*)(LockEdge& edge);

  constexpr LockOrderLog() = default;

  struct Areas {
    std::span<LockEdge> edges;
    std::uint32_t* edge_count;
    std::span<CreationEvent> creations;
    std::uint32_t* creation_count;
    std::uint32_t* dropped;
  };
  // The areas outlast the run; translate may be null.
  void begin_run(const Areas& areas, Translate translate) {
    areas_ = areas;
    translate_ = translate;
    *areas_.edge_count = 0;
    *areas_.creation_count = 0;
    *areas_.dropped = 0;
    complete_ = true;
  }

  void creation(const CreationEvent& event) {
    if (areas_.creation_count == nullptr) return;
    if (*areas_.creation_count >= areas_.creations.size()) {
      complete_ = false;
      return;
    }
    areas_.creations[(*areas_.creation_count)++] = event;
  }

  void drop() {
    if (areas_.dropped != nullptr) ++*areas_.dropped;
  }

  // An edge whose place among the threads' beginnings and ends is not known is dropped: it could seem concurrent to what
  // it is ordered with.
  void edge(const LockEdge& edge) {
    if (areas_.edge_count == nullptr) return;
    if (!complete_ || *areas_.edge_count >= areas_.edges.size()) {
      ++*areas_.dropped;
      return;
    }
    LockEdge& kept = areas_.edges[*areas_.edge_count];
    kept = edge;
    kept.creations = *areas_.creation_count;
    if (translate_ != nullptr) translate_(kept);
    __atomic_store_n(areas_.edge_count, *areas_.edge_count + 1, __ATOMIC_RELEASE);
  }

 private:
  Areas areas_ = {};
  Translate translate_ = nullptr;
  bool complete_ = true;
};

}  // namespace heddle
