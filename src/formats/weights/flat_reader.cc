#include "formats/weights/flat_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/duplicates.h"
#include "base/utf8.h"
#include "formats/bert_special_tokens.h"
#include "formats/tensor_data.h"
#include "formats/weights/encoder_sizes.h"
#include "formats/weights/header.h"
#include "formats/weights/layout.h"

namespace quintet::weights {
namespace {

constexpr size_t kVersionAt = 4;
constexpr size_t kCountAt = 8;
constexpr size_t kFirstNameLengthAt = 12;
constexpr size_t kFirstNameAt = 16;
// Name length, a letter, dimensions, one of them, a value.
constexpr uint64_t kLeastTensorBytes = 4 + 1 + 4 + 4 + 4;
// No name or token of a real file comes near; a length beyond is no length.
constexpr uint32_t kMostTextBytes = UINT16_MAX;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

}  // namespace

bool is_flat(Bytes head) {
  if (head.size() <= kFirstNameAt) return false;
  if (head.size() >= kHeaderBytes && header_checksum_is_right(head)) return false;
  const std::string_view name = as_text(head.subspan(kFirstNameAt));
  const auto length = load_le<uint32_t>(head, kFirstNameLengthAt);
  // A length that is out of range is for the list's reader to refuse; four letters still tell a name from a number.
  const bool in_range = length > 0 && length <= name.size();
  const std::string_view sample = name.substr(0, in_range ? length : sizeof(uint32_t));
  return std::ranges::none_of(sample, is_control);
}

Parse<void> FlatReader::read() {
  QUINTET_CO_TRY(const uint32_t count, co_await read_tensor_count());
  description_.kind = "EMBD (flat)";
  description_.version_major = kVersionMajor;
  description_.file_size = in_.total();
  QUINTET_CO_CHECK(sink_.begin(description_));
  for (uint32_t i = 0; i < count; ++i) QUINTET_CO_CHECK(co_await read_tensor());
  QUINTET_CO_CHECK(check_unique());
  QUINTET_CO_CHECK(co_await read_vocabulary());
  QUINTET_CO_CHECK(co_await read_end());
  description_.file_size = in_.offset();
  co_return sink_.end(std::move(description_));
}

Parse<uint32_t> FlatReader::read_tensor_count() {
  QUINTET_CO_TRY(const Bytes head, co_await in_.bytes(kFirstNameLengthAt));
  const auto version = load_le<uint32_t>(head, kVersionAt);
  if (version != kVersionMajor) {
    co_return fail({.code = Code::unsupported,
                    .reason = Reason::bad_version,
                    .detail = "version " + std::to_string(version) + " of the flat layout, expected 1",
                    .offset = kVersionAt});
  }
  const auto count = load_le<uint32_t>(head, kCountAt);
  if (count == 0 || count > in_.remaining() / kLeastTensorBytes) {
    co_return format_error(Reason::limit, kCountAt, std::to_string(count) + " tensors, which the file cannot hold");
  }
  co_return count;
}

Parse<void> FlatReader::read_tensor() {
  QUINTET_CO_TRY(TensorInfo info, co_await read_tensor_header());
  QUINTET_CO_CHECK(co_await read_tensor_data(in_, sink_, info));
  description_.tensors.push_back(std::move(info));
  co_return Status();
}

Parse<TensorInfo> FlatReader::read_tensor_header() {
  TensorInfo info;
  QUINTET_CO_TRY(info.name, co_await read_name());
  const uint64_t rank_at = in_.offset();
  QUINTET_CO_TRY(const uint32_t rank, co_await read_u32());
  if (rank < 1 || rank > kMaxDimensions) {
    co_return format_error(Reason::malformed, rank_at, std::to_string(rank) + " dimensions, expected 1 to 4");
  }
  const uint64_t shape_at = in_.offset();
  std::optional<uint64_t> elements = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    QUINTET_CO_TRY(const uint32_t dimension, co_await read_u32());
    info.shape.push_back(dimension);
    elements = elements ? checked_mul(*elements, dimension) : elements;
  }
  const auto bytes = elements ? bytes_of(info.dtype, *elements) : std::nullopt;
  if (!bytes || *bytes == 0 || *bytes > in_.remaining()) {
    co_return format_error(Reason::limit, shape_at, "a shape that the file cannot hold");
  }
  info.bytes = *bytes;
  info.offset = in_.offset();
  co_return info;
}

