#include "campaign/compare/progress_file.h"

#include <fmt/core.h>

#include "host/files.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

constexpr std::string_view kFormat = "heddle comparison";
constexpr int kVersion = 2;

Json header_of(const Json& about) {
  Json header{{"format", kFormat}, {"version", kVersion}};
  header.update(about);
  return header;
}

std::string difference(const Json& there, const Json& here) {
  for (const auto& [key, value] : here.items()) {
    if (!there.contains(key) || there.at(key) != value) return key;
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> ProgressFile::seed_in(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return std::nullopt;
  const Json header = Json::parse(text->substr(0, text->find('\n')), nullptr, false);
  if (!header.is_object() || !header.contains("seed") || !header.at("seed").is_number_unsigned())
    return std::nullopt;
  return header.at("seed").get<std::uint64_t>();
}

Result<std::vector<Measured>> ProgressFile::resume(const Json& about) {
  const Result<std::string> text = read_file(path_);
  if (!text) {
    return Error{fmt::format("There is no comparison to go on with in '{}'; leave --resume out.",
                             path_.parent_path().string())};
  }
  std::vector<Measured> measured;
  text_.clear();
  try {
    bool first = true;
    for (const std::string_view line : split(*text, '\n')) {
      if (line.empty()) continue;
      const Json json = Json::parse(line);
      if (first) {
        if (const std::string key = difference(json, header_of(about)); !key.empty()) {
          return Error{fmt::format(
              "The comparison in '{}' differs in its {}; leave --resume out to start anew, or give "
              "the same program and options.",
              path_.parent_path().string(), key)};
        }
      } else {
        measured.push_back(measured_from_json(json));
      }
      first = false;
      text_ += fmt::format("{}\n", line);
    }
  } catch (const std::exception& error) {
    return Error{fmt::format("'{}' is damaged ({}); leave --resume out to start anew.",
                             path_.string(), error.what())};
  }
  if (text_.empty())
    return Error{fmt::format("'{}' is empty; leave --resume out.", path_.string())};
  return measured;
}

Result<void> ProgressFile::begin(const Json& about) {
  text_ = compact(header_of(about)) + "\n";
  return write_file(path_, text_);
}

Result<void> ProgressFile::add(const Measured& measured) {
  text_ += compact(measured_json(measured)) + "\n";
  return write_file(path_, text_);
}

}  // namespace heddle::campaign
