#include "host/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heddle {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the table: a swap of neighbours looks two rows back.
  std::vector<std::size_t> before(to.size() + 1), above(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) {
    above[j] = j;
  }
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[to.size()];
}

std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> names) {
  // Of a name with three letters one may be wrong: "foo" is not near "pos".
  const std::size_t most = wanted.size() < 4 ? 1 : std::max<std::size_t>(2, wanted.size() / 3);
  std::string_view best;
  std::size_t best_distance = most + 1;
  for (const std::string_view name : names) {
    // A beginning of a name counts as near: "coord" for "coordinator".
    const bool begins = wanted.size() >= 3 && name.starts_with(wanted);
    const std::size_t distance = begins ? 1 : edit_distance(wanted, name);
    // Everything of a short name may not be edited away: "x" is not near "pct".
    if (distance < best_distance && distance < std::max(wanted.size(), name.size())) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string name_hint(std::string_view wanted, std::span<const std::string_view> names) {
  const std::string_view near = nearest_name(wanted, names);
  if (!near.empty()) {
    return fmt::format(" Did you mean '{}'?", near);
  }
  return names.empty() ? std::string() : fmt::format(" Known are: {}.", join(names, ", "));
}

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// Splits "1.5ms" into 1.5 and "ms"; false if it does not begin with a plain number.
bool split_number(std::string_view text, double& number, std::string_view& unit) {
  if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) {
    return false;
  }
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{};
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  const auto found = std::ranges::find(units, name, &Unit::name);
  return found == units.end() ? nullptr : &*found;
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  static constexpr std::array<Unit, 8> kUnits{{{"ns", 1},
                                               {"us", 1e3},
                                               {"ms", 1e6},
                                               {"s", 1e9},
                                               {"", 1e9},
                                               {"m", 60e9},
                                               {"min", 60e9},
                                               {"h", 3600e9}}};
  double number = 0;
  std::string_view unit_name;
  const Unit* unit = nullptr;
  if (split_number(text, number, unit_name)) {
    unit = find_unit(kUnits, unit_name);
  }
  if (unit == nullptr) {
    return Error{fmt::format("'{}' is not a duration; write for example 500ms, 60s or 2m.", text)};
  }
  const double nanoseconds = std::round(number * unit->factor);
  if (!(nanoseconds < 9.2e18)) {
    return Error{fmt::format("A duration of '{}' is too long; 292 years is the most.", text)};
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
}

Result<std::chrono::nanoseconds> parse_some_time(std::string_view text) {
  Result<std::chrono::nanoseconds> time = parse_duration(text);
  if (time.ok() && time->count() == 0) {
    return Error{"A time of 0 leaves no room for a run; give for example 60s."};
  }
  return time;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  static constexpr std::array<Unit, 9> kUnits{{{"", 1},
                                               {"B", 1},
                                               {"k", 1024},
                                               {"K", 1024},
                                               {"M", 1048576},
                                               {"MB", 1048576},
                                               {"G", 1073741824},
                                               {"GB", 1073741824},
                                               {"T", 1099511627776}}};
  double number = 0;
  std::string_view unit_name;
  const Unit* unit = nullptr;
  if (split_number(text, number, unit_name)) {
    unit = find_unit(kUnits, unit_name);
  }
  if (unit == nullptr || number * unit->factor >= 9.2e18) {
    return Error{fmt::format("'{}' is not a size; write for example 4096, 64k, 512M or 2G.", text)};
  }
  return static_cast<std::uint64_t>(std::round(number * unit->factor));
}

Result<std::uint64_t> parse_seed(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = hexadecimal ? text.substr(2) : text;
  std::uint64_t seed = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), seed, hexadecimal ? 16 : 10);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) {
    return Error{fmt::format(
        "'{}' is not a seed; give a whole number from 0 to 18446744073709551615, or 0x and "
        "hexadecimal digits.",
        text)};
  }
  return seed;
}

Result<std::uint64_t> parse_count(std::string_view text, CountRange range) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() ||
      count < range.least || count > range.most) {
    if (range.most == ~std::uint64_t{0}) {
      return Error{fmt::format("'{}' is not a whole number of at least {}.", text, range.least)};
    }
    return Error{
        fmt::format("'{}' is not a whole number from {} to {}.", text, range.least, range.most)};
  }
  return count;
}

std::string with_article(std::string_view word) {
  return fmt::format("{} {}", word.find_first_of("aeiou") == 0 ? "an" : "a", word);
}

std::string show_duration(std::chrono::nanoseconds duration) {
  const double ns = static_cast<double>(duration.count());
  if (ns < 1e3) {
    return fmt::format("{} ns", duration.count());
  }
  if (ns < 999.5e3) {
    return fmt::format("{:.3g} us", ns / 1e3);
  }
  if (ns < 999.5e6) {
    return fmt::format("{:.3g} ms", ns / 1e6);
  }
  if (ns < 120e9) {
    return fmt::format("{:.3g} s", ns / 1e9);
  }
  const auto seconds = static_cast<std::int64_t>(ns / 1e9);
  return seconds < 7200 ? fmt::format("{} min {} s", seconds / 60, seconds % 60)
                        : fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

namespace {

// How many bytes the character at the beginning has; 0: that is none of UTF-8's.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kSmallest[length] || code > 0x10ffff || surrogate ? 0 : length;
}

// U+F780 to U+F7FF: EF 9E 80 to EF 9F BF.
bool stands_for_byte(std::string_view text) {
  return text.size() >= 3 && text[0] == '\xef' && (text[1] == '\x9e' || text[1] == '\x9f');
}

template <class Replace>
std::string with_replaced_bytes(std::string_view bytes, Replace&& replace) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    const std::size_t taken = length == 0 ? 1 : length;
    if (length == 0) {
      text += replace(static_cast<unsigned char>(bytes[0]));
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(taken);
  }
  return text;
}

std::string byte_as_character(unsigned char byte) {
  return {'\xef', byte < 0xc0 ? '\x9e' : '\x9f',
          static_cast<char>(byte < 0xc0 ? byte : byte - 0x40)};
}

}  // namespace

std::string as_utf8(std::string_view bytes) {
  return with_replaced_bytes(bytes, [](unsigned char) { return "\xef\xbf\xbd"; });
}

std::string bytes_to_utf8(std::string_view bytes) {
  std::string text;
  // One of these characters itself is taken for three bytes.
  while (!bytes.empty()) {
    std::size_t plain = 0;
    while (plain < bytes.size() && !stands_for_byte(bytes.substr(plain))) ++plain;
    text += with_replaced_bytes(bytes.substr(0, plain), byte_as_character);
    bytes.remove_prefix(plain);
    for (std::size_t i = 0; i < 3 && !bytes.empty(); ++i, bytes.remove_prefix(1)) {
      text += byte_as_character(static_cast<unsigned char>(bytes[0]));
    }
  }
  return text;
}

std::string utf8_to_bytes(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const bool stands = stands_for_byte(text);
    if (stands) {
      bytes +=
          static_cast<char>(static_cast<unsigned char>(text[2]) + (text[1] == '\x9e' ? 0 : 0x40));
    } else {
      bytes += text[0];
    }
    text.remove_prefix(stands ? 3 : 1);
  }
  return bytes;
}

std::string shell_word(std::string_view text) {
  static constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shell_command(std::span<const std::string> words) {
  std::string command;
  for (const std::string& word : words) {
    command += command.empty() ? "" : " ";
    command += shell_word(word);
  }
  return command;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  static constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace heddle
