#include "host/machine.h"

#include <fmt/core.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "host/elf.h"

namespace heddle {
namespace {

MachineCheck processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int count = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return {"processors", true,
          count > 1 ? fmt::format("{}; --jobs {} uses them all", count, count)
                    : "1; the free engine has little to disturb here"};
}

MachineCheck address_layout() {
  const int before = ::personality(0xffffffff);
  const bool allowed = before != -1 && ::personality(before | ADDR_NO_RANDOMIZE) != -1;
  if (before != -1) {
    ::personality(before);
  }
  return {"addresses", allowed,
          allowed
              ? "randomisation can be switched off, so runs repeat exactly"
              : "randomisation cannot be switched off here (personality is refused), so a replay "
                "may differ where addresses decide; allow it in the container's seccomp profile"};
}

MachineCheck tracing() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  }
  int status = 1;
  const bool allowed =
      child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && status == 0;
  const bool debugger = find_program("gdb").ok();
  if (!allowed) {
    return {"debugging", false, "ptrace is refused here, so 'heddle replay --gdb' cannot work"};
  }
  return {"debugging", debugger,
          debugger
              ? "ptrace is allowed and gdb is here"
              : "ptrace is allowed, but there is no gdb; install it for 'heddle replay --gdb'"};
}

MachineCheck shared_memory() {
  const int fd = ::memfd_create("heddle-doctor", MFD_CLOEXEC);
  bool good = fd >= 0 && ::ftruncate(fd, 1 << 20) == 0;
  if (good) {
    void* at = ::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    good = at != MAP_FAILED;
    if (good) {
      std::memset(at, 1, 1 << 20);
      ::munmap(at, 1 << 20);
    }
  }
  const int error = errno;
  if (fd >= 0) {
    ::close(fd);
  }
  return {"memory files", good,
          good ? "work; results cross from program to tool without copying"
               : fmt::format("do not work ({}), and heddle cannot run without them",
                             std::strerror(error))};
}

MachineCheck address_space() {
  rlimit limit{};
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return {"address space", !limited,
          limited
              ? fmt::format("limited to {} MB (ulimit -v), so accesses are filtered more slowly; "
                            "lift the limit if you can",
                            limit.rlim_cur >> 20)
              : "unlimited"};
}

MachineCheck compiler(const char* variable, const char* usual) {
  const char* chosen = std::getenv(variable);
  const std::string name = chosen != nullptr && *chosen != '\0' ? chosen : usual;
  const std::string first = name.substr(0, name.find(' '));
  const bool found = find_program(first).ok();
  return {fmt::format("compiler ({})", variable), found,
          found
              ? name
              : fmt::format("'{}' is not here; install it or name another in {}", name, variable)};
}

}  // namespace

std::vector<MachineCheck> check_machine() {
  return {processors(),
          address_layout(),
          tracing(),
          shared_memory(),
          address_space(),
          compiler("HEDDLE_CC", "gcc"),
          compiler("HEDDLE_CXX", "g++")};
}

}  // namespace heddle
