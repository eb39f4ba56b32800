#include "formats/gguf/metadata.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/order.h"
#include "formats/gguf/values.h"

namespace quintet::gguf {
namespace {

// Number of list elements that are read at once.
constexpr uint64_t kNumbersAtOnce = 4096;
constexpr uint64_t kNumberBytes = 4;

class MetadataReader {
 public:
  explicit MetadataReader(ByteStream& in) : in_(in) {}

  Parse<void> read(uint64_t count);
  Metadata take() { return std::move(metadata_); }

 private:
  Parse<void> read_pair();
  Parse<std::string> read_key();
  Parse<Json> read_value_of(const std::string& key, ValueType type);
  // A list of the vocabulary with elements of this type.
  Parse<Json> read_vocabulary_list(const std::string& key, ValueType type);
  Parse<void> read_scores(uint64_t count);
  Parse<void> read_token_types(uint64_t count);
  Parse<void> read_character_map(uint64_t count);
  Status check_unique() const;

  ByteStream& in_;
  Metadata metadata_;
};

std::optional<ValueType> type_of_list(std::string_view key) {
  if (key == key::kTokens || key == key::kMerges) return ValueType::string;
  if (key == key::kScores) return ValueType::f32;
  if (key == key::kTokenTypes) return ValueType::i32;
  if (key == key::kCharacterMap) return ValueType::u8;
  return std::nullopt;
}

Parse<void> MetadataReader::read(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) QUINTET_CO_CHECK(co_await read_pair());
  co_return check_unique();
}

Parse<void> MetadataReader::read_pair() {
  const uint64_t at = in_.offset();
  QUINTET_CO_TRY(std::string key, co_await read_key());
  QUINTET_CO_TRY(const ValueType type, co_await read_value_type(in_));
  metadata_.places.push_back(in_.offset());
  QUINTET_CO_TRY(Json value, co_await read_value_of(key, type));
  if (key.starts_with(key::kTokenizer)) metadata_.tokenizer_bytes += in_.offset() - at;
  metadata_.values.append(key, std::move(value));
  co_return Status();
}

Parse<std::string> MetadataReader::read_key() {
  const uint64_t at = in_.offset();
  QUINTET_CO_TRY(std::string key, co_await read_string(in_, kMaxKeyBytes));
  if (key.empty()) co_return format_error(Reason::malformed, at, "an empty key");
  const auto bad = std::ranges::find_if(key, [](char c) { return c < ' ' || c > '~'; });
  if (bad != key.end()) {
    co_return format_error(Reason::malformed, at + kLengthBytes + static_cast<uint64_t>(bad - key.begin()),
                           "a key that is not printable ASCII");
  }
  co_return key;
}

Parse<Json> MetadataReader::read_value_of(const std::string& key, ValueType type) {
  const std::optional<ValueType> elements = type_of_list(key);
  if (!elements) co_return co_await read_value(in_, type);
  if (type == ValueType::array) co_return co_await read_vocabulary_list(key, *elements);
  co_return format_error(Reason::malformed, in_.offset() - kTypeBytes, "{} is not an array", key);
}

Parse<Json> MetadataReader::read_vocabulary_list(const std::string& key, ValueType type) {
  const uint64_t at = in_.offset();
  QUINTET_CO_TRY(const ArrayHead head, co_await read_array_head(in_));
  if (head.type != type) {
    co_return format_error(Reason::malformed, at, "{} contains {}, expected {}", key, name_of(head.type),
                           name_of(type));
  }
  if (type == ValueType::f32) {
    QUINTET_CO_CHECK(co_await read_scores(head.length));
  } else if (type == ValueType::u8) {
    QUINTET_CO_CHECK(co_await read_character_map(head.length));
  } else if (type == ValueType::i32) {
    QUINTET_CO_CHECK(co_await read_token_types(head.length));
  } else {
    QUINTET_CO_TRY(StringTable strings, co_await read_strings(in_, head.length));
    (key == key::kTokens ? metadata_.tokens : metadata_.merges) = std::move(strings);
  }
  co_return sum_up(head);
}

Parse<void> MetadataReader::read_scores(uint64_t count) {
  metadata_.scores.clear();
  for (uint64_t rest = count; rest != 0;) {
    const uint64_t numbers = std::min(rest, kNumbersAtOnce);
    QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(numbers * kNumberBytes));
    for (size_t i = 0; i < numbers; ++i) metadata_.scores.push_back(load_le<float>(bytes, i * kNumberBytes));
    rest -= numbers;
  }
  co_return Status();
}

Parse<void> MetadataReader::read_token_types(uint64_t count) {
  constexpr auto kMax = static_cast<uint32_t>(PieceType::byte);
  metadata_.token_types.clear();
  for (uint64_t rest = count; rest != 0;) {
    const uint64_t at = in_.offset();
    const uint64_t numbers = std::min(rest, kNumbersAtOnce);
    QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(numbers * kNumberBytes));
    for (size_t i = 0; i < numbers; ++i) {
      const auto type = load_le<uint32_t>(bytes, i * kNumberBytes);
      if (type > kMax) {
        co_return format_error(Reason::unknown_value, at + i * kNumberBytes, "a token of type {}, expected 0 to 6",
                               static_cast<int32_t>(type));
      }
      // 0 stands for an unspecified type.
      metadata_.token_types.push_back(type == 0 ? PieceType::normal : static_cast<PieceType>(type));
    }
    rest -= numbers;
  }
  co_return Status();
}

Parse<void> MetadataReader::read_character_map(uint64_t count) {
  metadata_.character_map.clear();
  for (uint64_t rest = count; rest != 0;) {
    QUINTET_CO_TRY(const Bytes bytes, co_await in_.some(rest));
    if (bytes.empty()) co_return format_error(Reason::truncated, in_.offset(), "the end of the file in a list");
    metadata_.character_map += as_text(bytes);
    rest -= bytes.size();
  }
  co_return Status();
}

Status MetadataReader::check_unique() const {
  const Json::Object& pairs = *metadata_.values.as_object();
  std::vector<std::string_view> keys;
  keys.reserve(pairs.size());
  for (const Json::Member& pair : pairs) keys.push_back(pair.name);
  const std::optional<size_t> twice = find_duplicate(keys);
  if (!twice) return {};
  const uint64_t place = metadata_.places[*twice] - kTypeBytes - keys[*twice].size();
  return format_error(Reason::duplicate, place, "the key \"{}\" occurs twice", keys[*twice].substr(0, 64));
}

}  // namespace

uint64_t Metadata::place_of(std::string_view key) const {
  const Json::Object& pairs = *values.as_object();
  const auto found = std::ranges::find(pairs, key, &Json::Member::name);
  return places[static_cast<size_t>(found - pairs.begin())];
}

uint64_t Metadata::length_place_of(std::string_view key) const { return place_of(key) + kTypeBytes; }

Parse<Metadata> read_metadata(ByteStream& in, uint64_t count) {
  MetadataReader reader(in);
  QUINTET_CO_CHECK(co_await reader.read(count));
  co_return reader.take();
}

}  // namespace quintet::gguf
