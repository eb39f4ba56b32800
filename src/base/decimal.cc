#include "base/decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace quintet {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal fraction 0.d1d2d3… x 10^point that is doubled and halved digit by digit. Slow and plain (after the decimal
// conversion of Go's strconv); configurations hardly ever have a number that needs it.
class Fraction {
 public:
  explicit Fraction(std::string_view number) {
    size_t at = number.starts_with('-') ? 1 : 0;
    bool seen_dot = false;
    for (; at < number.size() && (is_digit(number[at]) || number[at] == '.'); ++at) {
      if (number[at] == '.') {
        seen_dot = true;
        continue;
      }
      push(static_cast<uint8_t>(number[at] - '0'), seen_dot);
    }
    point_ += exponent_of(number.substr(at));
    trim();
  }

  bool is_zero() const { return count_ == 0; }
  int point() const { return point_; }
  bool below_half() const { return point_ < 0 || (point_ == 0 && digits_[0] < 5); }
  size_t count() const { return count_; }

  // Exactly digits x 10^scale, where the digits fit an integer that doubles hold exactly.
  uint64_t integer() const {
    uint64_t value = 0;
    for (size_t i = 0; i < count_; ++i) value = value * 10 + digits_[i];
    return value;
  }
  int scale() const { return point_ - static_cast<int>(count_); }

  // Divides by 2^bits, bits <= 60.
  void halve(unsigned bits) {
    uint64_t rest = 0;
    size_t read = 0;
    for (; rest >> bits == 0; ++read) {
      if (read >= count_ && rest == 0) {
        count_ = 0;
        return;
      }
      rest = rest * 10 + (read < count_ ? digits_[read] : 0);
    }
    point_ -= static_cast<int>(read) - 1;
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    size_t written = 0;
    const auto put = [&](uint64_t digit) {
      if (written < digits_.size()) {
        digits_[written++] = static_cast<uint8_t>(digit);
      } else if (digit != 0) {
        more_ = true;
      }
    };
    for (; read < count_; ++read) {
      const uint8_t next = digits_[read];
      put(rest >> bits);
      rest = (rest & mask) * 10 + next;
    }
    for (; rest != 0; rest = (rest & mask) * 10) put(rest >> bits);
    count_ = written;
    trim();
  }

  // Multiplies by 2^bits, bits <= 59.
  void double_up(unsigned bits) {
    std::array<uint8_t, 20> front;  // digits that the number grows by
    uint64_t carry = 0;
    for (size_t i = count_; i-- > 0;) {
      carry += static_cast<uint64_t>(digits_[i]) << bits;
      digits_[i] = static_cast<uint8_t>(carry % 10);
      carry /= 10;
    }
    size_t grown = 0;
    for (; carry != 0; carry /= 10) front[grown++] = static_cast<uint8_t>(carry % 10);
    const size_t kept = std::min(count_, digits_.size() - grown);
    for (size_t i = kept; i < count_; ++i) more_ = more_ || digits_[i] != 0;
    std::copy_backward(digits_.begin(), digits_.begin() + static_cast<std::ptrdiff_t>(kept),
                       digits_.begin() + static_cast<std::ptrdiff_t>(kept + grown));
    std::reverse_copy(front.begin(), front.begin() + static_cast<std::ptrdiff_t>(grown), digits_.begin());
    count_ = kept + grown;
    point_ += static_cast<int>(grown);
    trim();
  }

  // The nearest integer, ties to even; at most 19 digits stand before the point.
  uint64_t rounded() const {
    uint64_t value = 0;
    for (int i = 0; i < point_; ++i) value = value * 10 + digit(i);
    if (point_ < 0 || digit(point_) < 5) return value;
    const bool tie = digit(point_) == 5 && static_cast<size_t>(point_) + 1 == count_ && !more_;
    return tie ? value + (value & 1) : value + 1;
  }

 private:
  static constexpr int kFarExponent = 100'000;

