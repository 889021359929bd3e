// Files, with errors a user can act on. Nothing half-written is ever left under a final name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "host/result.h"

namespace heddle {

// "Cannot WHAT: disk full. Free some space …": the sentence for an errno value, with the next step
// where there is one.
Error system_error(std::string_view what, int error_number);

Result<std::string> read_file(const std::filesystem::path& path);

// At most `limit` bytes from the beginning; for files of unknown size, such as a program's output.
Result<std::string> read_file_beginning(const std::filesystem::path& path, std::size_t limit);

// Writes beside the target and renames, so a reader sees the old contents or the new, never a part.
// A target that is not a regular file (/dev/stdout, a pipe) is written to directly.
Result<void> write_file(const std::filesystem::path& path, std::string_view contents);

// Whether write_file could write there, as far as can be told beforehand. Leaves nothing behind.
Result<void> check_writable(const std::filesystem::path& path);

// With all parents. Fails if the path is there and is no directory.
Result<void> make_directories(const std::filesystem::path& path);

// make_directories, and a file can really be created in it (a full disk or a read-only mount shows
// only then).
Result<void> make_writable_directory(const std::filesystem::path& path);

// Removed with all it holds at the end of its life.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> create(std::string_view prefix = "heddle");
  // Inside a given directory, which must exist.
  static Result<TemporaryDirectory> create_in(const std::filesystem::path& parent,
                                              std::string_view prefix);
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace heddle
