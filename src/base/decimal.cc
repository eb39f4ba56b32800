#include "base/decimal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "base/formatted.h"

namespace quintet {
namespace {

// A natural number in 32-bit limbs, least significant first, without leading zeros.
class Natural {
 public:
  Natural() = default;
  explicit Natural(uint64_t value) {
    for (int shift = 48; shift >= 0; shift -= 16) multiply_add(1 << 16, static_cast<uint16_t>(value >> shift));
  }

  bool is_zero() const { return limbs_.empty(); }
  int bits() const {
    return limbs_.empty() ? 0 : static_cast<int>(32 * limbs_.size()) - std::countl_zero(limbs_.back());
  }

  // *this = *this * factor + summand.
  void multiply_add(uint32_t factor, uint32_t summand) {
    uint64_t carry = summand;
    for (uint32_t& limb : limbs_) {
      carry += uint64_t{limb} * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<uint32_t>(carry));
  }

  void multiply_by_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }

  void shift_left(int count) {
    limbs_.insert(limbs_.begin(), static_cast<size_t>(count / 32), 0);
    multiply_add(uint32_t{1} << (count % 32), 0);
  }

  // Subtracts if the difference is not negative, and returns whether it did.
  bool subtract_if_possible(const Natural& other) {
    if (*this < other) return false;
    int64_t borrow = 0;
    for (size_t i = 0; i < limbs_.size(); ++i) {
      borrow += int64_t{limbs_[i]} - (i < other.limbs_.size() ? other.limbs_[i] : 0);
      limbs_[i] = static_cast<uint32_t>(borrow);
      borrow >>= 32;
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    return true;
  }

  friend Natural operator+(Natural a, const Natural& b) {
    a.limbs_.resize(std::max(a.limbs_.size(), b.limbs_.size()));
    uint64_t carry = 0;
    for (size_t i = 0; i < a.limbs_.size(); ++i) {
      carry += uint64_t{a.limbs_[i]} + (i < b.limbs_.size() ? b.limbs_[i] : 0);
      a.limbs_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) a.limbs_.push_back(static_cast<uint32_t>(carry));
    return a;
  }

  friend bool operator<(const Natural& a, const Natural& b) {
    if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() < b.limbs_.size();
    return std::lexicographical_compare(a.limbs_.rbegin(), a.limbs_.rend(), b.limbs_.rbegin(), b.limbs_.rend());
  }

 private:
  std::vector<uint32_t> limbs_;
};

// value = digits * 10^exponent, and a little more if `is_cut`.
struct Decimal {
  Natural digits;
  int exponent = 0;
  bool is_negative = false;
  bool is_cut = false;
};

// Number of digits that can matter: to distinguish doubles and the midpoints between them, 767 suffice.
constexpr int kMaxDigits = 800;
// Far beyond every exponent of a double, and small enough for sums not to overflow.
constexpr int kMaxExponent = 100'000'000;

int read_exponent(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  int exponent = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') exponent = std::min(10 * exponent + (c - '0'), kMaxExponent);
  }
  return is_negative ? -exponent : exponent;
}

Decimal read(std::string_view text) {
  Decimal decimal;
  int digits = 0;
  bool behind_point = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '-') {
      decimal.is_negative = true;
    } else if (c == '.') {
      behind_point = true;
    } else if (c == 'e' || c == 'E') {
      decimal.exponent += read_exponent(text.substr(i + 1));
      break;
    } else if (digits == kMaxDigits) {
      decimal.is_cut = decimal.is_cut || c != '0';
      if (!behind_point) decimal.exponent = std::min(decimal.exponent + 1, kMaxExponent);
    } else {
      decimal.digits.multiply_add(10, static_cast<uint32_t>(c - '0'));
      if (!decimal.digits.is_zero()) ++digits;
      if (behind_point) decimal.exponent = std::max(decimal.exponent - 1, -kMaxExponent);
    }
  }
  return decimal;
}

// The double nearest to `significand` * 2^exponent, whose top bit is set; `more`: the value is a little larger.
double round_to_double(uint64_t significand, int exponent, bool more) {
  constexpr int kMinExponent = -1074;  // of the smallest subnormal
  const int dropped = std::max(11, kMinExponent - exponent);
  if (dropped > 64) return 0;
  const uint64_t kept = dropped == 64 ? 0 : significand >> dropped;
  const uint64_t half = uint64_t{1} << (dropped - 1);
  const uint64_t rest = significand & (half | (half - 1));
  const bool up = rest > half || (rest == half && (more || (kept & 1) != 0));
  // Exact: at most 53 bits, or 2^53. The product with a power of two is computed in two steps, so that neither
  // overflows.
  const double value = static_cast<double>(kept + up);
  const int scale = exponent + dropped;
  if (scale > 1023) return std::numeric_limits<double>::infinity();
  const auto power = [](int e) { return std::bit_cast<double>(static_cast<uint64_t>(e + 1023) << 52); };
  return scale < -1022 ? value * power(-1022) * power(scale + 1022) : value * power(scale);
}

