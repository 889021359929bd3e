#include "host/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace heddle {
namespace {

std::string_view next_step(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return " Free some space, or name another directory with --out.";
    case EACCES:
    case EPERM:
      return " Check the permissions, or name another place.";
    case EROFS:
      return " Name a place on a file system that can be written.";
    case EMFILE:
    case ENFILE:
      return " Raise the limit with 'ulimit -n', or lower --jobs.";
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
      return " Check the path.";
    default:
      return "";
  }
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  int value() const { return fd_; }
  // Some file systems report a full disk only here.
  int close() {
    const int result = ::close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

// 0 or an errno value.
int write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(fd, contents.data(), contents.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Result<void> write_in_place(const std::filesystem::path& path, std::string_view contents) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const int error = file.value() < 0 ? errno : write_all(file.value(), contents);
  if (error != 0) {
    return system_error(fmt::format("write '{}'", path.string()), error);
  }
  return {};
}

}  // namespace

Error system_error(std::string_view what, int error_number) {
  std::string reason = std::strerror(error_number);
  reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return Error{fmt::format("Cannot {}: {}.{}", what, reason, next_step(error_number))};
}

Result<std::string> read_file_beginning(const std::filesystem::path& path, std::size_t limit) {
  const std::string what = fmt::format("read '{}'", path.string());
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value() < 0) {
    return system_error(what, errno);
  }
  std::string contents;
  char buffer[65536];
  while (contents.size() < limit) {
    const std::size_t wanted = std::min(sizeof buffer, limit - contents.size());
    const ssize_t got = ::read(file.value(), buffer, wanted);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return system_error(what, errno);
    }
    if (got == 0) {
      break;
    }
    contents.append(buffer, static_cast<std::size_t>(got));
  }
  return contents;
}

Result<std::string> read_file(const std::filesystem::path& path) {
  return read_file_beginning(path, static_cast<std::size_t>(-1));
}

Result<void> write_file(const std::filesystem::path& path, std::string_view contents) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    return write_in_place(path, contents);
  }
  const std::string what = fmt::format("write '{}'", path.string());
  if (S_ISDIR(status.st_mode)) {
    return system_error(what, EISDIR);
  }
  std::string beside = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(beside.data(), O_CLOEXEC));
  if (file.value() < 0) {
    return system_error(what, errno);
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  int error = write_all(file.value(), contents);
  if (error == 0 && ::fchmod(file.value(), 0666 & ~mask) != 0) {
    error = errno;
  }
  if (file.close() != 0 && error == 0) {
    error = errno;
  }
  if (error == 0 && ::rename(beside.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(beside.c_str());
    return system_error(what, error);
  }
  return {};
}

Result<void> check_writable(const std::filesystem::path& path) {
  const std::string what = fmt::format("write '{}'", path.string());
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) return system_error(what, EISDIR);
    if (::access(path.c_str(), W_OK) != 0) return system_error(what, errno);
    return {};
  }
  std::string beside = path.string() + ".XXXXXX";
  const Descriptor file(::mkostemp(beside.data(), O_CLOEXEC));
  if (file.value() < 0) return system_error(what, errno);
  ::unlink(beside.c_str());
  return {};
}

Result<void> make_directories(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path, error) && !error) {
    error = std::error_code(ENOTDIR, std::generic_category());
  }
  if (error) {
    return system_error(fmt::format("create the directory '{}'", path.string()), error.value());
  }
  return {};
}

Result<void> make_writable_directory(const std::filesystem::path& path) {
  if (Result<void> made = make_directories(path); !made) {
    return made;
  }
  std::string probe = (path / ".heddle-probe.XXXXXX").string();
  Descriptor file(::mkostemp(probe.data(), O_CLOEXEC));
  int error = 0;
  if (file.value() < 0) {
    error = errno;
  } else {
    error = write_all(file.value(), std::string(4096, 'x'));
    if (file.close() != 0 && error == 0) {
      error = errno;
    }
    ::unlink(probe.c_str());
  }
  if (error != 0) {
    return system_error(fmt::format("write in the directory '{}'", path.string()), error);
  }
  return {};
}

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view prefix) {
  const char* chosen = std::getenv("TMPDIR");
  return create_in(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp", prefix);
}

Result<TemporaryDirectory> TemporaryDirectory::create_in(const std::filesystem::path& parent,
                                                         std::string_view prefix) {
  std::string name = (parent / fmt::format("{}.XXXXXX", prefix)).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return system_error(fmt::format("create a temporary directory in '{}'", parent.string()),
                        errno);
  }
  return TemporaryDirectory(name);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!path_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

}  // namespace heddle
