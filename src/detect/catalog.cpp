#include "detect/catalog.h"

#include "detect/atomrace.h"
#include "detect/avio.h"
#include "detect/check_then_act.h"
#include "detect/eraser.h"
#include "detect/fasttrack.h"
#include "detect/goldilocks.h"
#include "detect/goodlock.h"
#include "detect/misuse.h"

namespace heddle {
namespace {

template <class T>
struct Only {
  static constinit T object;
  static Detector& instance() { return object; }
};
template <class T>
constinit T Only<T>::object{};

constexpr DetectorRow kRows[] = {
    {"fasttrack", "data races by happens-before, precise (Flanagan, Freund, PLDI 2009)",
     bit(FindingKind::race) | bit(FindingKind::sleep_sync), Memory::tracks, true,
     &Only<FastTrack>::instance},
    {"goldilocks", "data races by ownership that passes on (Elmas, Qadeer, Tasiran, PLDI 2007)",
     bit(FindingKind::race), Memory::watches, false, &Only<Goldilocks>::instance},
    {"eraser", "variables without a lock of their own, no order known (Savage et al., TOCS 1997)",
     bit(FindingKind::race), Memory::watches, false, &Only<Eraser>::instance},
    {"atomrace", "accesses that really overlap (Letko, Vojnar, Krena, PADTAD 2008)",
     bit(FindingKind::race), Memory::watches, false, &Only<AtomRace>::instance},
    {"avio", "unserialisable interleavings of one variable: candidates (Lu et al., ASPLOS 2006)",
     bit(FindingKind::atomicity), Memory::watches, true, &Only<Avio>::instance},
    {"goodlock", "locks taken in a circle, met or not (Havelund, SPIN 2000; Bensalem, HVC 2005)",
     bit(FindingKind::lock_order), Memory::ignores, true, &Only<Goodlock>::instance},
    {"misuse", "primitives used against POSIX's rules; threads never joined",
     bit(FindingKind::misuse) | bit(FindingKind::leak), Memory::ignores, true,
     &Only<Misuse>::instance},
    {"check-then-act",
     "locked, checked, let go, locked again: candidates (Artho, Havelund, Biere, STVR 2003)",
     bit(FindingKind::atomicity), Memory::watches, true, &Only<CheckThenAct>::instance},
};

}  // namespace

std::span<const DetectorRow> detector_catalog() { return kRows; }

const DetectorRow* find_detector(std::string_view name) {
  for (const DetectorRow& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

DetectorMask detectors_for(FindingKinds kinds) {
  DetectorMask mask = 0;
  for (std::size_t i = 0; i < detector_catalog().size(); ++i) {
    if (kRows[i].default_for_kinds && (kRows[i].finds & kinds) != 0) mask |= bit_of_row(i);
  }
  return mask;
}

}  // namespace heddle
