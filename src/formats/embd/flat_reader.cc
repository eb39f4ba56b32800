#include "formats/embd/flat_reader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/embd/encoder_sizes.h"
#include "formats/embd/header.h"
#include "formats/embd/layout.h"
#include "formats/model_sink.h"
#include "formats/special_tokens.h"
#include "tensor/packed/growth.h"

namespace quintet::embd {
namespace {

constexpr size_t kVersionAt = 4;
constexpr size_t kCountAt = 8;
constexpr size_t kFirstNameLengthAt = 12;
constexpr size_t kFirstNameAt = 16;
// Name length, a letter, no dimensions, a value.
constexpr uint64_t kMinTensorBytes = 4 + 1 + 4 + 4;
// Larger than any real name or token: a longer length is invalid.
constexpr uint32_t kMaxTextBytes = UINT16_MAX;

// Number of values of a transposed matrix that are collected at once: several rows of the result, so that every cache
// line is used completely.
constexpr size_t kRowsAtOnce = 16;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

constexpr std::string_view kIntermediate = "intermediate.dense.";

// The converter transposes every matrix except the embedding tables.
bool is_linear_weight(const TensorInfo& info) {
  const std::string_view name = info.name;
  return info.shape.size() == 2 && name.ends_with(".weight") && name.find("embeddings") == std::string_view::npos;
}

bool is_square(const TensorInfo& info) { return info.shape[0] == info.shape[1]; }

// Writes the rows of a matrix that is stored by columns.
Status write_rows(const TensorInfo& info, Bytes columns, ByteSink& sink) {
  const auto rows = static_cast<size_t>(info.shape[0]), width = static_cast<size_t>(info.shape[1]);
  constexpr size_t kValue = sizeof(float);
  std::vector<std::byte> gathered(kRowsAtOnce * width * kValue);
  for (size_t row = 0; row < rows; row += kRowsAtOnce) {
    const size_t count = std::min(kRowsAtOnce, rows - row);
    for (size_t column = 0; column < width; ++column) {
      const std::byte* from = columns.data() + (column * rows + row) * kValue;
      for (size_t i = 0; i < count; ++i) {
        std::memcpy(gathered.data() + (i * width + column) * kValue, from + i * kValue, kValue);
      }
    }
    QUINTET_CHECK(sink.write(Bytes(gathered).first(count * width * kValue)));
  }
  return {};
}

}  // namespace

bool is_flat(Bytes head) {
  if (head.size() <= kFirstNameAt) return false;
  if (head.size() >= kHeaderBytes && header_checksum_is_right(head)) return false;
  const std::string_view name = as_text(head.subspan(kFirstNameAt));
  const auto length = load_le<uint32_t>(head, kFirstNameLengthAt);
  // The reader of the list checks the range of lengths; four letters are enough to distinguish a name from a number.
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
  QUINTET_CO_CHECK(release());
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
    co_return at_offset(
        fail(Code::unsupported, Reason::bad_version, "version {} of the flat layout, expected 1", version), kVersionAt);
  }
  const auto count = load_le<uint32_t>(head, kCountAt);
  if (count == 0 || count > in_.remaining() / kMinTensorBytes) {
    co_return format_error(Reason::limit, kCountAt, "{} tensors are more than the file can contain", count);
  }
  co_return count;
}

Parse<void> FlatReader::read_tensor() {
  QUINTET_CO_TRY(TensorInfo info, co_await read_tensor_header());
  const bool undecided = !transposed_;
  if (undecided) learn_order(info);
  if (undecided && transposed_) QUINTET_CO_CHECK(release());
  if (transposed_.value_or(false) && is_linear_weight(info)) {
    std::swap(info.shape[0], info.shape[1]);
    info.transposed = true;
  }
  if (info.transposed || !held_.empty() || (!transposed_ && is_linear_weight(info))) {
    QUINTET_CO_CHECK(co_await hold(info));
    if (transposed_) QUINTET_CO_CHECK(release());
    co_return Status();
  }
  QUINTET_CO_CHECK(co_await read_tensor_data(in_, sink_, info));
  description_.tensors.push_back(std::move(info));
  co_return Status();
}

void FlatReader::learn_order(const TensorInfo& stored) {
  const std::vector<uint64_t>& shape = stored.shape;
  if (stored.name == kWordEmbeddings && shape.size() == 2) hidden_ = shape[1];
  const size_t part = stored.name.find(kIntermediate);
  if (part == std::string::npos) return;
  const std::string_view last = std::string_view(stored.name).substr(part + kIntermediate.size());
  if (last == "weight" && shape.size() == 2) {
    intermediate_ = stored;
    if (is_square(stored)) {
      transposed_ = true;
      description_.warnings.push_back(
          "the intermediate layer is as wide as the model: its weights are read as [in, out]");
    } else if (hidden_ == shape[0] || hidden_ == shape[1]) {
      transposed_ = hidden_ == shape[0];
    }
  } else if (last == "bias" && shape.size() == 1 && intermediate_) {
    transposed_ = shape[0] == intermediate_->shape[1];
  }
}

