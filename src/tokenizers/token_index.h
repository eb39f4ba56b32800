#pragma once
// Finds tokens by their text: an open-addressing hash table with four bytes per slot over a StringTable. Hashes are
// extended byte by byte, so that all prefixes of a word are hashed in one pass.

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/string_table.h"

namespace quintet {

class TokenIndex {
 public:
  static constexpr size_t kMaxTokens = (1u << 24) - 1;

  // FNV-1a, which `find` mixes further.
  static constexpr uint32_t kEmptyHash = 0x811C9DC5;
  static constexpr uint32_t extend(uint32_t hash, char byte) {
    return (hash ^ static_cast<uint8_t>(byte)) * 0x01000193;
  }
  static constexpr uint32_t hash_of(std::string_view text) {
    uint32_t hash = kEmptyHash;
    for (const char byte : text) hash = extend(hash, byte);
    return hash;
  }

  // The last of equal tokens is found, as when a vocabulary file is read into a map. Rejects a vocabulary of more than
  // kMaxTokens tokens, and one whose hashes were made to collide.
  static Result<TokenIndex> create(const StringTable& tokens);

  // Returns the id of the token `prefix` + `rest` with the given hash. `tokens` must be those of create().
  std::optional<uint32_t> find(const StringTable& tokens, uint32_t hash, std::string_view prefix,
                               std::string_view rest) const;

  size_t memory_bytes() const { return slots_.capacity() * sizeof(uint32_t); }
  // The memory of an index of this many tokens.
  static uint64_t bytes_for(uint64_t tokens) { return slots_for(tokens) * sizeof(uint32_t); }

 private:
  static uint64_t slots_for(uint64_t tokens) { return std::bit_ceil(2 * tokens + 2); }
  explicit TokenIndex(size_t slots) : slots_(slots, kFree) {}
  bool insert(const StringTable& tokens, uint32_t id);

  // A slot: the upper 8 bits of the hash, which avoid most comparisons of text, above the id of the token.
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr uint32_t kIdMask = 0x00FFFFFF;

  std::vector<uint32_t> slots_;  // a power of two, at most half of them taken
};

}  // namespace quintet
