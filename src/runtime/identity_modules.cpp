// The module table: dl_iterate_phdr's list, with indices that stay.
#include <elf.h>
#include <link.h>

#include "runtime/dynamic_section.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/module_table.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

struct Snapshot {
  std::uint32_t count;
  LoadedModule modules[kMaxModules];  // ascending by start
};

// Readers may still be in an older one while the next is written: dlopen is rare enough that eight are plenty.
constexpr unsigned kSnapshots = 8;
Snapshot g_snapshots[kSnapshots];
unsigned g_next_snapshot = 0;
Snapshot* g_current = nullptr;
std::uint32_t g_writing = 0;
bool g_stale = false;
std::uint64_t g_generation = 0;  // dlpi_adds and dlpi_subs when the snapshot was taken

std::uint64_t generation_of(const dl_phdr_info& info) {
  return info.dlpi_adds * 0x10001 + info.dlpi_subs;
}

// glibc's from 2.35 on: which object holds an address, without a lock. What it tells is larger than what is known of it.
struct FoundObject {
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t rest[30];
};
HEDDLE_REAL Real<int(void*, FoundObject*)> real_find_object{"_dl_find_object"};
bool g_finds_objects = false;

// Where objects begin that are not listed: this library, the vDSO, other namespaces.
constexpr std::size_t kMostUnlisted = 8;
std::uint64_t g_unlisted[kMostUnlisted];
std::size_t g_unlisted_count = 0;

bool is_unlisted(std::uint64_t start) {
  for (const std::uint64_t known : g_unlisted) {
    if (known == start) return true;
  }
  return false;
}

void note_unlisted(std::uint64_t start) {
  const std::size_t at = __atomic_fetch_add(&g_unlisted_count, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&g_unlisted[at % kMostUnlisted], start, __ATOMIC_RELAXED);
}

// This library itself, once the modules were read.
std::uint64_t g_own_start = 0;
std::uint64_t g_own_end = 0;

// A place inside this library.
std::uint64_t own_address() { return reinterpret_cast<std::uint64_t>(&g_snapshots); }

void read_build_id(const dl_phdr_info& info, ModuleRecord& record) {
  record.build_id_size = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info.dlpi_addr + segment.p_vaddr);
    const char* const end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* const note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* const name = at + sizeof(ElfW(Nhdr));
      const char* const bytes = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && text_starts(name, "GNU")) {
        const std::uint32_t size =
            note->n_descsz < sizeof record.build_id ? note->n_descsz : sizeof record.build_id;
        for (std::uint32_t k = 0; k < size; ++k) {
          record.build_id[k] = static_cast<std::uint8_t>(bytes[k]);
        }
        record.build_id_size = size;
        return;
      }
      at = bytes + ((note->n_descsz + 3) & ~3u);
    }
  }
}

void read_path(const dl_phdr_info& info, bool is_program, ModuleRecord& record) {
  if (!is_program) {
    TextBuilder(record.path, sizeof record.path).add(info.dlpi_name);
    return;
  }
  const long length = raw_syscall(SYS_readlink, as_word("/proc/self/exe"), as_word(record.path),
                                  sizeof record.path - 1);
  record.path[length > 0 ? length : 0] = '\0';
}

// The index of this module, an old one if it was loaded before.
std::uint32_t index_of(const ModuleRecord& record) {
  ControlBlock& control = *g_control;
  for (std::uint32_t i = 0; i < control.module_count; ++i) {
    const ModuleRecord& known = control.modules[i];
    if (!text_equal(known.path, record.path)) continue;
    bool same = known.build_id_size == record.build_id_size;
    for (std::uint32_t k = 0; same && k < record.build_id_size; ++k) {
      same = known.build_id[k] == record.build_id[k];
    }
    if (same) {
      control.modules[i].base = record.base;
      return i;
    }
  }
  if (control.module_count >= kMaxModules) return kMaxModules;
  control.modules[control.module_count] = record;
  return control.module_count++;
}

struct Reading {
  Snapshot* into;
  bool first;
};

int read_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& reading = *static_cast<Reading*>(argument);
  const bool is_program = reading.first;
  reading.first = false;
  g_generation = generation_of(*info);
  std::uint64_t start = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t from = info->dlpi_addr + segment.p_vaddr;
    if (from < start) start = from;
    if (from + segment.p_memsz > end) end = from + segment.p_memsz;
  }
  if (end == 0) return 0;
  if (own_address() >= start && own_address() < end) {
    g_own_start = start;
    g_own_end = end;
    return 0;
  }
  if (!is_program && (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0' ||
                      text_starts(info->dlpi_name, "linux-vdso"))) {
    return 0;
  }
  ModuleRecord record{};
  record.base = info->dlpi_addr;
  record.size = end - info->dlpi_addr;
  read_path(*info, is_program, record);
  read_build_id(*info, record);
  const std::uint32_t index = index_of(record);
  Snapshot& snapshot = *reading.into;
  if (index >= kMaxModules || snapshot.count >= kMaxModules) return 0;
  std::uint32_t place = snapshot.count++;
  while (place > 0 && snapshot.modules[place - 1].start > start) {
    snapshot.modules[place] = snapshot.modules[place - 1];
    --place;
  }
  // Not by who calls that function: a constructor may leave by jumping there, and then nobody seems to.
  const bool instrumented = imports(*info, "__tsan_init");
  snapshot.modules[place] = {start, end, info->dlpi_addr, index, instrumented};
  return 0;
}

