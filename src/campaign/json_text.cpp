#include "campaign/json_text.h"

#include <fmt/core.h>

#include <cstdlib>

namespace heddle::campaign {

namespace {

// Bytes that are not UTF-8 (a program's output, a file name) are replaced rather than refused.
std::string dump(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

bool is_list_of_records(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_structured();
}

// Continuation lines are moved in by the depth of the member they belong to.
std::string indented(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

}  // namespace

std::string readable(const Json& object) {
  std::string text = "{";
  bool first = true;
  for (const auto& [name, value] : object.items()) {
    text += first ? "\n  " : ",\n  ";
    first = false;
    text += dump(Json(name)) + ": ";
    if (!is_list_of_records(value)) {
      text += indented(dump(value, 2));
      continue;
    }
    text += "[";
    bool first_entry = true;
    for (const Json& entry : value) {
      text += first_entry ? "\n    " : ",\n    ";
      first_entry = false;
      text += dump(entry);
    }
    text += "\n  ]";
  }
  return text + "\n}\n";
}

std::string compact(const Json& value) { return dump(value); }

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

std::uint64_t from_hex(const Json& text) {
  return std::strtoull(text.get<std::string>().c_str(), nullptr, 0);
}

}  // namespace heddle::campaign
