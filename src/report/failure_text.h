// A failure on the terminal: at most 40 lines that say what went wrong and what to do next (DESIGN A4).
#pragma once

#include <string>

#include "campaign/failure.h"
#include "host/terminal.h"

namespace heddle::reports {

inline constexpr std::size_t kMostFailureLines = 40;

// `tool` is how the user calls heddle; `directory` how they would write the folder's path.
struct FailureCommands {
  std::string tool = "heddle";
  std::string directory;
};

std::string failure_text(const campaign::Failure& failure, const FailureCommands& commands,
                         const Terminal& terminal);

}  // namespace heddle::reports
