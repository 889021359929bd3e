// Reading the fork server's answers with a limit on patience.
#pragma once

#include <chrono>
#include <cstddef>

namespace heddle::campaign {

enum class PipeRead { complete, end_of_file, too_late, interrupted };

struct PipeLimit {
  std::chrono::steady_clock::time_point deadline;
  int stop_descriptor = -1;  // readable: give up; -1: none
};

PipeRead read_fully(int descriptor, void* to, std::size_t size, const PipeLimit& limit);

}  // namespace heddle::campaign
