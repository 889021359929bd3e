#include "runtime/platform/kernel_name.h"

#include <cstdint>

#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

namespace heddle::runtime {

KernelName kernel_name(int descriptor) {
  char path[64];
  TextBuilder(path, sizeof path).add("/proc/self/fd/").add(static_cast<std::uint64_t>(descriptor));
  KernelName name;
  const long length =
      raw_syscall(SYS_readlink, as_word(path), as_word(name.text), sizeof name.text - 1);
  name.text[length > 0 ? length : 0] = '\0';
  return name;
}

}  // namespace heddle::runtime
