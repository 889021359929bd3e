#include "campaign/control_map.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::campaign {

ControlMap::ControlMap() {
  descriptor_ = memfd_create("heddle-control", MFD_CLOEXEC);
  if (descriptor_ < 0 || ftruncate(descriptor_, sizeof(ControlBlock)) != 0) {
    error_ = errno;
    return;
  }
  void* at = mmap(nullptr, sizeof(ControlBlock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                  descriptor_, 0);
  if (at == MAP_FAILED) {
    error_ = errno;
    return;
  }
  block_ = static_cast<ControlBlock*>(at);
  block_->magic = kControlMagic;
  block_->version = kControlVersion;
  block_->size = sizeof(ControlBlock);
}

ControlMap::~ControlMap() {
  if (block_ != nullptr) munmap(block_, sizeof(ControlBlock));
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace heddle::campaign
