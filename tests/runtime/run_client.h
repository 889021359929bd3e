// The tool's side of contract/control_block.h, as small as it can be: for tests of the runtime alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contract/control_block.h"

namespace heddle::test {

struct Finished {
  bool started = false;
  int wait_status = -1;
  std::string output;  // stdout
  std::string errors;  // stderr
  RunOutcome outcome{};
  unsigned orphans = 0;  // that the server ended
};

class RunClient {
 public:
  RunClient(std::vector<std::string> command, ServerMode mode,
            std::vector<std::string> environment = {});
  ~RunClient();
  RunClient(const RunClient&) = delete;
  RunClient& operator=(const RunClient&) = delete;

  ControlBlock& control() { return *control_; }
  const Hello& hello() const { return hello_; }
  bool alive() const { return greeted_; }
  pid_t pid() const { return pid_; }

  // One run with the plan as it stands in the control block.
  Finished run();
  // Asks for a run without waiting for its end; returns its process id.
  pid_t begin();
  // Ends the conversation; the server's exit status.
  int hang_up();

  const std::string& directory() const { return directory_; }

 private:
  Finished collect(bool started, int status);

  ControlBlock* control_ = nullptr;
  int command_ = -1;
  int status_ = -1;
  pid_t pid_ = -1;
  ServerMode mode_;
  Hello hello_{};
  bool greeted_ = false;
  std::string directory_;
};

// random-all with yields: the noise that every build knows.
NoiseSettings yields(std::uint32_t frequency, NoiseWhen when);

struct Natively {
  int wait_status;
  std::string output;
};
// The command on its own; `preload`: with the runtime in it, but no plan.
Natively run_natively(const std::vector<std::string>& command, bool preload,
                      const std::vector<std::string>& environment = {});

std::string read_text(const std::string& path);

}  // namespace heddle::test
