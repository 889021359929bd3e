// Tasks that were never covered although all that they are made of was seen: what to aim at next.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/coverage_names.h"

namespace heddle::campaign {

// As text, each once. Metrics whose tasks cannot be recombined have none.
std::vector<std::string> missing_tasks(std::uint8_t metric, std::span<const TaskRecord> tasks,
                                       const CoverageNames& names);

}  // namespace heddle::campaign
