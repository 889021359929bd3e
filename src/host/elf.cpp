#include "host/elf.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "host/elf_file.h"
#include "host/files.h"
#include "host/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool is_executable_file(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

// Why a path that was named explicitly cannot be started; empty if it can.
std::string why_not(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    const std::string shown = path.string();
    return errno == ENOENT || errno == ENOTDIR
               ? fmt::format("There is no program '{}'; check the path.", shown)
               : system_error(fmt::format("look at '{}'", shown), errno).sentence;
  }
  if (S_ISDIR(status.st_mode)) {
    return fmt::format("'{}' is a directory; name a program in it.", path.string());
  }
  if (!S_ISREG(status.st_mode)) {
    return fmt::format("'{}' is not a file; name a program.", path.string());
  }
  if (::access(path.c_str(), X_OK) != 0) {
    return fmt::format("'{}' is not executable; build it first, or run 'chmod +x {}'.",
                       path.string(), shell_word(path.string()));
  }
  if (::access(path.c_str(), R_OK) != 0) {
    return fmt::format("'{}' cannot be read; heddle needs to, so run 'chmod +r {}'.", path.string(),
                       shell_word(path.string()));
  }
  return {};
}

Error script_error(const fs::path& path, std::string_view beginning) {
  const std::string_view first_line = beginning.substr(2, beginning.find('\n') - 2);
  return Error{
      fmt::format("'{}' is a script (for {}); name the program it starts, with its arguments, "
                  "instead.",
                  path.string(), trim(first_line))};
}

std::string_view machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "ARM 64";
    case EM_ARM:
      return "ARM";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "PowerPC 64";
    case EM_S390:
      return "s390";
    default:
      return "another kind of machine";
  }
}

// Format, machine and linkage: what no preload can mend.
Result<void> check_format(const ElfFile& elf, const fs::path& path) {
  const std::string name = path.string();
  if (elf.header().e_machine != EM_X86_64) {
    return Error{
        fmt::format("'{}' is built for {}; heddle needs a 64-bit x86 program, so build it "
                    "for x86-64.",
                    name, machine_name(elf.header().e_machine))};
  }
  if (!elf.is_64_bit()) {
    return Error{fmt::format("'{}' is a 32-bit program (x32); build it with -m64.", name)};
  }
  if (elf.header().e_type == ET_REL) {
    return Error{fmt::format("'{}' is an object file; link it first.", name)};
  }
  if (elf.header().e_type != ET_EXEC && elf.header().e_type != ET_DYN) {
    return Error{fmt::format("'{}' is not a program; name the program that made it.", name)};
  }
  if (elf.interpreter().empty()) {
    const bool library = elf.header().e_type == ET_DYN && elf.has_dynamic_section() &&
                         !elf.is_position_independent_executable();
    return Error{library
                     ? fmt::format("'{}' is a shared library; name a program that uses it.", name)
                     : fmt::format("'{}' is a static program, into which no runtime can be loaded; "
                                   "link it without -static.",
                                   name)};
  }
  return {};
}

Result<void> check_privileges(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return {};
  }
  const bool other_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid();
  const bool other_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != ::getegid();
  if (other_user || other_group) {
    return Error{
        fmt::format("'{}' is set-user-id or set-group-id, and the loader keeps runtimes out "
                    "of such programs; copy it without that bit and run the copy.",
                    path.string())};
  }
  return {};
}

// Runtimes whose place ours takes: they need not be here at all.
bool is_replaced(std::string_view library) {
  return library == "libtsan.so.2" || library == "libclang_rt.tsan-x86_64.so" ||
         library == "libheddle_rt.so";
}

struct Listing {
  std::vector<std::string> loaded;  // names as needed, all levels
  std::vector<std::string> missing;
};

// Asks the program's own loader, which knows about rpaths, caches and LD_LIBRARY_PATH.
Listing list_libraries(const std::string& interpreter, const fs::path& path) {
  Listing listing;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);  // $ORIGIN means the real place
  const std::string command =
      fmt::format("LD_PRELOAD= LD_TRACE_LOADED_OBJECTS=1 {} {} 2>&1", shell_word(interpreter),
                  shell_word(error ? path.string() : real.string()));
  FILE* answer = popen(command.c_str(), "re");
  if (answer == nullptr) {
    return listing;
  }
  char line[4096];
  while (std::fgets(line, sizeof line, answer) != nullptr) {
    const std::string_view text = trim(line);
    const std::string_view name = text.substr(0, text.find(' '));
    if (text.find("=> not found") != std::string_view::npos && !is_replaced(name)) {
      listing.missing.emplace_back(name);
    } else if (const std::size_t colon = text.find(": cannot open shared object file");
               colon != std::string_view::npos) {
      const std::string_view before = text.substr(0, colon);
      listing.missing.emplace_back(before.substr(before.rfind(' ') + 1));
    } else if (!name.empty()) {
      listing.loaded.emplace_back(name.substr(name.rfind('/') + 1));
    }
  }
  pclose(answer);
  return listing;
}

bool loads(const Listing& listing, std::string_view beginning) {
  return std::ranges::any_of(listing.loaded, [&](const std::string& name) {
    return std::string_view(name).starts_with(beginning);
  });
}

