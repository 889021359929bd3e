// The control block's mapping on the tool's side: a memory file, sparse, shared with one worker's program.
#pragma once

#include "contract/control_block.h"

namespace heddle::campaign {

class ControlMap {
 public:
  // Null block() if the kernel gave no memory file; error() is then an errno value.
  ControlMap();
  ~ControlMap();
  ControlMap(const ControlMap&) = delete;
  ControlMap& operator=(const ControlMap&) = delete;

  ControlBlock* block() { return block_; }
  int descriptor() const { return descriptor_; }
  int error() const { return error_; }

 private:
  ControlBlock* block_ = nullptr;
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace heddle::campaign
