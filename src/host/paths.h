// Where heddle's own files are: beside the tool in a build tree, in ../lib/heddle of an installed
// one.
#pragma once

#include <filesystem>

#include "host/result.h"

namespace heddle {

// All absolute.
struct RuntimeFiles {
  std::filesystem::path directory;
  std::filesystem::path
      library;  // libheddle_rt.so: preloaded into plain programs, linked by the wrapper
  std::filesystem::path fast_archive;   // libheddle_fast.a: access stubs for instrumented modules
  std::filesystem::path as_gcc_tsan;    // the same runtime named libtsan.so.2
  std::filesystem::path as_clang_tsan;  // and libclang_rt.tsan-x86_64.so
};

std::filesystem::path tool_path();

Result<RuntimeFiles> find_runtime_files();
// The same for a tool that stands elsewhere.
Result<RuntimeFiles> find_runtime_files(const std::filesystem::path& tool);

}  // namespace heddle
