#include "host/elf_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace heddle {
namespace {

// Calls visit(section, header) until it returns true.
template <typename Visit>
bool any_section(Elf* elf, Visit visit) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && visit(section, header)) {
      return true;
    }
  }
  return false;
}

template <typename Visit>
bool any_segment(Elf* elf, Visit visit) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) != nullptr && visit(segment)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<ElfFile> ElfFile::open(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return std::nullopt;
  }
  Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
    elf_end(elf);
    ::close(fd);
    return std::nullopt;
  }
  return ElfFile(fd, elf, header);
}

ElfFile::ElfFile(ElfFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      elf_(std::exchange(other.elf_, nullptr)),
      header_(other.header_) {}

ElfFile::~ElfFile() {
  if (elf_ != nullptr) {
    elf_end(elf_);
    ::close(fd_);
  }
}

std::string ElfFile::text_at(std::uint64_t offset, std::size_t limit) const {
  std::size_t size = 0;
  const char* bytes = elf_rawfile(elf_, &size);
  if (bytes == nullptr || offset >= size) {
    return {};
  }
  return std::string(bytes + offset, strnlen(bytes + offset, std::min(limit, size - offset)));
}

bool ElfFile::has_code(std::string_view bytes) const {
  std::size_t size = 0;
  const char* const file = elf_rawfile(elf_, &size);
  if (file == nullptr) return false;
  return any_segment(elf_, [&](const GElf_Phdr& segment) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) return false;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return false;
    const std::string_view code(file + segment.p_offset, segment.p_filesz);
    return code.find(bytes) != std::string_view::npos;
  });
}

std::string ElfFile::interpreter() const {
  std::string path;
  any_segment(elf_, [&](const GElf_Phdr& segment) {
    if (segment.p_type == PT_INTERP) {
      path = text_at(segment.p_offset, segment.p_filesz);
    }
    return segment.p_type == PT_INTERP;
  });
  return path;
}

bool ElfFile::has_dynamic_section() const {
  return any_segment(elf_, [](const GElf_Phdr& segment) { return segment.p_type == PT_DYNAMIC; });
}

std::vector<std::uint64_t> ElfFile::dynamic_values(std::int64_t tag) const {
  std::vector<std::uint64_t> values;
  any_segment(elf_, [&](const GElf_Phdr& segment) {
    if (segment.p_type != PT_DYNAMIC) {
      return false;
    }
    Elf_Data* data = elf_getdata_rawchunk(elf_, static_cast<std::int64_t>(segment.p_offset),
                                          segment.p_filesz, ELF_T_DYN);
    GElf_Dyn entry;
    for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; ++i) {
      if (entry.d_tag == DT_NULL) {
        break;
      }
      if (entry.d_tag == tag) {
        values.push_back(entry.d_un.d_val);
      }
    }
    return true;
  });
  return values;
}

bool ElfFile::is_position_independent_executable() const {
  for (const std::uint64_t flags : dynamic_values(DT_FLAGS_1)) {
    if ((flags & DF_1_PIE) != 0) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<std::string> names;
  const std::vector<std::uint64_t> tables = dynamic_values(DT_STRTAB);
  if (tables.empty()) {
    return names;
  }
  std::uint64_t table = 0;  // DT_STRTAB is an address; the file wants an offset
  any_segment(elf_, [&](const GElf_Phdr& segment) {
    const bool inside = segment.p_type == PT_LOAD && tables[0] >= segment.p_vaddr &&
                        tables[0] < segment.p_vaddr + segment.p_filesz;
    if (inside) {
      table = tables[0] - segment.p_vaddr + segment.p_offset;
    }
    return inside;
  });
  for (const std::uint64_t offset : dynamic_values(DT_NEEDED)) {
    names.push_back(text_at(table + offset, 4096));
  }
  return names;
}

std::string ElfFile::build_id() const {
  std::string id;
  any_segment(elf_, [&](const GElf_Phdr& segment) {
    if (segment.p_type != PT_NOTE) {
      return false;
    }
    Elf_Data* data =
        elf_getdata_rawchunk(elf_, static_cast<std::int64_t>(segment.p_offset), segment.p_filesz,
                             segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    std::size_t at = 0, name = 0, description = 0;
    GElf_Nhdr note;
    while (data != nullptr && (at = gelf_getnote(data, at, &note, &name, &description)) > 0) {
      const char* bytes = static_cast<const char*>(data->d_buf);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          std::memcmp(bytes + name, "GNU", 4) == 0) {
        for (std::size_t i = 0; i < note.n_descsz; ++i) {
          id += fmt::format("{:02x}", static_cast<unsigned char>(bytes[description + i]));
        }
        return true;
      }
    }
    return false;
  });
  return id;
}

bool ElfFile::has_section(std::string_view name) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) {
    return false;
  }
  return any_section(elf_, [&](Elf_Scn*, const GElf_Shdr& header) {
    const char* text = elf_strptr(elf_, names, header.sh_name);
    return text != nullptr && name == text;
  });
}

bool ElfFile::has_symbol(std::string_view name, SymbolUse use) const {
  return any_section(elf_, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) {
      return false;
    }
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const bool defined = symbol.st_shndx != SHN_UNDEF;
      if (defined != (use == SymbolUse::defined)) {
        continue;
      }
      const char* text = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (text == nullptr) {
        continue;
      }
      // A static symbol table may carry a version: "pthread_create@GLIBC_2.34".
      std::string_view bare(text);
      bare = bare.substr(0, bare.find('@'));
      if (bare == name) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace heddle
