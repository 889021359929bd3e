// heddle save: keeps the minimal schedule beside the user's tests, as one file.
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "campaign/failure_folder.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/files.h"
#include "host/text.h"

namespace heddle {

int save_command(Arguments arguments) {
  CommandApp command("save",
                     "  heddle save heddle-out/failures/<id>\n"
                     "  heddle save heddle-out/failures/<id> --name lost-update --to tests/cases");
  std::string failure;
  std::string name;
  std::string directory = "heddle-cases";
  command.app.add_option("FAILURE", failure, "a failure's folder");
  command.app.add_option("--name", name, "the case's name (the failure's id)");
  command.app.add_option("--to", directory, "where to (heddle-cases)");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (failure.empty()) {
    return report(Error{"Name the failure to save, for example heddle-out/failures/<id>."});
  }
  Result<campaign::OpenedFailure> opened = campaign::open_failure(failure);
  if (!opened) return report(opened.error());
  if (opened->schedule.input.plan.engine != EngineKind::controlled) {
    return report(
        Error{"This failure came from the free engine, which records no decisions, so there is "
              "nothing to "
              "save; hunt for it with --engine controlled.",
              kExitInconclusive});
  }
  if (!opened->schedule.expect_output.empty()) {
    return report(Error{
        "This failure depends on --expect-output, whose text a case cannot hold; keep the whole "
        "folder instead.",
        kExitUnsupported});
  }
  if (name.empty()) name = opened->folder.filename().string();
  if (name.find('/') != std::string::npos) {
    return report(Error{"A case's name is a file's name without '/'; give the directory by --to."});
  }
  if (Result<void> made = make_directories(directory); !made) return report(made.error());
  const std::filesystem::path file = std::filesystem::path(directory) / (name + ".json");
  std::string& input = opened->schedule.program.stdin_path;
  if (input != "/dev/null") {
    const Result<std::string> text = read_file(input);
    if (!text) return report(text.error());
    const std::filesystem::path copy = std::filesystem::path(directory) / (name + ".stdin");
    if (Result<void> copied = write_file(copy, *text); !copied) return report(copied.error());
    input = copy.filename().string();
    fmt::print("saved {}\n", copy.string());
  }
  Result<void> written = write_file(file, campaign::schedule_text(opened->schedule));
  if (!written) return report(written.error());
  fmt::print("saved {}\nreplay: heddle replay {}\n", file.string(), shell_word(file.string()));
  return kExitNothingFound;
}

}  // namespace heddle
