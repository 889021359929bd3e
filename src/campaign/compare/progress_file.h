// What a comparison has measured so far, on disk (docs/formats/compare.md): a line of JSON on what is compared, then one for
// each configuration that is done. An interrupted comparison goes on from here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/compare/measured.h"
#include "host/result.h"

namespace heddle::campaign {

class ProgressFile {
 public:
  explicit ProgressFile(std::filesystem::path path) : path_(std::move(path)) {}

  // What was measured of the same comparison. An error says what differs, or that there is nothing to go on from.
  Result<std::vector<Measured>> resume(const Json& about);
  // Starts anew.
  Result<void> begin(const Json& about);
  Result<void> add(const Measured& measured);

  // The seed of the comparison there; nothing if there is none.
  static std::optional<std::uint64_t> seed_in(const std::filesystem::path& path);

 private:
  std::filesystem::path path_;
  std::string text_;
};

}  // namespace heddle::campaign