Parse<std::string> FlatReader::read_name() {
  const uint64_t length_at = in_.offset();
  QUINTET_CO_TRY(const uint32_t length, co_await read_u32());
  if (length == 0 || length > kMostTextBytes || length > in_.remaining()) {
    co_return format_error(Reason::limit, length_at, "a tensor name of " + std::to_string(length) + " bytes");
  }
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(length));
  std::string name(as_text(bytes));
  if (std::ranges::any_of(name, is_control)) {
    // Numbers where a name should be: the vocabulary has begun.
    const bool none_before = description_.tensors.empty();
    co_return format_error(
        Reason::malformed, none_before ? length_at + sizeof(length) : kCountAt,
        "what would be the name of tensor " + std::to_string(description_.tensors.size()) + " is none");
  }
  if (const auto bad = find_invalid_utf8(name)) {
    co_return format_error(Reason::invalid_utf8, length_at + sizeof(length) + *bad,
                           "a tensor's name that is not UTF-8");
  }
  co_return name;
}

Parse<void> FlatReader::read_vocabulary() {
  const uint64_t count_at = in_.offset();
  QUINTET_CO_TRY(const uint32_t count, co_await read_u32());
  if (count > in_.remaining() / sizeof(uint32_t)) {
    co_return format_error(Reason::limit, count_at, std::to_string(count) + " tokens, which the file cannot hold");
  }
  const TensorInfo* words = description_.find_tensor(kWordEmbeddings);
  if (words && words->shape[0] != count) {
    co_return format_error(
        Reason::mismatch, count_at,
        std::to_string(count) + " tokens, " + std::to_string(words->shape[0]) + " rows of word embeddings");
  }
  TokenizerDescription& tokenizer = description_.tokenizer;
  tokenizer.type = TokenizerType::wordpiece;
  for (uint32_t id = 0; id < count; ++id) {
    const uint64_t length_at = in_.offset();
    QUINTET_CO_TRY(const uint32_t length, co_await read_u32());
    if (length > kMostTextBytes || length > in_.remaining()) {
      co_return format_error(Reason::limit, length_at, "a token of " + std::to_string(length) + " bytes");
    }
    QUINTET_CO_TRY(const Bytes token, co_await in_.bytes(length));
    if (const auto bad = find_invalid_utf8(as_text(token))) {
      co_return format_error(Reason::invalid_utf8, length_at + sizeof(length) + *bad,
                             "token " + std::to_string(id) + " is not UTF-8");
    }
    if (!tokenizer.tokens.add(as_text(token))) co_return memory_error(StringTable::kMaxBytes);
  }
  tokenizer.special = bert_special_ids(tokenizer.tokens);
  co_return Status();
}

Parse<void> FlatReader::read_end() {
  QUINTET_CO_TRY(const Bytes more, co_await in_.peek());
  if (more.empty()) co_return Status();
  co_return format_error(Reason::trailing, in_.offset(), "bytes after the last token");
}

Parse<uint32_t> FlatReader::read_u32() {
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(sizeof(uint32_t)));
  co_return load_le<uint32_t>(bytes, 0);
}

Status FlatReader::check_unique() const {
  std::vector<std::string_view> names;
  names.reserve(description_.tensors.size());
  for (const TensorInfo& info : description_.tensors) names.push_back(info.name);
  const std::optional<size_t> twice = find_duplicate(names);
  if (!twice) return {};
  const TensorInfo& info = description_.tensors[*twice];
  return fail({.code = Code::format,
               .reason = Reason::duplicate,
               .detail = "two tensors of one name",
               .offset = info.offset - (info.shape.size() + 1) * sizeof(uint32_t) - info.name.size(),
               .format = {},
               .tensor = info.name});
}

}  // namespace quintet::weights
