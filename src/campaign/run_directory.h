// Where one worker's runs live: TMPDIR, stdout and stderr, with names of a fixed length so that the environment has the same
// size in every run. Reused from run to run, emptied in between.
#pragma once

#include <cstdint>
#include <string>

#include "host/result.h"

namespace heddle::campaign {

// A stream's contents as kept: the beginning and the end when there was too much of it.
struct KeptOutput {
  std::string text;
  std::uint64_t cut = 0;  // bytes left out of the middle
};

// Watches one output file while the program appends to it, and keeps it from filling the disk.
class OutputFile {
 public:
  Result<void> open(const std::string& path, std::uint64_t cap);
  ~OutputFile();
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  void clear();            // before a run
  void keep_within_cap();  // during it, every few dozen milliseconds
  std::uint64_t size() const;
  bool was_cut() const { return cut_ + lost_ > 0; }
  // Nothing but zeros from `begin` to `end`, where something was cut out; both 0: nowhere.
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Gap gap() const { return cut_ == 0 ? Gap{} : Gap{head(), head() + cut_}; }
  KeptOutput contents(
      std::uint64_t limit) const;  // after it: all, or the first and last halves of `limit`

 private:
  std::string read_at(std::uint64_t offset, std::uint64_t length) const;
  std::uint64_t head() const { return cap_ / 2; }  // stays when something is cut

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t cap_ = 0;
  std::uint64_t cut_ = 0;   // behind the head
  std::uint64_t lost_ = 0;  // where the file system could not make a hole
};

class RunDirectory {
 public:
  RunDirectory() = default;
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  // Makes `parent`/wNN with all it holds.
  static Result<void> create(RunDirectory& directory, const std::string& parent, unsigned worker,
                             std::uint64_t output_cap);

  const std::string& path() const { return path_; }
  const std::string& temporary() const { return temporary_; }
  OutputFile& out() { return out_; }
  OutputFile& err() { return err_; }
  std::string server_log() const { return path_ + "/server"; }

  void clear();

 private:
  std::string path_;
  std::string temporary_;
  int temporary_descriptor_ = -1;
  OutputFile out_;
  OutputFile err_;
};

}  // namespace heddle::campaign
