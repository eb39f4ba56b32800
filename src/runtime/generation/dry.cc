#include "runtime/generation/dry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/power.h"

namespace quintet {

void DryPenalty::apply(std::span<const uint32_t> tokens, std::span<float> logits) {
  read(tokens);
  const auto window = tokens.last(static_cast<size_t>(std::min<uint64_t>(options_.last_n, tokens.size())));
  const size_t longest = std::min(window.size(), tokens.size() - after_breaker_);
  if (longest < options_.allowed_length) return;
  find_repeats(window);

  lengths_.resize(logits.size());
  for (size_t back = 1; back < window.size(); ++back) {
    const size_t length = std::min(repeats_[back], longest);
    if (length < options_.allowed_length) continue;
    size_t& known = lengths_[window[window.size() - back]];
    known = std::max(known, length);
  }
  // As in llama.cpp, powers stay within floats.
  constexpr double kMaxLog = 88.7228391;
  const double max_exponent = options_.base > 1.000001 ? std::floor(kMaxLog / std::log(options_.base)) : 0;
  for (const uint32_t token : window) {
    const size_t length = std::exchange(lengths_[token], 0);
    if (length == 0 || has_breaker(text_(token))) continue;
    const auto exponent = static_cast<double>(length - options_.allowed_length);
    const double growth = power(options_.base, std::min(exponent, max_exponent));
    const double lowered = logits[token] - options_.multiplier * growth;
    // -infinity would forbid the token.
    constexpr double kLowest = std::numeric_limits<float>::lowest();
    if (std::isfinite(logits[token])) logits[token] = static_cast<float>(std::max(lowered, kLowest));
  }
}

// Searches the tokens that are new for breakers.
void DryPenalty::read(std::span<const uint32_t> tokens) {
  size_t longest = 0;
  for (const std::string& breaker : options_.breakers) longest = std::max(longest, breaker.size());
  for (; longest != 0 && read_ < tokens.size(); ++read_) {
    tail_ += text_(tokens[read_]);
    if (has_breaker(tail_)) {
      after_breaker_ = read_ + 1;
      tail_.clear();
    } else if (tail_.size() >= longest) {
      tail_.erase(0, tail_.size() - (longest - 1));
    }
  }
}

bool DryPenalty::has_breaker(const std::string& text) const {
  return std::ranges::any_of(options_.breakers, [&](const std::string& breaker) { return text.contains(breaker); });
}

// repeats_[n]: how many of the last tokens also stand before the last n. These are the values of the Z-function of the
// reversed tokens (Gusfield 1997, "Algorithms on Strings, Trees, and Sequences", section 1.4).
void DryPenalty::find_repeats(std::span<const uint32_t> tokens) {
  const size_t count = tokens.size();
  const auto from_end = [&](size_t i) { return tokens[count - 1 - i]; };
  repeats_.assign(count, 0);
  for (size_t at = 1, begin = 0, end = 0; at < count; ++at) {
    size_t& length = repeats_[at];
    if (at < end) length = std::min(end - at, repeats_[at - begin]);
    while (at + length < count && from_end(length) == from_end(at + length)) ++length;
    if (at + length <= end) continue;
    begin = at;
    end = at + length;
  }
}

}  // namespace quintet
