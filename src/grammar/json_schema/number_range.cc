#include "grammar/json_schema/number_range.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "base/json.h"

namespace quintet::grammar {
namespace {

using Choice = std::vector<std::string>;  // alternatives

std::string joined(const Choice& choice) {
  std::string text;
  for (const std::string& each : choice) text += (text.empty() ? "" : "|") + each;
  return choice.size() > 1 ? formatted("(?:{})", text) : text;
}

std::string digits(size_t min, size_t max) {
  const std::string bounds = min == max ? write_natural(min) : formatted("{},{}", min, max);
  return formatted("[0-9]{{}}", bounds);
}

std::string digit_range(char first, char last) { return formatted("[{}-{}]", first, last); }

// Texts of as many digits as `low` from there to `high`; both have the same length.
std::string between(std::string_view low, std::string_view high) {
  if (low.empty()) return "";
  const size_t rest = low.size() - 1;
  const std::string_view low_rest = low.substr(1);
  const std::string_view high_rest = high.substr(1);
  if (rest == 0) return digit_range(low[0], high[0]);
  if (low[0] == high[0]) return low[0] + between(low_rest, high_rest);
  Choice choice;
  char first = low[0];
  char last = high[0];
  if (low_rest.find_first_not_of('0') != std::string_view::npos) {
    choice.push_back(first++ + between(low_rest, std::string(rest, '9')));
  }
  const bool ends_early = high_rest.find_first_not_of('9') != std::string_view::npos;
  if (ends_early) --last;
  if (first <= last) choice.push_back(digit_range(first, last) + digits(rest, rest));
  if (ends_early) choice.push_back(high[0] + between(std::string(rest, '0'), high_rest));
  return joined(choice);
}

std::string plus_one(std::string whole) {
  for (size_t i = whole.size(); i-- > 0;) {
    if (whole[i] != '9') {
      ++whole[i];
      return whole;
    }
    whole[i] = '0';
  }
  return "1" + whole;
}

std::string minus_one(std::string whole) {
  for (size_t i = whole.size(); i-- > 0;) {
    if (whole[i] != '0') {
      --whole[i];
      break;
    }
    whole[i] = '9';
  }
  return whole.size() > 1 && whole[0] == '0' ? whole.substr(1) : whole;
}

bool less(std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

// Whole numbers from `low` to `high`; without `high`, all of up to kMaxDigits digits.
void append_whole(const std::string& low, const std::optional<std::string>& high, std::string_view after,
                  Choice& choice) {
  const size_t longest = high ? high->size() : std::max(size_t{kMaxDigits}, low.size());
  if (high && less(*high, low)) return;
  const auto add = [&](const std::string& text) { choice.push_back(formatted("{}{}", text, after)); };
  for (size_t length = low.size(); length <= longest; ++length) {
    const bool first = length == low.size();
    const bool last = high && length == longest;
    if (first || last) {
      const std::string begin = first ? low : formatted("1{}", std::string(length - 1, '0'));
      add(between(begin, last ? *high : std::string(length, '9')));
      continue;
    }
    // All lengths in the middle at once.
    const size_t max = high ? longest - 1 : longest;
    add("[1-9]" + digits(length - 1, max - 1));
    length = max;
  }
}

// The digits after a point, at least one, for fractions that are at least, or above, the given one.
std::string fraction_from(std::string_view low, bool exclusive) {
  const std::string any = digits(0, kMaxDigits);
  if (low.empty()) return exclusive ? formatted("0{0,{}}[1-9]{}", kMaxDigits - 1, any) : digits(1, kMaxDigits);
  Choice choice;
  if (low[0] < '9') choice.push_back(digit_range(static_cast<char>(low[0] + 1), '9') + any);
  const std::string same(1, low[0]);
  if (low.size() > 1) {
    choice.push_back(same + fraction_from(low.substr(1), exclusive));
  } else {
    choice.push_back(same + (exclusive ? fraction_from("", true) : any));
  }
  return joined(choice);
}

// Fractions that are at most, or below, the given one. Empty: there are none.
std::string fraction_to(std::string_view high, bool exclusive) {
  const std::string zeros = formatted("0{1,{}}", kMaxDigits);
  if (high.empty()) return exclusive ? "" : zeros;
  Choice choice;
  if (high[0] > '0') choice.push_back(digit_range('0', static_cast<char>(high[0] - 1)) + digits(0, kMaxDigits));
  const std::string same(1, high[0]);
  const std::string rest = fraction_to(high.substr(1), exclusive);
  // A fraction may end here, as if zeros followed.
  const bool may_end = high.size() > 1 || !exclusive;
  if (may_end) choice.push_back(same + (rest.empty() ? "" : formatted("(?:{})?", rest)));
  return joined(choice);
}

// Fractions from `low` to `high`, the first of which is less.
std::string fraction_between(std::string_view low, bool above, std::string_view high, bool below) {
  const char first = low.empty() ? '0' : low[0];
  const char last = high[0];
  const std::string_view low_rest = low.empty() ? low : low.substr(1);
  if (first == last) return first + fraction_between(low_rest, above, high.substr(1), below);
  Choice choice;
  // The digit of the lower bound, followed by digits that make the number large enough.
  const bool whole = low_rest.empty() && !above;
  choice.push_back(first + (whole ? digits(0, kMaxDigits) : fraction_from(low_rest, above)));
  if (last - first > 1) {
    choice.push_back(digit_range(static_cast<char>(first + 1), static_cast<char>(last - 1)) + digits(0, kMaxDigits));
  }
  const std::string rest = fraction_to(high.substr(1), below);
  const bool may_end = high.size() > 1 || !below;
  if (may_end) choice.push_back(last + (rest.empty() ? "" : formatted("(?:{})?", rest)));
  return joined(choice);
}

struct Bound {
  Decimal at;
  bool exclusive = false;
};

// Numbers of at least 0 within bounds of at least 0.
void append_positive(const Bound& low, const std::optional<Bound>& high, bool integers, std::string_view sign,
                     Choice& choice) {
  Choice inner;
  const bool low_fraction = !low.at.fraction.empty();
  if (integers) {
    const std::string first = low_fraction || low.exclusive ? plus_one(low.at.whole) : low.at.whole;
    std::optional<std::string> last;
    if (high) {
      if (high->exclusive && high->at.is_zero()) return;
      last = high->exclusive && high->at.fraction.empty() ? minus_one(high->at.whole) : high->at.whole;
    }
    append_whole(first, last, "", inner);
  } else {
    const auto& [low_whole, low_digits] = low.at;
    const bool same = high && high->at.whole == low_whole;
    if (same) {
      const std::string_view high_digits = high->at.fraction;
      if (low_digits == high_digits) {
        const bool excluded = low.exclusive || high->exclusive;
        if (!excluded) {
          const std::string zeros = formatted("0{0,{}}", kMaxDigits);
          inner.push_back(low_whole + (low_fraction ? formatted("\\.{}{}", low_digits, zeros) : "(?:\\.0{1,16})?"));
        }
      } else if (low_digits < high_digits) {
        if (!low_fraction && !low.exclusive) inner.push_back(low_whole);
        inner.push_back(
            formatted("{}\\.{}", low_whole, fraction_between(low_digits, low.exclusive, high_digits, high->exclusive)));
      }
    } else if (!high || less(low_whole, high->at.whole)) {
      if (!low_fraction && !low.exclusive) inner.push_back(low_whole);
      inner.push_back(formatted("{}\\.{}", low_whole, fraction_from(low_digits, low.exclusive)));
      const std::optional<std::string> last = high ? std::optional(minus_one(high->at.whole)) : std::nullopt;
      append_whole(plus_one(low_whole), last, formatted("(?:\\.{})?", digits(1, kMaxDigits)), inner);
      if (high) {
        const bool whole = !high->exclusive || !high->at.fraction.empty();
        if (whole) inner.push_back(high->at.whole);
        const std::string fraction = fraction_to(high->at.fraction, high->exclusive);
        if (!fraction.empty()) inner.push_back(formatted("{}\\.{}", high->at.whole, fraction));
      }
    }
  }
  if (!inner.empty()) choice.push_back(formatted("{}{}", sign, joined(inner)));
}

}  // namespace

Result<Decimal> decimal_of(double value) {
  const std::string text = write_json(Json(std::abs(value)));
  std::string all;
  int exponent = 0;
  size_t point = std::string::npos;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      point = all.size();
    } else if (text[i] == 'e' || text[i] == 'E') {
      const bool negative = text[i + 1] == '-';
      for (size_t at = i + 1; at < text.size(); ++at) {
        if (text[at] >= '0' && text[at] <= '9') exponent = exponent * 10 + (text[at] - '0');
      }
      if (negative) exponent = -exponent;
      break;
    } else {
      all += text[i];
    }
  }
  constexpr int kMax = 30;
  if (exponent > kMax || exponent < -kMax) return unsupported_error("the number {}", text);
  int before = static_cast<int>(point == std::string::npos ? all.size() : point) + exponent;
  if (before < 1) {
    all.insert(0, static_cast<size_t>(1 - before), '0');
    before = 1;
  }
  if (static_cast<size_t>(before) > all.size()) all.append(static_cast<size_t>(before) - all.size(), '0');
  Decimal decimal = {.whole = all.substr(0, static_cast<size_t>(before)),
                     .fraction = all.substr(static_cast<size_t>(before))};
  const size_t leading = decimal.whole.find_first_not_of('0');
  decimal.whole = leading == std::string::npos ? "0" : decimal.whole.substr(leading);
  decimal.fraction.resize(decimal.fraction.find_last_not_of('0') + 1);
  if (decimal.fraction.size() >= size_t{kMaxDigits}) return unsupported_error("the number {}", text);
  return decimal;
}

