// How many places pass undisturbed before the next one, drawn at once instead of place by place.
//
// With frequency f per mille each place is disturbed with p = f/1000, so the gap G is geometric:
// P(G >= n) = q^n with q = 1-p. Its binary digits are independent: digit k is 1 with probability
// x/(1+x) where x = q^(2^k). (Write P(G = n) = p q^n as a product over the digits of n.) So G is
// drawn digit by digit with integer arithmetic alone: no logarithm, which would need libm in the
// target and could differ between machines, and no draw per place.
#pragma once

#include <cstdint>

#include "base/prng.h"

namespace heddle {

class Gap {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0} >> 1;

  // Per mille, 0..1000. 0: never; 1000: always.
  void set_frequency(std::uint32_t per_mille);

  std::uint64_t draw(Prng& prng) const;

 private:
  static constexpr unsigned kMaxDigits = 24;

  std::uint64_t odds_[kMaxDigits] = {};  // digit k is 1 if a 64-bit draw is below odds_[k]
  unsigned digits_ = 0;
  bool never_ = true;
};

}  // namespace heddle
