#include "campaign/last_words.h"

#include <fmt/core.h>

#include <cctype>
#include <vector>

#include "host/text.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kLongest = 300;
constexpr std::size_t kMostLines = 4;  // of what a framework says after the place

bool has(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

bool is_assertion(std::string_view line) { return has(line, "ssertion") && has(line, "ailed"); }

// The place is a line of its own, and what was expected follows: GoogleTest and Catch2.
bool is_heading(std::string_view line) {
  return line.ends_with(": Failure") || (line.ends_with(": FAILED:") && has(line, ".")) ||
         (line.ends_with(": FAILED") && has(line, "."));
}

// All in one line: doctest's "a.cpp:3: ERROR: CHECK( … ) is NOT correct!", Boost's "a.cpp(3): error: in "x": check … has failed".
bool is_check(std::string_view line) {
  return (has(line, "ERROR: ") && has(line, "is NOT correct!")) ||
         (has(line, "error: in \"") && has(line, "has failed"));
}

std::string what_follows(const std::vector<std::string_view>& lines, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < lines.size() && i < from + kMostLines; ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.empty() || line.starts_with('[') || is_heading(line)) break;
    text += (text.empty() ? "" : " ") + std::string(line);
  }
  return text.substr(0, kLongest);
}

std::string last_line(const std::vector<std::string_view>& lines) {
  for (std::size_t i = lines.size(); i-- > 0;) {
    const std::string_view line = trim(lines[i]);
    if (!line.empty()) return std::string(line.substr(0, kLongest));
  }
  return {};
}

}  // namespace

std::string LastWords::line() const {
  if (place.empty() || rest.empty()) return place.empty() ? rest : place;
  return fmt::format("{}: {}", place, rest);
}

std::string LastWords::signature() const {
  return place.empty() || rest.empty() ? place + normalise(rest)
                                       : fmt::format("{}: {}", place, normalise(rest));
}

LastWords last_words(std::string_view text) {
  const std::vector<std::string_view> lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    std::string start(line.substr(0, kLongest));
    if (is_assertion(line) || is_check(line)) return {start, {}};
    if (!is_heading(line)) continue;
    if (start.ends_with(':')) start.pop_back();
    return {start, what_follows(lines, i + 1)};
  }
  return {{}, last_line(lines)};
}

LastWords last_words(const RunCapture& capture) {
  LastWords from_err = last_words(capture.err.text);
  if (from_err.known_check()) return from_err;
  LastWords from_out = last_words(capture.out.text);
  return from_out.known_check() || from_err.rest.empty() ? from_out : from_err;
}

std::string normalise(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    const bool starts_word =
        i == 0 ||
        (std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0 && line[i - 1] != '_');
    if (std::isdigit(static_cast<unsigned char>(line[i])) != 0 && starts_word) {
      result += '#';
      while (i < line.size() && (std::isxdigit(static_cast<unsigned char>(line[i])) != 0 ||
                                 line[i] == 'x' || line[i] == '.')) {
        ++i;
      }
    } else {
      result += line[i++];
    }
  }
  return result;
}

}  // namespace heddle::campaign
