// One ELF file, read through libelf: only what inspecting a program and naming its symbols need.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class ElfFile {
 public:
  // Nothing if it cannot be opened or is no ELF file.
  static std::optional<ElfFile> open(const std::filesystem::path& path);
  ElfFile(ElfFile&& other) noexcept;
  ElfFile& operator=(ElfFile&&) = delete;
  ~ElfFile();

  const GElf_Ehdr& header() const { return header_; }
  bool is_64_bit() const { return gelf_getclass(elf_) == ELFCLASS64; }

  std::string interpreter() const;  // empty: static, or a library
  bool has_dynamic_section() const;
  bool is_position_independent_executable() const;  // DF_1_PIE: tells static-pie from a library
  std::vector<std::string> needed() const;
  std::string build_id() const;  // hexadecimal
  bool has_section(std::string_view name) const;

  enum class SymbolUse { defined, undefined };
  // In .dynsym or .symtab.
  bool has_symbol(std::string_view name, SymbolUse use) const;

  // Somewhere in what is executable, in the middle of another instruction perhaps.
  bool has_code(std::string_view bytes) const;

 private:
  ElfFile(int fd, Elf* elf, const GElf_Ehdr& header) : fd_(fd), elf_(elf), header_(header) {}
  // All dynamic entries with this tag.
  std::vector<std::uint64_t> dynamic_values(std::int64_t tag) const;
  std::string text_at(std::uint64_t offset, std::size_t limit) const;

  int fd_;
  Elf* elf_;
  GElf_Ehdr header_;
};

}  // namespace heddle
