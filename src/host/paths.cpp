#include "host/paths.h"

#include <fmt/core.h>

#include <array>

namespace heddle {

std::filesystem::path tool_path() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self;
}

Result<RuntimeFiles> find_runtime_files() { return find_runtime_files(tool_path()); }

Result<RuntimeFiles> find_runtime_files(const std::filesystem::path& tool) {
  const std::filesystem::path home = tool.parent_path();
  const std::array<std::filesystem::path, 2> places{home / "lib" / "heddle",
                                                    home.parent_path() / "lib" / "heddle"};
  for (const std::filesystem::path& place : places) {
    std::error_code error;
    if (std::filesystem::exists(place / "libheddle_rt.so", error)) {
      return RuntimeFiles{.directory = place,
                          .library = place / "libheddle_rt.so",
                          .fast_archive = place / "libheddle_fast.a",
                          .as_gcc_tsan = place / "as-gcc-tsan" / "libtsan.so.2",
                          .as_clang_tsan = place / "as-clang-tsan" / "libclang_rt.tsan-x86_64.so"};
    }
  }
  return Error{fmt::format(
      "heddle's runtime is neither in '{}' nor in '{}'; build it with scripts/build, or install "
      "heddle again.",
      places[0].string(), places[1].string())};
}

}  // namespace heddle
