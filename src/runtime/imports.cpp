#include "runtime/imports.h"

#include <elf.h>

#include <cstddef>
#include <cstdint>

#include "runtime/platform/text.h"

namespace heddle::runtime {
namespace {

struct Relocations {
  const Elf64_Rela* first = nullptr;
  std::size_t count = 0;
};

struct Dynamic {
  Relocations data;
  Relocations calls;
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
};

// glibc has relocated most of these pointers in place, but not those of every module.
template <class T>
const T* pointer(const dl_phdr_info& module, std::uint64_t value) {
  return reinterpret_cast<const T*>(value < module.dlpi_addr ? module.dlpi_addr + value : value);
}

Dynamic read_dynamic(const dl_phdr_info& module, const Elf64_Dyn* entry) {
  Dynamic dynamic;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const std::uint64_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
      case DT_RELA:
        dynamic.data.first = pointer<Elf64_Rela>(module, value);
        break;
      case DT_RELASZ:
        dynamic.data.count = value / sizeof(Elf64_Rela);
        break;
      case DT_JMPREL:
        dynamic.calls.first = pointer<Elf64_Rela>(module, value);
        break;
      case DT_PLTRELSZ:
        dynamic.calls.count = value / sizeof(Elf64_Rela);
        break;
      case DT_SYMTAB:
        dynamic.symbols = pointer<Elf64_Sym>(module, value);
        break;
      case DT_STRTAB:
        dynamic.names = pointer<char>(module, value);
        break;
      default:
        break;
    }
  }
  return dynamic;
}

bool mentions(const Dynamic& dynamic, const Relocations& relocations, const char* name) {
  if (relocations.first == nullptr) return false;
  for (std::size_t i = 0; i < relocations.count; ++i) {
    const std::uint64_t symbol = ELF64_R_SYM(relocations.first[i].r_info);
    if (symbol == 0) continue;  // an address of its own
    if (text_equal(dynamic.names + dynamic.symbols[symbol].st_name, name)) return true;
  }
  return false;
}

}  // namespace

bool imports(const dl_phdr_info& module, const char* name) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const Elf64_Phdr& segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto* const first =
        reinterpret_cast<const Elf64_Dyn*>(module.dlpi_addr + segment.p_vaddr);
    const Dynamic dynamic = read_dynamic(module, first);
    return dynamic.symbols != nullptr && dynamic.names != nullptr &&
           (mentions(dynamic, dynamic.calls, name) || mentions(dynamic, dynamic.data, name));
  }
  return false;
}

}  // namespace heddle::runtime
