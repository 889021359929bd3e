// Text the user writes, and text written for the user.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/result.h"

namespace heddle {

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

// The name the user most likely meant; empty when none is near enough to be worth a guess.
std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> names);

// " Did you mean 'pct'?" or, when nothing is near, " Known are: pos, pct, random."; starts with a
// space.
std::string name_hint(std::string_view wanted, std::span<const std::string_view> names);

// "60s", "500ms", "2m", "1.5h", "20us", "10ns"; a bare number is seconds. Never negative.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);
// For a budget or limit: of nothing, it would be over before the first run.
Result<std::chrono::nanoseconds> parse_some_time(std::string_view text);

// "512M", "4k", "1G", "100"; powers of 1024.
Result<std::uint64_t> parse_size(std::string_view text);

// Decimal, or hexadecimal after 0x; all of 64 bits.
Result<std::uint64_t> parse_seed(std::string_view text);

struct CountRange {
  std::uint64_t least = 0;
  std::uint64_t most = ~std::uint64_t{0};
};
Result<std::uint64_t> parse_count(std::string_view text, CountRange range = {});

// "1.5 s", "20 ms": for people.
std::string show_duration(std::chrono::nanoseconds duration);

// One shell word that means exactly this text, quoted only where needed.
std::string shell_word(std::string_view text);
std::string shell_command(std::span<const std::string> words);

// Files, arguments and output may hold any bytes, but JSON only UTF-8. For people: what is none is shown as U+FFFD.
std::string as_utf8(std::string_view bytes);
// To be read again: a byte that is none stands as one of U+F780 to U+F7FF, which nothing else uses.
std::string bytes_to_utf8(std::string_view bytes);
std::string utf8_to_bytes(std::string_view text);

// "a lock", "an eventfd".
std::string with_article(std::string_view word);

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(std::span<const std::string_view> parts, std::string_view separator);

}  // namespace heddle
