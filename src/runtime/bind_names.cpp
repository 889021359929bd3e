#include "runtime/bind_names.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "runtime/dynamic_section.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

struct Module {
  std::uint64_t base = 0;
  std::uint64_t end = 0;
  std::uint64_t relro_start = 0;
  std::uint64_t relro_end = 0;
  DynamicSection dynamic;
};

template <class T>
const T* following(const T* entry, std::uint64_t distance) {
  return reinterpret_cast<const T*>(reinterpret_cast<const char*>(entry) + distance);
}

// Null: the reference has no version.
const char* version_name(const Module& module, std::uint32_t symbol) {
  constexpr unsigned kHidden = 0x8000;
  if (module.dynamic.versions == nullptr) return nullptr;
  const unsigned index = module.dynamic.versions[symbol] & ~kHidden;
  if (index <= VER_NDX_GLOBAL) return nullptr;
  for (const Elf64_Verneed* file = module.dynamic.needed; file != nullptr;) {
    const auto* one = reinterpret_cast<const Elf64_Vernaux*>(following(file, file->vn_aux));
    for (unsigned i = 0; i < file->vn_cnt; ++i, one = following(one, one->vna_next)) {
      if (one->vna_other == index) return module.dynamic.names + one->vna_name;
    }
    file = file->vn_next == 0 ? nullptr : following(file, file->vn_next);
  }
  for (const Elf64_Verdef* version = module.dynamic.defined; version != nullptr;) {
    if (version->vd_ndx == index) {
      const auto* const name =
          reinterpret_cast<const Elf64_Verdaux*>(following(version, version->vd_aux));
      return module.dynamic.names + name->vda_name;
    }
    version = version->vd_next == 0 ? nullptr : following(version, version->vd_next);
  }
  return nullptr;
}

// A slot that nobody has bound or redirected leads to the module's own stub: push the slot's number, ask the linker.
bool is_unbound(std::uint64_t target, std::size_t number, const Module& module) {
  if (target < module.base || target >= module.end) return false;
  constexpr unsigned char kEndbr[4] = {0xf3, 0x0f, 0x1e, 0xfa};
  constexpr unsigned char kPush = 0x68;
  const auto* code = reinterpret_cast<const unsigned char*>(target);
  if (__builtin_memcmp(code, kEndbr, sizeof kEndbr) == 0) code += sizeof kEndbr;
  std::uint32_t pushed = 0;
  __builtin_memcpy(&pushed, code + 1, sizeof pushed);
  return code[0] == kPush && pushed == number;
}

std::uint64_t g_own_base = 0;
std::uint64_t g_own_end = 0;

bool is_ours(void* function) {
  const auto address = reinterpret_cast<std::uint64_t>(function);
  return address >= g_own_base && address < g_own_end;
}

// What the linker would choose, null where that is not certain: it takes the first definition that has the wanted version or
// none at all, as ours have. dlsym takes the first whatever its version, dlvsym the first that has exactly this one.
void* find_like_linker(const char* name, const char* version) {
  void* const first = dlsym(RTLD_DEFAULT, name);
  if (first == nullptr || is_ours(first)) return first;
  return version != nullptr && dlvsym(RTLD_DEFAULT, name, version) == first ? first : nullptr;
}

void bind(const Module& module, std::size_t number) {
  const Elf64_Rela& slot = module.dynamic.slots.first[number];
  if (ELF64_R_TYPE(slot.r_info) != R_X86_64_JUMP_SLOT) return;
  const std::uint64_t address = module.base + slot.r_offset;
  if (address >= module.relro_start && address < module.relro_end) return;
  auto* const target = reinterpret_cast<std::uint64_t*>(address);
  if (!is_unbound(*target, number, module)) return;
  const auto symbol = static_cast<std::uint32_t>(ELF64_R_SYM(slot.r_info));
  const char* const name = module.dynamic.names + module.dynamic.symbols[symbol].st_name;
  if (void* const found = find_like_linker(name, version_name(module, symbol))) {
    *target = reinterpret_cast<std::uint64_t>(found);
  }
}

Module outline(const dl_phdr_info& info) {
  Module module;
  module.base = info.dlpi_addr;
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const Elf64_Phdr& part = info.dlpi_phdr[i];
    const std::uint64_t start = module.base + part.p_vaddr;
    if (part.p_type == PT_LOAD && start + part.p_memsz > module.end) {
      module.end = start + part.p_memsz;
    }
    if (part.p_type == PT_GNU_RELRO) {
      module.relro_start = start;
      module.relro_end = start + part.p_memsz;
    }
  }
  return module;
}

int find_own(dl_phdr_info* info, std::size_t, void*) {
  const Module module = outline(*info);
  const auto here = reinterpret_cast<std::uint64_t>(&find_own);
  if (here < module.base || here >= module.end) return 0;
  g_own_base = module.base;
  g_own_end = module.end;
  return 1;
}

int bind_module(dl_phdr_info* info, std::size_t, void*) {
  Module module = outline(*info);
  module.dynamic = read_dynamic_section(*info);
  if (!module.dynamic.lazy || module.dynamic.slots.first == nullptr ||
      !module.dynamic.has_names()) {
    return 0;
  }
  for (std::size_t i = 0; i < module.dynamic.slots.count; ++i) bind(module, i);
  return 0;
}

}  // namespace

void bind_lazy_names() {
  const int saved = errno;
  const InRuntime guard(current_thread());
  dl_iterate_phdr(find_own, nullptr);
  dl_iterate_phdr(bind_module, nullptr);
  dlerror();  // a name that nobody has left a message there
  errno = saved;
}

}  // namespace heddle::runtime
