// The keys of --noise. What reading (noise_text.cpp) and drawing (noise_draw.cpp) share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle {

enum class NoiseKey : std::uint8_t {
  placement,
  when,
  frequency,
  seeding,
  strength,
  reads,
  writes,
  sync,
  halt_one_thread,
  inverse_noise,
  timeout_tamper,
  repeat,
  quiet,
  budget,
  count
};

// Copies a name into its fixed field, which stays terminated.
template <std::size_t N>
void set_name(char (&field)[N], std::string_view name) {
  std::fill(field, field + N, '\0');
  std::copy_n(name.data(), std::min(name.size(), N - 1), field);
}

constexpr std::uint32_t bit(NoiseKey key) { return 1u << static_cast<unsigned>(key); }

}  // namespace heddle
