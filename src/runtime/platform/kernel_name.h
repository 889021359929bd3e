// What the kernel calls a descriptor: "pipe:[4711]", "anon_inode:[eventfd]", or a path.
#pragma once

namespace heddle::runtime {

struct KernelName {
  char text[64];
};

// Empty if there is no such descriptor, or no /proc.
KernelName kernel_name(int descriptor);

}  // namespace heddle::runtime
