#include "campaign/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "host/files.h"

namespace heddle::campaign {

namespace {

constexpr std::uint64_t kTail = 256 * 1024;

// Asked before every run, so of an open descriptor: no entries but `.` and `..`. False if it is no longer there.
bool is_empty(int directory) {
  struct stat status;
  if (fstat(directory, &status) != 0 || status.st_nlink == 0) return false;
  if (lseek(directory, 0, SEEK_SET) != 0) return false;
  alignas(dirent64) char entries[256];
  long size = 0;
  int count = 0;
  while ((size = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size; at += reinterpret_cast<const dirent64*>(entries + at)->d_reclen) {
      if (++count > 2) return false;
    }
  }
  return size == 0;
}

}  // namespace

Result<void> OutputFile::open(const std::string& path, std::uint64_t cap) {
  path_ = path;
  cap_ = cap;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return system_error(fmt::format("create '{}'", path), errno);
  return {};
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::uint64_t OutputFile::size() const {
  struct stat status;
  return fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void OutputFile::clear() {
  cut_ = 0;
  lost_ = 0;
  if (size() > 0) [[maybe_unused]]
    const int ignored = ftruncate(descriptor_, 0);
}

std::string OutputFile::read_at(std::uint64_t offset, std::uint64_t length) const {
  std::string text(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const ssize_t got =
        pread(descriptor_, text.data() + done, length - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

// The writers append, and nothing that they write is lost: only the middle of what is there already becomes a hole, which
// takes no room on the disk.
void OutputFile::keep_within_cap() {
  const std::uint64_t now = size();
  if (now - cut_ <= cap_) return;
  const std::uint64_t end = now - std::min(kTail, cap_ - head());
  const auto begin = static_cast<off_t>(head() + cut_);
  const auto length = static_cast<off_t>(end) - begin;
  if (fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, length) == 0) {
    cut_ = end - head();
    return;
  }
  // A file system without holes: the head alone stays.
  if (ftruncate(descriptor_, static_cast<off_t>(head())) == 0) cut_ = 0;
  lost_ += now - head();
}

KeptOutput OutputFile::contents(std::uint64_t limit) const {
  const std::uint64_t now = size();
  KeptOutput kept;
  if (!was_cut() && now <= limit) {
    kept.text = read_at(0, now);
    return kept;
  }
  const std::uint64_t first = std::min(limit / 2, was_cut() ? head() : now);
  const std::uint64_t last_from = was_cut() ? head() + cut_ : first;
  const std::uint64_t last = std::min(limit / 2, now - std::min(now, last_from));
  kept.cut = lost_ + now - first - last;
  kept.text = read_at(0, first) + fmt::format("\n[heddle: {} bytes were cut here]\n", kept.cut) +
              read_at(now - last, last);
  return kept;
}

Result<void> RunDirectory::create(RunDirectory& directory, const std::string& parent,
                                  unsigned worker, std::uint64_t output_cap) {
  directory.path_ = fmt::format("{}/w{:03}", parent, worker);
  directory.temporary_ = directory.path_ + "/tmp";
  if (Result<void> made = make_directories(directory.temporary_); !made) return made;
  if (Result<void> opened = directory.out_.open(directory.path_ + "/out", output_cap); !opened) {
    return opened;
  }
  return directory.err_.open(directory.path_ + "/err", output_cap);
}

void RunDirectory::clear() {
  out_.clear();
  err_.clear();
  if (temporary_descriptor_ >= 0 && is_empty(temporary_descriptor_)) return;
  if (temporary_descriptor_ >= 0) close(temporary_descriptor_);
  std::error_code ignored;
  std::filesystem::remove_all(temporary_, ignored);
  std::filesystem::create_directories(temporary_, ignored);
  temporary_descriptor_ = ::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

RunDirectory::~RunDirectory() {
  if (temporary_descriptor_ >= 0) close(temporary_descriptor_);
}

}  // namespace heddle::campaign
