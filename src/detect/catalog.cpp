#include "detect/catalog.h"

#include "detect/fasttrack.h"

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
     bit(FindingKind::race), true, true, &Only<FastTrack>::instance},
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
