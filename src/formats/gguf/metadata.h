#pragma once
// The key-value pairs of a GGUF file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "base/json.h"
#include "base/string_table.h"
#include "base/task.h"
#include "formats/model_description.h"

namespace quintet::gguf {

namespace key {
constexpr std::string_view kTokenizer = "tokenizer.";  // prefix of the tokenizer's keys
constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kMerges = "tokenizer.ggml.merges";
constexpr std::string_view kScores = "tokenizer.ggml.scores";
constexpr std::string_view kTokenTypes = "tokenizer.ggml.token_type";
constexpr std::string_view kCharacterMap = "tokenizer.ggml.precompiled_charsmap";
}  // namespace key

struct Metadata {
  Json values = Json::object();  // in the order of the file
  std::vector<uint64_t> places;  // of each value in the file, after its type

  // The lists of the vocabulary, which `values` only summarizes.
  StringTable tokens, merges;
  std::vector<float> scores;
  std::vector<PieceType> token_types;
  std::string character_map;
  uint64_t tokenizer_bytes = 0;  // of all keys of the tokenizer, with their values

  const Json* find(std::string_view key) const { return values.find(key); }
  // Position of the value of an existing key.
  uint64_t place_of(std::string_view key) const;
  // Position of the length of the array of an existing key.
  uint64_t length_place_of(std::string_view key) const;
};

// Reads the next `count` pairs.
Parse<Metadata> read_metadata(ByteStream& in, uint64_t count);

}  // namespace quintet::gguf