Result<ProgramKind> kind_of(const ElfFile& elf, const Listing& listing, const fs::path& path) {
  if (loads(listing, "libasan.so") || loads(listing, "libclang_rt.asan") ||
      elf.has_symbol("__asan_init", ElfFile::SymbolUse::defined)) {
    return Error{
        fmt::format("'{}' is built with -fsanitize=address, which takes the same calls as "
                    "heddle; build it without.",
                    path.string())};
  }
  if (loads(listing, "libheddle_rt.so")) {
    return ProgramKind::instrumented;
  }
  if (loads(listing, "libtsan.so.2")) {
    return ProgramKind::gcc_tsan;
  }
  if (loads(listing, "libclang_rt.tsan")) {
    return ProgramKind::clang_tsan;
  }
  if (elf.has_symbol("__tsan_init", ElfFile::SymbolUse::defined)) {
    return Error{
        fmt::format("'{}' has ThreadSanitizer linked into it, which cannot be replaced when "
                    "it is loaded; build it with 'heddle c++', or link it with "
                    "-shared-libsan (clang) or without -static-libtsan (gcc).",
                    path.string())};
  }
  if (loads(listing, "libtsan.so")) {
    return Error{
        fmt::format("'{}' is built with the ThreadSanitizer of another gcc version, whose "
                    "place heddle cannot take; build it with 'heddle c++'.",
                    path.string())};
  }
  return ProgramKind::plain;
}

}  // namespace

Result<fs::path> find_program(std::string_view name) {
  if (name.empty()) {
    return Error{"The program's name is empty; name a program after '--'."};
  }
  if (name.find('/') != std::string_view::npos) {
    const fs::path path(name);
    if (std::string reason = why_not(path); !reason.empty()) {
      return Error{std::move(reason)};
    }
    return fs::absolute(path).lexically_normal();
  }
  const char* search = std::getenv("PATH");
  for (const std::string_view directory :
       split(search != nullptr ? search : "/bin:/usr/bin", ':')) {
    const fs::path path = fs::path(directory.empty() ? "." : directory) / name;
    if (is_executable_file(path)) {
      return fs::absolute(path).lexically_normal();
    }
  }
  std::error_code ignored;
  if (fs::is_directory(fs::path(name), ignored)) {
    return Error{fmt::format("'{}' is a directory; name a program in it.", name)};
  }
  if (fs::is_regular_file(fs::path(name), ignored)) {
    return Error{
        fmt::format("There is no program '{0}' in PATH; for the one in this directory write "
                    "./{0}.",
                    name)};
  }
  return Error{fmt::format("There is no program '{}' in PATH; check the name.", name)};
}

Result<ProgramFile> inspect_program(std::string_view name) {
  Result<fs::path> path = find_program(name);
  if (!path) {
    return path.error();
  }
  ProgramFile program;
  program.path = *path;
  const Result<std::string> beginning = read_file_beginning(*path, 256);
  if (!beginning) {
    return beginning.error();
  }
  if (beginning->starts_with("#!")) {
    return script_error(*path, *beginning);
  }
  const std::optional<ElfFile> elf = ElfFile::open(*path);
  if (!elf) {
    return Error{fmt::format(
        "'{}' is not a program for Linux (no ELF file); name a compiled program.", path->string())};
  }
  if (Result<void> format = check_format(*elf, *path); !format) {
    return format.error();
  }
  if (Result<void> privileges = check_privileges(*path); !privileges) {
    return privileges.error();
  }
  const std::string interpreter = elf->interpreter();
  std::error_code ignored;
  if (!fs::exists(interpreter, ignored)) {
    return Error{
        fmt::format("'{}' needs the loader '{}', which is not here; install the C library it "
                    "was built for.",
                    path->string(), interpreter)};
  }
  if (interpreter.find("musl") != std::string::npos) {
    return Error{fmt::format("'{}' is built for musl; heddle needs a program built for glibc.",
                             path->string())};
  }
  const Listing listing = list_libraries(interpreter, *path);
  if (!listing.missing.empty()) {
    const std::vector<std::string_view> names(listing.missing.begin(), listing.missing.end());
    return Error{
        fmt::format("'{}' needs {}, which the loader does not find; install it, or name its "
                    "directory in LD_LIBRARY_PATH.",
                    path->string(), join(names, " and "))};
  }
  Result<ProgramKind> kind = kind_of(*elf, listing, *path);
  if (!kind) {
    return kind.error();
  }
  program.kind = *kind;
  program.build_id = elf->build_id();
  program.debug_information = elf->has_section(".debug_info");
  program.uses_threads = elf->has_symbol("pthread_create", ElfFile::SymbolUse::undefined) ||
                         elf->has_symbol("thrd_create", ElfFile::SymbolUse::undefined) ||
                         loads(listing, "libstdc++.so") || loads(listing, "libgomp.so");
  program.uses_openmp = loads(listing, "libgomp.so") || loads(listing, "libomp.so");
  program.needed = elf->needed();
  return program;
}

const fs::path& preload_for(ProgramKind kind, const RuntimeFiles& files) {
  switch (kind) {
    case ProgramKind::gcc_tsan:
      return files.as_gcc_tsan;
    case ProgramKind::clang_tsan:
      return files.as_clang_tsan;
    case ProgramKind::instrumented:
    case ProgramKind::plain:
      break;
  }
  return files.library;
}

std::string_view describe(ProgramKind kind) {
  switch (kind) {
    case ProgramKind::instrumented:
      return "built with heddle's instrumentation";
    case ProgramKind::gcc_tsan:
      return "built with gcc -fsanitize=thread";
    case ProgramKind::clang_tsan:
      return "built with clang -fsanitize=thread -shared-libsan";
    case ProgramKind::plain:
      return "a plain dynamic program";
  }
  return "";
}

}  // namespace heddle
