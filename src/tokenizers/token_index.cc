#include "tokenizers/token_index.h"

#include <algorithm>

namespace quintet {
namespace {

// The final mix of MurmurHash3: spreads the low entropy of short tokens over all bits.
constexpr uint32_t mix(uint32_t hash) {
  hash ^= hash >> 16;
  hash *= 0x85EBCA6B;
  hash ^= hash >> 13;
  hash *= 0xC2B2AE35;
  return hash ^ (hash >> 16);
}

bool is_concatenation(std::string_view token, std::string_view prefix, std::string_view rest) {
  return token.size() == prefix.size() + rest.size() && token.starts_with(prefix) && token.ends_with(rest);
}

// Random tokens never fill this many consecutive slots, for any size of vocabulary. Tokens that do were made to
// collide, which would make every look-up slow.
constexpr size_t kMaxProbes = 256;

}  // namespace

Result<TokenIndex> TokenIndex::create(const StringTable& tokens) {
  if (tokens.size() > kMaxTokens) {
    return fail(Code::format, Reason::limit, "a vocabulary of {} tokens is too large", tokens.size());
  }
  TokenIndex index(static_cast<size_t>(slots_for(tokens.size())));
  for (uint32_t id = 0; id < tokens.size(); ++id) {
    if (!index.insert(tokens, id)) {
      return fail(Code::format, Reason::limit, "the hashes of too many tokens of the vocabulary collide");
    }
  }
  return index;
}

bool TokenIndex::insert(const StringTable& tokens, uint32_t id) {
  const std::string_view token = tokens[id];
  const uint32_t hash = mix(hash_of(token));
  const size_t mask = slots_.size() - 1;
  for (size_t probe = 0; probe < kMaxProbes; ++probe) {
    uint32_t& slot = slots_[(hash + probe) & mask];
    const bool same_tag = (slot ^ hash) >> 24 == 0;
    if (slot == kFree || (same_tag && tokens[slot & kIdMask] == token)) {
      slot = (hash & ~kIdMask) | id;
      return true;
    }
  }
  return false;
}

std::optional<uint32_t> TokenIndex::find(const StringTable& tokens, uint32_t hash, std::string_view prefix,
                                         std::string_view rest) const {
  hash = mix(hash);
  const size_t mask = slots_.size() - 1;
  for (size_t probe = 0; probe < kMaxProbes; ++probe) {
    const uint32_t slot = slots_[(hash + probe) & mask];
    if (slot == kFree) break;
    const bool same_tag = (slot ^ hash) >> 24 == 0;
    if (same_tag && is_concatenation(tokens[slot & kIdMask], prefix, rest)) return slot & kIdMask;
  }
  return std::nullopt;
}

}  // namespace quintet
