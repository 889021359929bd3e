#include "driver/program_under_test.h"

#include <unistd.h>

#include <filesystem>

#include "host/elf.h"
#include "host/files.h"
#include "host/paths.h"

namespace heddle {

Result<campaign::Program> program_under_test(const std::vector<std::string>& arguments,
                                             const std::string& standard_input) {
  Result<ProgramFile> file = inspect_program(arguments.front());
  if (!file) return file.error();
  const Result<RuntimeFiles> runtime = find_runtime_files();
  if (!runtime) return runtime.error();
  campaign::Program program;
  program.executable = file->path.string();
  program.arguments = arguments;
  program.directory = std::filesystem::current_path().string();
  for (char** entry = environ; *entry != nullptr; ++entry) program.environment.push_back(*entry);
  if (!standard_input.empty()) {
    program.stdin_path = std::filesystem::absolute(standard_input).string();
  }
  program.preload = preload_for(file->kind, *runtime).string();
  program.build_id = file->build_id;
  program.shows_memory = file->kind != ProgramKind::plain;
  return program;
}

Result<void> results_can_be_kept(const RunOptions& options) {
  // Where --json is may be inside --out.
  if (Result<void> made = make_writable_directory(options.out); !made) return made;
  return options.json ? check_writable(*options.json) : Result<void>{};
}

}  // namespace heddle