int read_generation(dl_phdr_info* info, std::size_t, void* argument) {
  *static_cast<std::uint64_t*>(argument) = generation_of(*info);
  return 1;
}

const LoadedModule* search(const Snapshot* snapshot, std::uint64_t address) {
  if (snapshot == nullptr) return nullptr;
  std::uint32_t low = 0;
  std::uint32_t high = snapshot->count;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    const LoadedModule& module = snapshot->modules[middle];
    if (address < module.start) {
      high = middle;
    } else if (address >= module.end) {
      low = middle + 1;
    } else {
      return &module;
    }
  }
  return nullptr;
}

// False: somebody else is at it.
bool read_modules() {
  InRuntime guard(current_thread());
  if (__atomic_exchange_n(&g_writing, 1, __ATOMIC_ACQUIRE) != 0) return false;
  g_finds_objects = real_find_object.exists();
  g_stale = false;
  Snapshot& fresh = g_snapshots[g_next_snapshot++ % kSnapshots];
  fresh.count = 0;
  Reading reading{&fresh, true};
  dl_iterate_phdr(read_module, &reading);
  __atomic_store_n(&g_current, &fresh, __ATOMIC_RELEASE);
  note_places_changed();
  __atomic_store_n(&g_writing, 0, __ATOMIC_RELEASE);
  return true;
}

}  // namespace

void note_modules() {
  if (g_control != nullptr) read_modules();
}

void forget_modules() {
  for (std::uint64_t& unlisted : g_unlisted) __atomic_store_n(&unlisted, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&g_stale, true, __ATOMIC_RELAXED);
  note_places_changed();
}

// dlopen is not interposed: it looks for files relative to its caller, which must stay the program. Instead a miss asks
// the loader whether its list has changed.
const LoadedModule* find_module(std::uint64_t address) {
  if (__atomic_load_n(&g_stale, __ATOMIC_RELAXED)) note_modules();
  const LoadedModule* const found = search(__atomic_load_n(&g_current, __ATOMIC_ACQUIRE), address);
  return found;
}

const LoadedModule* find_new_module(std::uint64_t address) {
  if (g_control == nullptr || !g_finds_objects) return nullptr;
  if (own_offset(address) != 0) return nullptr;  // never listed: every run would look for it anew
  FoundObject object{};
  if (real_find_object(reinterpret_cast<void*>(address), &object) != 0) return nullptr;
  if (is_unlisted(object.start)) return nullptr;
  const bool read = read_modules();
  const LoadedModule* const found = search(__atomic_load_n(&g_current, __ATOMIC_ACQUIRE), address);
  if (found == nullptr && read) note_unlisted(object.start);
  return found;
}

// As find_module, but a miss asks the loader: code is rarely unknown, and then even a lock of the loader's is not too much.
static const LoadedModule* find_code_module(std::uint64_t address) {
  const LoadedModule* const found = find_module(address);
  if (found != nullptr || g_control == nullptr) return found;
  if (g_finds_objects) return find_new_module(address);
  std::uint64_t generation = 0;
  {
    InRuntime guard(current_thread());
    dl_iterate_phdr(read_generation, &generation);
  }
  if (generation == g_generation) return nullptr;
  note_modules();
  return search(__atomic_load_n(&g_current, __ATOMIC_ACQUIRE), address);
}

const LoadedModule* module_by_index(std::uint64_t index) {
  const Snapshot* const snapshot = __atomic_load_n(&g_current, __ATOMIC_ACQUIRE);
  if (snapshot == nullptr) return nullptr;
  for (std::uint32_t i = 0; i < snapshot->count; ++i) {
    if (snapshot->modules[i].index == index) return &snapshot->modules[i];
  }
  return nullptr;
}

std::uint64_t own_offset(std::uint64_t address) {
  return address >= g_own_start && address < g_own_end ? address - g_own_start : 0;
}

SiteId site_of(const void* return_address) {
  if (return_address == nullptr) return SiteId{0};
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(return_address) - 1;
  const LoadedModule* const module = find_code_module(address);
  return module == nullptr ? SiteId{0} : make_site(module->index, address - module->bias);
}

}  // namespace heddle::runtime
