// Every metric by name, a row each. Names are the papers' and stored on disk: a changed algorithm gets a new name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "coverage/metric.h"

namespace heddle {

// What 001 3.4 found when it looked at how coverage grows over runs.
enum class Growth : std::uint8_t { early, good, too_fine };

struct MetricCatalogRow {
  std::string_view name;
  std::string_view summary;  // one line for `heddle list metrics`
  // How a task reads: {n} is its n-th part, {n*} all parts from the n-th on.
  std::string_view form;
  std::string_view words;  // of parts that are words, separated by |
  Growth growth;
  bool watches_memory;    // needs every plain access (level memory)
  Metric& (*instance)();  // rows with the same object are neighbours
};

std::span<const MetricCatalogRow> metric_catalog();

// Null if there is no such name.
const MetricCatalogRow* find_metric(std::string_view name);

// RunPlan::metrics has a bit per row.
using MetricMask = std::uint32_t;
constexpr MetricMask bit_of_metric(std::size_t row) { return MetricMask{1} << row; }

}  // namespace heddle
