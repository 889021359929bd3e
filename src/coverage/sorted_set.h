// A small set of parts whose order is that of their values, so that equal sets are equal tasks.
#pragma once

#include "coverage/task_sink.h"

namespace heddle {

class SortedSet {
 public:
  void insert(Part part) {
    std::size_t at = 0;
    while (at < parts_.size() && less(parts_[at], part)) ++at;
    if (at < parts_.size() && !less(part, parts_[at])) return;
    if (parts_.full()) return;
    parts_.push_back(part);
    for (std::size_t i = parts_.size() - 1; i > at; --i) parts_[i] = parts_[i - 1];
    parts_[at] = part;
  }
  void add_to(Task& task) const {
    for (const Part& part : parts_) task.add(part);
  }

 private:
  static bool less(const Part& a, const Part& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.value < b.value;
  }

  FixedVector<Part, 64> parts_;
};

}  // namespace heddle
