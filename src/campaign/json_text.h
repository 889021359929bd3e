// JSON that people read too: one member per line, and each entry of a list of records on a line of its own.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace heddle::campaign {

using Json = nlohmann::ordered_json;

std::string readable(const Json& object);
// On one line. Bytes that are not UTF-8 are replaced.
std::string compact(const Json& value);

// 64-bit values as "0x…": other tools read JSON numbers as doubles.
std::string hex(std::uint64_t value);
std::uint64_t from_hex(const Json& text);

}  // namespace heddle::campaign
