#include "campaign/uninstrumented.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "host/elf_file.h"

namespace heddle::campaign {

namespace {

constexpr std::array<std::string_view, 24> kRuntimes{
    "ld-linux",  "libc.so",      "libm.so",    "libmvec.so",  "libpthread.so", "libdl.so",
    "librt.so",  "libresolv.so", "libutil.so", "libnss_",     "libanl.so",     "libgcc_s.so",
    "libstdc++", "libc++",       "libunwind",  "libatomic",   "libheddle",     "libtsan.so",
    "libgomp",   "libclang_rt.", "libomp.so",  "libiomp5.so", "libubsan.so",   "libquadmath"};

// Whatever is instrumented asks for this when it is loaded. What cannot be read is not spoken of.
bool lacks_instrumentation(const std::string& path) {
  static std::mutex turn;
  static std::map<std::string, bool> known;
  const std::scoped_lock guard(turn);
  const auto [at, is_new] = known.try_emplace(path, false);
  if (is_new) {
    const std::optional<ElfFile> file = ElfFile::open(path);
    at->second = file && !file->has_symbol("__tsan_init", ElfFile::SymbolUse::undefined);
  }
  return at->second;
}

}  // namespace

bool is_runtime_library(std::string_view name) {
  return std::ranges::any_of(kRuntimes,
                             [&](std::string_view runtime) { return name.starts_with(runtime); });
}

std::vector<std::string> uninstrumented_libraries(std::span<const ModuleRecord> modules) {
  std::set<std::string> names;
  if (modules.empty()) return {};
  for (const ModuleRecord& module : modules.subspan(1)) {  // the first is the program
    const std::string path = module.path;
    const std::string name = path.substr(path.rfind('/') + 1);
    if (!is_runtime_library(name) && lacks_instrumentation(path)) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string few_of(std::span<const std::string> libraries) {
  constexpr std::size_t kFew = 6;
  const std::size_t shown = std::min(libraries.size(), kFew);
  std::string text = fmt::format("{}", fmt::join(libraries.first(shown), ", "));
  if (shown < libraries.size()) text += fmt::format(" and {} more", libraries.size() - shown);
  return text;
}

}  // namespace heddle::campaign