// The first 64 bits of the quotient, by long division.
double divide(Natural numerator, Natural denominator, bool more) {
  const int exponent = numerator.bits() - denominator.bits() - 64;
  exponent < 0 ? numerator.shift_left(-exponent) : denominator.shift_left(exponent);
  // Now numerator / denominator is between 2^63 and 2^65.
  denominator.shift_left(64);
  uint64_t quotient = 0;
  bool is_long = false;
  for (int bit = 64; bit >= 0; --bit) {
    const bool one = numerator.subtract_if_possible(denominator);
    if (bit == 64) is_long = one;
    if (bit == 0 && is_long) {
      more = more || one;
      break;
    }
    quotient = quotient << 1 | one;
    numerator.shift_left(1);
  }
  return round_to_double(quotient, exponent + is_long, more || !numerator.is_zero());
}

// value = 0.digits * 10^exponent
struct Digits {
  std::string digits;
  int exponent = 0;
};

// The fewest digits that are nearer to a positive value than to its neighbors (Steele and White, How to Print
// Floating-Point Numbers Accurately, 1990). The value is rest / unit; half way to its neighbors are below / unit and
// above / unit.
Digits shortest_digits(double value) {
  constexpr int kFraction = 52, kBias = 1023;
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t{1} << kFraction) - 1);
  const int biased = static_cast<int>(bits >> kFraction);
  const int exponent = std::max(biased, 1) - kBias - kFraction;
  Natural rest(biased == 0 ? fraction : fraction | uint64_t{1} << kFraction), unit(1), below(1);
  // From a power of two, the neighbor below is half as far as the one above.
  const bool is_power = fraction == 0 && biased > 1;
  rest.shift_left(std::max(exponent, 0) + 1 + is_power);
  below.shift_left(std::max(exponent, 0));
  unit.shift_left(std::max(-exponent, 0) + 1 + is_power);
  Natural above = below;
  above.shift_left(is_power);

  // A number half way between two values is read as the one whose significand is even.
  const bool is_even = fraction % 2 == 0;
  const auto reaches = [&](const Natural& a, const Natural& b) { return is_even ? !(a < b) : b < a; };
  const auto enlarge = [&] {
    for (Natural* number : {&rest, &below, &above}) number->multiply_add(10, 0);
  };
  Digits out;
  for (; reaches(rest + above, unit); ++out.exponent) unit.multiply_add(10, 0);
  for (enlarge(); !reaches(rest + above, unit); --out.exponent) enlarge();
  for (bool is_last = false; !is_last; enlarge()) {
    char digit = '0';
    while (rest.subtract_if_possible(unit)) ++digit;
    const bool down = reaches(below, rest), up = reaches(rest + above, unit);
    is_last = down || up;
    out.digits += static_cast<char>(digit + (up && !(down && rest + rest < unit)));
  }
  return out;
}

}  // namespace

double parse_decimal(std::string_view text) {
  // 10^-400 and 10^400 are beyond all doubles, also after a shift by the number of digits.
  constexpr int kBeyond = 400;
  Decimal decimal = read(text);
  double magnitude = 0;
  if (!decimal.digits.is_zero() && decimal.exponent > -kMaxDigits - kBeyond) {
    if (decimal.exponent > kBeyond) {
      magnitude = std::numeric_limits<double>::infinity();
    } else {
      Natural denominator(1);
      decimal.digits.multiply_by_power_of_ten(decimal.exponent);
      denominator.multiply_by_power_of_ten(-decimal.exponent);
      magnitude = divide(std::move(decimal.digits), std::move(denominator), decimal.is_cut);
    }
  }
  return decimal.is_negative ? -magnitude : magnitude;
}

std::string write_decimal(double value) {
  // The maximum number of digits before the point, and of zeros after it, without an exponent.
  constexpr int kMaxWhole = 21, kMaxZeros = 5;
  std::string text(std::signbit(value) ? "-" : "");
  if (value == 0) return text + "0.0";
  auto [digits, exponent] = shortest_digits(std::fabs(value));
  const auto at = [](int place) { return static_cast<size_t>(place); };
  if (exponent < -kMaxZeros || exponent > kMaxWhole) {
    if (digits.size() > 1) digits.insert(1, ".");
    return formatted("{}{}e{}", text, digits, exponent - 1);
  }
  if (exponent <= 0) return formatted("{}0.{}{}", text, std::string(at(-exponent), '0'), digits);
  if (digits.size() <= at(exponent))
    return formatted("{}{}{}.0", text, digits, std::string(at(exponent) - digits.size(), '0'));
  return text + digits.insert(at(exponent), ".");
}

std::string write_natural(uint64_t number) {
  char digits[20];
  char* begin = std::end(digits);
  do {
    *--begin = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return {begin, std::end(digits)};
}

std::string write_integer(int64_t number) {
  const auto bits = static_cast<uint64_t>(number);
  return number < 0 ? "-" + write_natural(-bits) : write_natural(bits);
}

std::optional<LeadingNumber> leading_number(std::string_view text) {
  LeadingNumber number;
  for (const char c : text) {
    if (c < '0' || c > '9') break;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (number.value > (UINT64_MAX - digit) / 10) return std::nullopt;
    number.value = number.value * 10 + digit;
    ++number.digits;
  }
  return number.digits != 0 ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> parse_natural(std::string_view text) {
  const auto number = leading_number(text);
  return number && number->digits == text.size() ? std::optional(number->value) : std::nullopt;
}

}  // namespace quintet
