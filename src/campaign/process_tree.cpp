#include "campaign/process_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include <cstdlib>
#include <string>

namespace heddle::campaign {

namespace {

constexpr int kRounds = 50;             // of ending what is there, then looking again
constexpr useconds_t kPauseUs = 2'000;  // between them: an orphan needs a moment to change parents

// /proc files have no size; one read is enough for stat and for the children of a server.
std::string read_small(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = read(fd, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(got));
  close(fd);
  return text;
}

char state_in(const std::string& stat) {
  // "pid (name) S …": the name may hold anything, so look from its last bracket.
  const std::size_t end = stat.rfind(')');
  return end == std::string::npos || end + 2 >= stat.size() ? '\0' : stat[end + 2];
}

std::vector<pid_t> children_of_thread(pid_t process, std::string_view thread) {
  const std::string text = read_small(fmt::format("/proc/{}/task/{}/children", process, thread));
  std::vector<pid_t> result;
  const char* at = text.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const long value = std::strtol(at, &end, 10);
    if (end == at) break;
    result.push_back(static_cast<pid_t>(value));
    at = end;
    while (*at == ' ') ++at;
  }
  return result;
}

// Orphans come to a process's first thread as long as that one lives.
std::vector<pid_t> all_children(pid_t parent) {
  return children_of_thread(parent, std::to_string(parent));
}

}  // namespace

bool kill_group(pid_t group) { return group > 1 && kill(-group, SIGKILL) == 0; }

char thread_state(pid_t process, pid_t thread) {
  return state_in(read_small(fmt::format("/proc/{}/task/{}/stat", process, thread)));
}

std::vector<pid_t> live_children(pid_t parent) {
  std::vector<pid_t> result;
  for (const pid_t child : all_children(parent)) {
    const char state = thread_state(child, child);
    if (state != 'Z' && state != 'X' && state != '\0') result.push_back(child);
  }
  return result;
}

std::size_t kill_children(pid_t parent) {
  std::size_t ended = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<pid_t> children = live_children(parent);
    if (children.empty()) return ended;
    for (const pid_t child : children) {
      if (kill(child, SIGKILL) == 0 && round == 0) ++ended;
    }
    usleep(kPauseUs);
  }
  return ended;
}

std::size_t kill_orphans(std::string_view mark) {
  std::size_t ended = 0;
  for (int round = 0; round < kRounds; ++round) {
    bool found = false;
    for (const pid_t child : all_children(getpid())) {
      const std::string environment = read_small(fmt::format("/proc/{}/environ", child));
      if (environment.find(mark) == std::string::npos) continue;
      found = true;
      kill(child, SIGKILL);
      if (waitpid(child, nullptr, 0) == child) ++ended;
    }
    if (!found) return ended;
    usleep(kPauseUs);
  }
  return ended;
}

void become_subreaper() { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

}  // namespace heddle::campaign
