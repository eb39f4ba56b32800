#pragma once
// The key-value pairs of a GGUF file.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "base/json.h"
#include "base/string_table.h"
#include "base/task.h"
#include "formats/model_description.h"

namespace quintet::gguf {

namespace key {
constexpr std::string_view kTokenizer = "tokenizer.";  // what the tokenizer's keys begin with
constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kMerges = "tokenizer.ggml.merges";
constexpr std::string_view kScores = "tokenizer.ggml.scores";
constexpr std::string_view kTokenTypes = "tokenizer.ggml.token_type";
}  // namespace key

struct Metadata {
  Json values = Json::object();  // in the order of the file
  std::vector<uint64_t> places;  // of each value in the file, behind its type

  // The lists of the vocabulary, which `values` only sums up.
  StringTable tokens, merges;
  std::vector<float> scores;
  std::vector<PieceType> token_types;
  uint64_t tokenizer_bytes = 0;  // of all keys of the tokenizer with their values

  const Json* find(std::string_view key) const { return values.find(key); }
  // Of the value of a key that is there.
  uint64_t place_of(std::string_view key) const;
  // Where the array of a key that is there says how long it is.
  uint64_t length_place_of(std::string_view key) const;
};

// Reads `count` pairs, which come next.
Parse<Metadata> read_metadata(ByteStream& in, uint64_t count);

}  // namespace quintet::gguf
