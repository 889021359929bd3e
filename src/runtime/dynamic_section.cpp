#include "runtime/dynamic_section.h"

#include <cstdint>

#include "runtime/platform/text.h"

namespace heddle::runtime {
namespace {

// glibc has relocated most of these pointers in place, but not those of every module.
template <class T>
const T* pointer(const dl_phdr_info& module, std::uint64_t value) {
  return reinterpret_cast<const T*>(value < module.dlpi_addr ? module.dlpi_addr + value : value);
}

DynamicSection read(const dl_phdr_info& module, const Elf64_Dyn* entry) {
  DynamicSection section;
  bool with_addends = false;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const std::uint64_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
      case DT_RELA:
        section.data.first = pointer<Elf64_Rela>(module, value);
        break;
      case DT_RELASZ:
        section.data.count = value / sizeof(Elf64_Rela);
        break;
      case DT_JMPREL:
        section.slots.first = pointer<Elf64_Rela>(module, value);
        break;
      case DT_PLTRELSZ:
        section.slots.count = value / sizeof(Elf64_Rela);
        break;
      case DT_PLTREL:
        with_addends = value == DT_RELA;
        break;
      case DT_SYMTAB:
        section.symbols = pointer<Elf64_Sym>(module, value);
        break;
      case DT_STRTAB:
        section.names = pointer<char>(module, value);
        break;
      case DT_VERSYM:
        section.versions = pointer<Elf64_Half>(module, value);
        break;
      case DT_VERNEED:
        section.needed = pointer<Elf64_Verneed>(module, value);
        break;
      case DT_VERDEF:
        section.defined = pointer<Elf64_Verdef>(module, value);
        break;
      case DT_SYMBOLIC:  // looks into itself first: not the global scope
        section.lazy = false;
        break;
      case DT_FLAGS:
        section.lazy = section.lazy && (value & (DF_SYMBOLIC | DF_BIND_NOW)) == 0;
        break;
      case DT_FLAGS_1:
        section.lazy = section.lazy && (value & DF_1_NOW) == 0;
        break;
      default:
        break;
    }
  }
  if (!with_addends) section.slots = {};
  return section;
}

bool mentions(const DynamicSection& section, const Relocations& relocations, const char* name) {
  if (relocations.first == nullptr) return false;
  for (std::size_t i = 0; i < relocations.count; ++i) {
    const std::uint64_t symbol = ELF64_R_SYM(relocations.first[i].r_info);
    if (symbol == 0) continue;  // an address of its own
    if (text_equal(section.names + section.symbols[symbol].st_name, name)) return true;
  }
  return false;
}

}  // namespace

DynamicSection read_dynamic_section(const dl_phdr_info& module) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const Elf64_Phdr& segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    return read(module, reinterpret_cast<const Elf64_Dyn*>(module.dlpi_addr + segment.p_vaddr));
  }
  return {};
}

bool imports(const dl_phdr_info& module, const char* name) {
  const DynamicSection section = read_dynamic_section(module);
  return section.has_names() &&
         (mentions(section, section.slots, name) || mentions(section, section.data, name));
}

}  // namespace heddle::runtime