Result<std::string> number_pattern(std::optional<NumberBound> min, std::optional<NumberBound> max, bool integers) {
  // Bounds that no number of kMaxDigits digits reaches change nothing.
  const double reach = std::pow(10.0, kMaxDigits);
  if (min && min->value < -reach) min.reset();
  if (max && max->value > reach) max.reset();
  std::optional<Bound> low;
  std::optional<Bound> high;
  if (min) {
    QUINTET_TRY(Decimal at, decimal_of(min->value));
    low = {std::move(at), min->exclusive};
  }
  if (max) {
    QUINTET_TRY(Decimal at, decimal_of(max->value));
    high = {std::move(at), max->exclusive};
  }
  Choice choice;
  const bool has_negative = !min || min->value < 0;
  if (has_negative) {
    // Below zero the bounds change places. -0 is left out.
    const bool below = max && max->value < 0;
    const Bound nearest = below ? *high : Bound{.at = {}, .exclusive = true};
    append_positive(nearest, low, integers, "-", choice);
  }
  const bool has_positive = !max || max->value > 0 || (max->value == 0 && !max->exclusive);
  if (has_positive) {
    const bool above = min && min->value >= 0;
    append_positive(above ? *low : Bound{}, high, integers, "", choice);
  }
  return joined(choice);
}

}  // namespace quintet::grammar