Parse<void> FlatReader::hold(TensorInfo& info) {
  Held held;
  held.tensor = description_.tensors.size();
  // A square matrix has the same shape in both orders, so its sink need not wait. Sinks are opened in the order of the
  // file.
  const bool known = transposed_ || !is_linear_weight(info) || is_square(info);
  if (known && (held_.empty() || held_.back().announced)) {
    auto sink = sink_.tensor({.info = info, .bytes_exist = in_.length_known()});
    if (!sink) co_return in_tensor(failure_of(std::move(sink)), info.name);
    held.sink = *std::move(sink);
    held.announced = true;
  }
  if (held.announced && !held.sink) {
    QUINTET_CO_CHECK(co_await in_.skip(info.bytes));
  } else {
    if (in_.length_known()) QUINTET_CO_CHECK(held.data.reserve(info.bytes));
    for (uint64_t left = info.bytes; left != 0;) {
      QUINTET_CO_TRY(const Bytes piece, co_await in_.some(left));
      const size_t before = held.data.size();
      QUINTET_CO_CHECK(grow_to(held.data, before + piece.size(), info.bytes));
      std::memcpy(held.data.data() + before, piece.data(), piece.size());
      left -= piece.size();
    }
  }
  description_.tensors.push_back(std::move(info));
  held_.push_back(std::move(held));
  co_return Status();
}

Status FlatReader::release() {
  for (Held& held : held_) {
    TensorInfo& info = description_.tensors[held.tensor];
    if (transposed_.value_or(false) && is_linear_weight(info) && !info.transposed) {
      std::swap(info.shape[0], info.shape[1]);
      info.transposed = true;
    }
    Status status = write_held(held, info);
    if (!status) return in_tensor(failure_of(std::move(status)), info.name);
  }
  held_.clear();
  return {};
}

Status FlatReader::write_held(Held& held, const TensorInfo& info) {
  if (!held.announced) {
    QUINTET_TRY(held.sink, sink_.tensor({.info = info, .bytes_exist = in_.length_known()}));
  }
  if (!held.sink) return {};
  const Bytes data(held.data.data(), held.data.size());
  QUINTET_CHECK(info.transposed ? write_rows(info, data, *held.sink) : held.sink->write(data));
  held.data = {};
  return held.sink->finish();
}

Parse<TensorInfo> FlatReader::read_tensor_header() {
  TensorInfo info;
  QUINTET_CO_TRY(info.name, co_await read_name());
  const uint64_t rank_at = in_.offset();
  QUINTET_CO_TRY(const uint32_t rank, co_await read_u32());
  if (rank > kMaxDimensions) {
    co_return format_error(Reason::malformed, rank_at, "{} dimensions, at most 4 are supported", rank);
  }
  const uint64_t shape_at = in_.offset();
  for (uint32_t d = 0; d < rank; ++d) {
    QUINTET_CO_TRY(const uint32_t dimension, co_await read_u32());
    info.shape.push_back(dimension);
  }
  const std::optional<uint64_t> elements = checked_elements(info.shape);
  const auto bytes = elements ? bytes_of(info.dtype, *elements) : std::nullopt;
  if (!bytes || *bytes > in_.remaining()) {
    co_return format_error(Reason::limit, shape_at, "a shape that is larger than the file");
  }
  info.bytes = *bytes;
  info.offset = in_.offset();
  co_return info;
}

Parse<std::string> FlatReader::read_name() {
  const uint64_t length_at = in_.offset();
  QUINTET_CO_TRY(const uint32_t length, co_await read_u32());
  if (length == 0 || length > kMaxTextBytes || length > in_.remaining()) {
    co_return format_error(Reason::limit, length_at, "a tensor name of {} bytes", length);
  }
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(length));
  std::string name(as_text(bytes));
  if (std::ranges::any_of(name, is_control)) {
    // Numbers in the place of a name: the vocabulary has started.
    const bool none_before = description_.tensors.empty();
    co_return format_error(Reason::malformed, none_before ? length_at + sizeof(length) : kCountAt,
                           "the bytes of the name of tensor {} are not a name", description_.tensors.size());
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
    co_return format_error(Reason::limit, count_at, "{} tokens are more than the file can contain", count);
  }
  const TensorInfo* words = description_.find_tensor(kWordEmbeddings);
  if (words && !words->shape.empty() && words->shape[0] != count) {
    co_return format_error(Reason::mismatch, count_at, "{} tokens, but {} rows of word embeddings", count,
                           words->shape[0]);
  }
  TokenizerDescription& tokenizer = description_.tokenizer;
  tokenizer.kind.emplace<WordPieceDescription>();
  for (uint32_t id = 0; id < count; ++id) {
    const uint64_t length_at = in_.offset();
    QUINTET_CO_TRY(const uint32_t length, co_await read_u32());
    if (length > kMaxTextBytes || length > in_.remaining()) {
      co_return format_error(Reason::limit, length_at, "a token of {} bytes", length);
    }
    QUINTET_CO_TRY(const Bytes token, co_await in_.bytes(length));
    if (const auto bad = find_invalid_utf8(as_text(token))) {
      co_return format_error(Reason::invalid_utf8, length_at + sizeof(length) + *bad, "token {} is not UTF-8", id);
    }
    if (!tokenizer.tokens.add(as_text(token))) co_return memory_error(StringTable::kMaxBytes);
  }
  tokenizer.special = bert_special_ids(tokenizer.tokens);
  co_return Status();
}

Parse<void> FlatReader::read_end() {
  QUINTET_CO_TRY(const Bytes more, co_await in_.peek());
  if (more.empty()) co_return Status();
  co_return format_error(Reason::trailing, in_.offset(), "there are bytes after the last token");
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
  const uint64_t at = info.offset - (info.shape.size() + 1) * sizeof(uint32_t) - info.name.size();
  return entry_error(Code::format, Reason::duplicate, at, info.name, "two tensors with the same name");
}

}  // namespace quintet::embd
