// Whether a loaded module asks others for a symbol.
#pragma once

#include <link.h>

namespace heddle::runtime {

// By its relocations: a reference through the linkage table or by address, whether bound or not.
bool imports(const dl_phdr_info& module, const char* name);

}  // namespace heddle::runtime
