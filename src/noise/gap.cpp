#include "noise/gap.h"

namespace heddle {
namespace {

using Wide = unsigned __int128;

// 2^64 * x/(1+x) for x a fraction of 2^64. Long division: a 128-bit `/` would call into libgcc.
constexpr std::uint64_t odds_of(std::uint64_t x) {
  const Wide divisor = (Wide{1} << 64) + x;
  Wide rest = x;
  std::uint64_t quotient = 0;
  for (int bit = 0; bit < 64; ++bit) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

}  // namespace

void Gap::set_frequency(std::uint32_t per_mille) {
  never_ = per_mille == 0;
  digits_ = 0;
  if (per_mille == 0 || per_mille >= 1000) return;
  // 2^64/1000 rounded down, times the complement: at most 2^-54 off.
  std::uint64_t x = (~std::uint64_t{0} / 1000) * (1000 - per_mille);
  while (x != 0 && digits_ < kMaxDigits) {
    odds_[digits_++] = odds_of(x);
    x = static_cast<std::uint64_t>((Wide{x} * x) >> 64);
  }
}

std::uint64_t Gap::draw(Prng& prng) const {
  if (never_) return kNever;
  std::uint64_t gap = 0;
  for (unsigned digit = 0; digit < digits_; ++digit) {
    if (prng.next() < odds_[digit]) gap |= std::uint64_t{1} << digit;
  }
  return gap;
}

}  // namespace heddle