  static int exponent_of(std::string_view suffix) {
    if (suffix.empty()) return 0;
    const bool negative = suffix[1] == '-';
    int exponent = 0;
    for (const char c : suffix.substr(is_digit(suffix[1]) ? 1 : 2)) {
      exponent = std::min(exponent * 10 + (c - '0'), kFarExponent);
    }
    return negative ? -exponent : exponent;
  }

  void push(uint8_t digit, bool behind_dot) {
    const bool leading_zero = digit == 0 && count_ == 0;
    if (!behind_dot && !leading_zero) ++point_;
    if (behind_dot && leading_zero) --point_;
    if (leading_zero) return;
    if (count_ < digits_.size()) {
      digits_[count_++] = digit;
    } else {
      more_ = more_ || digit != 0;
    }
  }

  void trim() {
    while (count_ > 0 && digits_[count_ - 1] == 0) --count_;
  }

  unsigned digit(int i) const { return static_cast<size_t>(i) < count_ ? digits_[static_cast<size_t>(i)] : 0; }

  // No double needs more digits to be told from its neighbours; what lies beyond counts as "a little more".
  std::array<uint8_t, 800> digits_;
  size_t count_ = 0;
  int point_ = 0;
  bool more_ = false;
};

// Powers of ten up to 10^22 are exact, and so is an integer of up to 15 digits: one rounding in all.
std::optional<double> exact_product(const Fraction& fraction) {
  constexpr size_t kExactDigits = 15;
  constexpr int kExactPower = 22;
  if (fraction.count() > kExactDigits || fraction.scale() > kExactPower || fraction.scale() < -kExactPower) {
    return std::nullopt;
  }
  double power = 1;
  for (int i = std::abs(fraction.scale()); i > 0; --i) power *= 10;
  const double integer = static_cast<double>(fraction.integer());
  return fraction.scale() < 0 ? integer / power : integer * power;
}

// Requires a fraction whose point lies within the range of doubles.
std::optional<double> nearest(Fraction fraction) {
  constexpr unsigned kStep = 50;
  constexpr int kLeastExponent = -1022;
  constexpr int kMostExponent = 1023;
  constexpr unsigned kMantissaBits = 52;
  // To a value from 1/2 to 1, then from 1 to 2.
  int exponent = 0;
  while (fraction.point() > 0) {
    const unsigned bits = fraction.point() > 15 ? kStep : 1;
    fraction.halve(bits);
    exponent += static_cast<int>(bits);
  }
  while (fraction.below_half()) {
    const unsigned bits = fraction.point() < -15 ? kStep : 1;
    fraction.double_up(bits);
    exponent -= static_cast<int>(bits);
  }
  --exponent;
  for (; exponent < kLeastExponent; ++exponent) fraction.halve(1);  // subnormal
  fraction.double_up(kMantissaBits + 1);
  uint64_t mantissa = fraction.rounded();
  constexpr uint64_t kImplicitOne = uint64_t{1} << kMantissaBits;
  if (mantissa == kImplicitOne << 1) {
    mantissa >>= 1;
    ++exponent;
  }
  if (exponent > kMostExponent) return std::nullopt;
  const uint64_t biased = mantissa < kImplicitOne ? 0 : static_cast<uint64_t>(exponent + kMostExponent);
  return std::bit_cast<double>(biased << kMantissaBits | (mantissa & (kImplicitOne - 1)));
}

}  // namespace

std::optional<double> double_of_decimal(std::string_view number) {
  constexpr int kBeyondLargest = 310;
  constexpr int kBelowSmallest = -330;
  const Fraction fraction(number);
  std::optional<double> magnitude = 0.0;
  if (!fraction.is_zero() && fraction.point() >= kBelowSmallest) {
    if (fraction.point() > kBeyondLargest) return std::nullopt;
    magnitude = exact_product(fraction);
    if (!magnitude) magnitude = nearest(fraction);
  }
  if (!magnitude) return std::nullopt;
  return number.starts_with('-') ? -*magnitude : *magnitude;
}

}  // namespace quintet
