#include "grammar/json_schema/multiples.h"

#include <algorithm>
#include <string>
#include <vector>

#include "grammar/json_schema/number_range.h"
#include "grammar/json_schema/pattern_language.h"

namespace quintet::grammar {
namespace {

// A state for each remainder of the digits so far, and for each number of digits after the point.
constexpr uint32_t kMaxRemainders = 3000;
constexpr size_t kMaxFraction = 6;
constexpr size_t kMaxDigitStates = 5000;
constexpr size_t kMaxExact = 15;

Language digit(Languages& languages, uint32_t value, Language next) {
  return languages.step({{U'0' + value, U'0' + value}}, next);
}

}  // namespace

Result<Language> multiples_of(Languages& languages, double divisor) {
  QUINTET_TRY(const Decimal decimal, decimal_of(divisor));
  std::string digits = decimal.whole + decimal.fraction;
  // Zeros at its end are zeros at the end of all multiples.
  Language tail = Languages::kEmpty;
  for (; digits.size() > 1 && digits.back() == '0'; digits.pop_back()) tail = digit(languages, 0, tail);
  const size_t fraction = decimal.fraction.size();
  const uint32_t modulus = digits.size() < 9 ? static_cast<uint32_t>(std::stoul(digits)) : kMaxRemainders + 1;
  if (modulus > kMaxRemainders || fraction > kMaxFraction) {
    return input_error(Reason::limit, "multipleOf {}{}{}, of more than {} steps,", decimal.whole,
                       fraction > 0 ? "." : "", decimal.fraction, kMaxRemainders);
  }
  // [digits after the point][remainder]
  std::vector<std::vector<Language>> after(fraction + 1);
  std::vector<Language> whole;
  for (uint32_t i = 0; i < modulus; ++i) {
    whole.push_back(languages.later());
    for (auto& each : after) each.push_back(languages.later());
  }
  // Whether it is a multiple if zeros follow.
  const auto end = [&](uint32_t remainder, size_t places) {
    for (; places < fraction; ++places) remainder = remainder * 10 % modulus;
    return remainder == 0 ? tail : Languages::kNone;
  };
  const auto digits_to = [&](const std::vector<Language>& next, uint32_t remainder) {
    Language all = Languages::kNone;
    for (uint32_t value = 0; value < 10; ++value) {
      all = languages.either(all, digit(languages, value, next[(remainder * 10 + value) % modulus]));
    }
    return all;
  };
  for (uint32_t i = 0; i < modulus && !languages.full(); ++i) {
    Language rest = languages.either(end(i, 0), digits_to(whole, i));
    if (fraction > 0) rest = languages.either(rest, languages.step({{'.', '.'}}, after[0][i]));
    languages.define(whole[i], rest);
    for (size_t places = 0; places <= fraction; ++places) {
      const Language more = places < fraction ? digits_to(after[places + 1], i) : Languages::kNone;
      languages.define(after[places][i], places > 0 ? languages.either(end(i, places), more) : more);
    }
  }
  Language all = languages.either(whole[0], languages.step({{'-', '-'}}, whole[0]));
  all = languages.either(all, digit(languages, 0, Languages::kEmpty));
  // Numbers of three digits have few remainders.
  const size_t max = std::min(kMaxExact, 3 + kMaxDigitStates / modulus);
  std::string shape = formatted("^(?:0|-?[1-9][0-9]{0,{}}", max > fraction ? max - fraction - 1 : 0);
  if (fraction > 0) {
    const std::string after_point = formatted("\\.[0-9]{1,{}}", fraction);
    shape += formatted("(?:{})?|-?0{}", after_point, after_point);
  }
  QUINTET_TRY(const Pattern exact, parse_pattern(shape + ")$"));
  QUINTET_TRY(const Language numbers, language_of(languages, exact));
  return languages.both(all, numbers);
}

}  // namespace quintet::grammar
