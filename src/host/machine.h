// What this machine, or the container we are in, allows.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct MachineCheck {
  std::string name;
  bool good;
  std::string finding;  // what is, and where it is not good what to do
};

// Tries each thing once, for real: what a container forbids shows only then.
std::vector<MachineCheck> check_machine();

}  // namespace heddle
