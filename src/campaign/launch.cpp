#include "campaign/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace heddle::campaign {

namespace {

// Descriptors the program inherits get fixed numbers far above what programs use, so that HEDDLE_CONTROL has the same text
// in every start whatever the tool has open. The runtime moves them again if it wants to.
constexpr int kFirstFd = 901;

// Lower where `ulimit -n` is small; what the tool has open lies below either way.
int first_descriptor() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kFirstFd;
  return static_cast<int>(std::min<rlim_t>(kFirstFd, limit.rlim_cur - 3));
}

void set_variable(std::vector<std::string>& environment, std::string_view name,
                  const std::string& value) {
  for (std::string& entry : environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
      entry = fmt::format("{}={}", name, value);
      return;
    }
  }
  environment.push_back(fmt::format("{}={}", name, value));
}

std::string variable(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& entry : environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
      return entry.substr(name.size() + 1);
    }
  }
  return {};
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct ChildStart {
  const char* executable;
  const char* directory;
  char* const* argv;
  char* const* envp;
  const char* stdin_path;
  const char* stdout_path;
  const char* stderr_path;
  int control_fd;
  int command_fd;
  int status_fd;
  int error_fd;
  int first_fd;  // of the three the program gets
  bool pin_addresses;
};

[[noreturn]] void give_up(const ChildStart& start, int step) {
  const int report[2] = {step, errno};
  [[maybe_unused]] const ssize_t written = write(start.error_fd, report, sizeof report);
  _exit(127);
}

// Puts `from` at `to`, without O_CLOEXEC. Our sources are above `to` by construction (see launch()).
void place(const ChildStart& start, int from, int to) {
  if (dup2(from, to) < 0) give_up(start, 1);
}

// Between fork and exec in a process that may have other threads: only what is safe in a signal handler.
[[noreturn]] void become_program(const ChildStart& start) {
  setpgid(0, 0);  // so that all of it can be ended by id, and Ctrl-C reaches only the tool
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (start.pin_addresses) {
    // Some containers refuse: the runtime reports it in Hello, and fidelity shows what it costs.
    personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  }
  if (start.directory[0] != '\0' && chdir(start.directory) != 0) give_up(start, 2);
  const int in = open(start.stdin_path, O_RDONLY);
  if (in < 0) give_up(start, 3);
  place(start, in, 0);
  const int out = open(start.stdout_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (out < 0) give_up(start, 4);
  place(start, out, 1);
  const int error = open(start.stderr_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (error < 0) give_up(start, 4);
  place(start, error, 2);
  if (in > 2) close(in);
  if (out > 2) close(out);
  if (error > 2) close(error);
  if (start.control_fd >= 0) {
    place(start, start.control_fd, start.first_fd);
    place(start, start.command_fd, start.first_fd + 1);
    place(start, start.status_fd, start.first_fd + 2);
  }
  execve(start.executable, start.argv, start.envp);
  give_up(start, 5);
}

const char* step_name(int step) {
  switch (step) {
    case 2:
      return "enter its directory";
    case 3:
      return "open its standard input";
    case 4:
      return "create its output files";
    case 5:
      return "execute it";
    default:
      return "hand it its descriptors";
  }
}

}  // namespace

std::vector<std::string> launch_environment(const LaunchRequest& request, int first_fd) {
  std::vector<std::string> environment = request.program->environment;
  if (!request.temporary_directory.empty()) {
    set_variable(environment, "TMPDIR", request.temporary_directory);
  }
  if (request.program->preload.empty()) return environment;
  const std::string before = variable(environment, "LD_PRELOAD");
  set_variable(environment, "LD_PRELOAD",
               before.empty() ? request.program->preload
                              : fmt::format("{}:{}", request.program->preload, before));
  set_variable(environment, kControlVariable,
               fmt::format("{}:{}:{}:{}", first_fd, first_fd + 1, first_fd + 2,
                           static_cast<int>(request.mode)));
  if (request.engine == EngineKind::controlled) {
    constexpr std::string_view kOneArena = "glibc.malloc.arena_max=1";
    const std::string tunables = variable(environment, "GLIBC_TUNABLES");
    set_variable(
        environment, "GLIBC_TUNABLES",
        tunables.empty() ? std::string(kOneArena) : fmt::format("{}:{}", tunables, kOneArena));
  }
  return environment;
}

Launched launch(const LaunchRequest& request) {
  Launched result;
  int command[2] = {-1, -1};
  int status[2] = {-1, -1};
  int error[2] = {-1, -1};
  const auto close_all = [&] {
    for (const int fd : {command[0], command[1], status[0], status[1], error[0], error[1]}) {
      if (fd >= 0) close(fd);
    }
  };
  if (pipe2(command, O_CLOEXEC) != 0 || pipe2(status, O_CLOEXEC) != 0 ||
      pipe2(error, O_CLOEXEC) != 0) {
    result.error = errno;
    result.failed_call = "create a pipe";
    close_all();
    return result;
  }

  std::vector<std::string> arguments = request.arguments;
  const int first_fd = first_descriptor();
  std::vector<std::string> environment = launch_environment(request, first_fd);
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const ChildStart start{request.program->executable.c_str(),
                         request.program->directory.c_str(),
                         argv.data(),
                         envp.data(),
                         request.stdin_path.c_str(),
                         request.stdout_path.c_str(),
                         request.stderr_path.c_str(),
                         request.control_fd,
                         command[0],
                         status[1],
                         error[1],
                         first_fd,
                         request.engine == EngineKind::controlled};

  const pid_t pid = fork();
  if (pid == 0) become_program(start);
  if (pid < 0) {
    result.error = errno;
    result.failed_call = "create a process";
    close_all();
    return result;
  }
  setpgid(pid, pid);  // both sides do it: whoever comes first
  close(command[0]);
  close(status[1]);
  close(error[1]);
  command[0] = status[1] = error[1] = -1;

  int report[2] = {0, 0};
  ssize_t got = 0;
  do {
    got = read(error[0], report, sizeof report);  // end of file: exec succeeded
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof report)) {
    waitpid(pid, nullptr, 0);
    close_all();
    result.error = report[1];
    result.failed_call = step_name(report[0]);
    return result;
  }
  close(error[0]);
  result.pid = pid;
  result.command_fd = command[1];
  result.status_fd = status[0];
  return result;
}

}  // namespace heddle::campaign
