// Libraries whose accesses and whose own ways of waiting nobody sees: a lock that such a library has of its own (GMutex, absl::Mutex)
// keeps accesses of the program apart, and they look like a race.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/control_block.h"

namespace heddle::campaign {

// By a file's name: of the C and C++ runtimes, heddle or OpenMP.
bool is_runtime_library(std::string_view name);

// File names, sorted. What belongs to the C and C++ runtimes, to heddle or to OpenMP (unseen_order.h) is not among them.
std::vector<std::string> uninstrumented_libraries(std::span<const ModuleRecord> modules);

// "libglib-2.0.so.0, libpcre2-8.so.0"; a large program has dozens, of which the first stand for all.
std::string few_of(std::span<const std::string> libraries);

}  // namespace heddle::campaign
