#include "run_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

extern char** environ;

namespace heddle::test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::vector<std::string>& extra) {
  std::vector<std::string> all = extra;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0) all.emplace_back(*entry);
  }
  return all;
}

std::string temporary_directory() {
  std::string name =
      (std::getenv("TMPDIR") != nullptr ? std::string(std::getenv("TMPDIR")) : "/tmp") +
      "/heddle-runtime-XXXXXX";
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

template <class T>
bool read_message(int descriptor, T& message) {
  std::size_t got = 0;
  while (got < sizeof message) {
    const ssize_t bytes =
        read(descriptor, reinterpret_cast<char*>(&message) + got, sizeof message - got);
    if (bytes <= 0) return false;
    got += static_cast<std::size_t>(bytes);
  }
  return true;
}

template <std::size_t N>
void set_text(char (&field)[N], const std::string& text) {
  std::strncpy(field, text.c_str(), N - 1);
}

}  // namespace

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

RunClient::RunClient(std::vector<std::string> command, ServerMode mode,
                     std::vector<std::string> environment)
    : mode_(mode), directory_(temporary_directory()) {
  const int memory = memfd_create("heddle", 0);
  if (ftruncate(memory, sizeof(ControlBlock)) != 0) return;
  control_ = static_cast<ControlBlock*>(
      mmap(nullptr, sizeof(ControlBlock), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0));
  control_->magic = kControlMagic;
  control_->version = kControlVersion;
  control_->size = sizeof(ControlBlock);
  RunPlan& plan = control_->plan;
  plan.run = 1;
  plan.seed = 1;
  plan.engine = EngineKind::free;
  plan.cpu = 0xffff;
  plan.step_limit = kUnlimited;
  set_text(plan.stdin_path, "/dev/null");
  set_text(plan.stdout_path, directory_ + "/stdout");
  set_text(plan.stderr_path, directory_ + "/stderr");
  set_text(plan.temporary_directory, directory_);

  int commands[2];
  int statuses[2];
  if (pipe2(commands, O_CLOEXEC) != 0 || pipe2(statuses, O_CLOEXEC) != 0) return;
  const int for_server[2] = {fcntl(commands[0], F_DUPFD, 10), fcntl(statuses[1], F_DUPFD, 10)};
  const std::string control = std::string(kControlVariable) + "=" + std::to_string(memory) + ":" +
                              std::to_string(for_server[0]) + ":" + std::to_string(for_server[1]) +
                              ":" + (mode == ServerMode::fork_server ? "0" : "1");
  environment.push_back(control);
  environment.push_back(std::string("LD_PRELOAD=") + HEDDLE_RUNTIME);
  std::vector<std::string> all = environment_with(environment);
  posix_spawn(&pid_, command[0].c_str(), nullptr, nullptr, pointers(command).data(),
              pointers(all).data());
  for (int descriptor : {memory, for_server[0], for_server[1], commands[0], statuses[1]}) {
    close(descriptor);
  }
  command_ = commands[1];
  status_ = statuses[0];
  greeted_ = read_message(status_, hello_);
}

RunClient::~RunClient() {
  hang_up();
  munmap(control_, sizeof(ControlBlock));
  const std::string command = "rm -rf '" + directory_ + "'";
  if (std::system(command.c_str()) != 0) return;
}

pid_t RunClient::begin() {
  for (const char* name : {"/stdout", "/stderr"}) {
    if (truncate((directory_ + name).c_str(), 0) != 0 && errno != ENOENT) return -1;
  }
  control_->run_process = 0;
  if (write(command_, &kCommandRun, 1) != 1) return -1;
  for (int tries = 0; tries < 10000; ++tries) {
    if (const pid_t process = __atomic_load_n(&control_->run_process, __ATOMIC_ACQUIRE)) {
      return process;
    }
    pollfd answer{status_, POLLIN, 0};
    if (poll(&answer, 1, 1) > 0) break;  // it ended already, or could not fork
  }
  const pid_t process = __atomic_load_n(&control_->run_process, __ATOMIC_ACQUIRE);
  return process == 0 ? -1 : process;
}

Finished RunClient::collect(bool started, int status) {
  Finished result;
  result.started = started;
  result.wait_status = status;
  result.output = read_text(directory_ + "/stdout");
  result.errors = read_text(directory_ + "/stderr");
  result.outcome = control_->outcome;
  return result;
}

Finished RunClient::run() {
  if (mode_ == ServerMode::one_shot) {
    int status = -1;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return collect(greeted_, status);
  }
  if (begin() < 0) return collect(false, -1);
  ServerReply reply{};
  const bool ended = read_message(status_, reply) && reply.kind == ServerReply::Kind::ended;
  Finished result = collect(ended, reply.value);
  result.orphans = reply.orphans;
  return result;
}

int RunClient::hang_up() {
  if (command_ >= 0) close(command_);
  if (status_ >= 0) close(status_);
  command_ = status_ = -1;
  int status = 0;
  if (pid_ > 0) waitpid(pid_, &status, 0);
  pid_ = -1;
  return status;
}

NoiseSettings yields(std::uint32_t frequency, NoiseWhen when) {
  NoiseSettings noise{};
  set_text(noise.placement, "random-all");
  set_text(noise.seeding.name, "yield");
  noise.seeding.strength = {1, 5};
  noise.when = when;
  noise.frequency = frequency;
  return noise;
}

Natively run_natively(const std::vector<std::string>& command, bool preload,
                      const std::vector<std::string>& environment) {
  const std::string directory = temporary_directory();
  const std::string output = directory + "/output";
  std::vector<std::string> extra = environment;
  if (preload) extra.push_back(std::string("LD_PRELOAD=") + HEDDLE_RUNTIME);
  std::vector<std::string> all = environment_with(extra);
  std::vector<std::string> arguments = command;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = -1;
  Natively result{-1, ""};
  if (posix_spawnp(&child, arguments[0].c_str(), &actions, nullptr, pointers(arguments).data(),
                   pointers(all).data()) == 0) {
    waitpid(child, &result.wait_status, 0);
  }
  posix_spawn_file_actions_destroy(&actions);
  result.output = read_text(output);
  unlink(output.c_str());
  rmdir(directory.c_str());
  return result;
}

}  // namespace heddle::test
