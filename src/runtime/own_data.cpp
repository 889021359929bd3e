// Variables that begin with anything but zero lie in the library's file, and large tables with them. A run that reads there has
// the kernel map 16 pages around each place, and pays for them again at its end; one that writes copies a page of the
// file. Most of these pages are zero: as anonymous memory they do not exist until they are written.
#include "runtime/own_data.h"

#include <link.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "runtime/platform/memory.h"
#include "runtime/platform/syscall.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kPage = 4096;

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Whole pages of the file that are ours to write: what is read-only after relocation stays as it is.
int find_own_data(dl_phdr_info* info, std::size_t, void* result) {
  const auto here = reinterpret_cast<std::uint64_t>(&find_own_data);
  Range data;
  std::uint64_t relro_end = 0;
  bool ours = false;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_RELRO) relro_end = begin + part.p_memsz;
    if (part.p_type != PT_LOAD) continue;
    ours = ours || (here >= begin && here < begin + part.p_memsz);
    if ((part.p_flags & PF_W) != 0) data = {begin, begin + part.p_filesz};
  }
  if (!ours) return 0;
  if (relro_end > data.begin) data.begin = relro_end;
  data.begin = (data.begin + kPage - 1) & ~(kPage - 1);
  data.end &= ~(kPage - 1);
  *static_cast<Range*>(result) = data;
  return 1;
}

bool is_zero(const std::uint64_t* page) {
  for (std::size_t i = 0; i < kPage / sizeof *page; ++i) {
    if (page[i] != 0) return false;
  }
  return true;
}

}  // namespace

void make_own_data_anonymous() {
  Range data;
  dl_iterate_phdr(find_own_data, &data);
  if (data.begin >= data.end) return;
  const std::uint64_t size = data.end - data.begin;
  const auto copy = reinterpret_cast<std::uint64_t>(map_memory(size));
  if (copy == 0) return;
  // No variable of ours may change from here on, until the copy has taken their place.
  for (std::uint64_t at = 0; at < size; at += kPage) {
    const auto* const from = reinterpret_cast<const std::uint64_t*>(data.begin + at);
    auto* const to = reinterpret_cast<std::uint64_t*>(copy + at);
    if (is_zero(from)) continue;
    for (std::size_t i = 0; i < kPage / sizeof *to; ++i) to[i] = from[i];
  }
  const long moved = raw_syscall(SYS_mremap, static_cast<long>(copy), static_cast<long>(size),
                                 static_cast<long>(size), MREMAP_MAYMOVE | MREMAP_FIXED,
                                 static_cast<long>(data.begin));
  if (moved < 0 && moved > -4096) raw_syscall(SYS_munmap, static_cast<long>(copy), size);
}

}  // namespace heddle::runtime
