#include "tokenizers/special_tokens.h"

#include <algorithm>

#include "base/order.h"

namespace quintet {
namespace {

uint8_t byte_at(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

}  // namespace

SpecialTokens::SpecialTokens(std::vector<std::pair<std::string, uint32_t>> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const auto& token) { return token.first.empty() || token.first.size() > kLongest; });
  heap_sort(tokens_);
  for (const auto& [text, id] : tokens_) first_bytes_.set(byte_at(text, 0));
}

// Narrows the range of the tokens that begin like the text, byte by byte. In it, a token that ends here comes first.
std::optional<SpecialTokens::Found> SpecialTokens::longest_at(std::string_view text, size_t at) const {
  std::optional<Found> longest;
  auto first = tokens_.begin();
  auto last = tokens_.end();
  for (size_t size = 0;; ++size) {
    if (first != last && first->first.size() == size) longest = Found{.begin = at, .size = size, .id = first->second};
    while (first != last && first->first.size() == size) ++first;
    if (first == last || at + size == text.size()) return longest;
    const uint8_t byte = byte_at(text, at + size);
    first = std::partition_point(first, last, [&](const auto& token) { return byte_at(token.first, size) < byte; });
    last = std::partition_point(first, last, [&](const auto& token) { return byte_at(token.first, size) == byte; });
  }
}

std::optional<SpecialTokens::Found> SpecialTokens::next(std::string_view text, size_t from) const {
  if (tokens_.empty()) return std::nullopt;
  for (size_t at = from; at < text.size(); ++at) {
    if (!first_bytes_[byte_at(text, at)]) continue;
    if (const auto found = longest_at(text, at)) return found;
  }
  return std::nullopt;
}

std::optional<uint32_t> SpecialTokens::find(std::string_view token) const {
  const auto found = longest_at(token, 0);
  return found && found->size == token.size() ? std::optional(found->id) : std::nullopt;
}

}  // namespace quintet
