#pragma once
// The record before the data of a tensor: its kind, shape, name and quantization.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/byte_writer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::alt {

// The tensors of an ALT file. Each has a name and numbers with the same meaning (docs/formats/alt.md).
struct TensorKind {
  int32_t component, layer, projection;
  uint32_t rank;
  std::string_view name;  // the whole name, or what follows "model.layers.<block>."

  bool in_block() const { return component == 0; }
};

constexpr uint64_t kMaxNameBytes = 55;  // post_attention_layernorm in a block whose index has ten digits
constexpr uint64_t kMinNameBytes = 14;  // lm_head.weight

struct TensorPlace {
  const TensorKind* kind;
  int32_t block;  // negative outside of blocks: -1 for embed_tokens, -2 for lm_head, -3 for norm
};

// Null if no tensor has these numbers.
const TensorKind* find_kind(int32_t component, int32_t layer, int32_t projection);
// Nothing if the format cannot express the name.
std::optional<TensorPlace> place_of(std::string_view name);

// The four numbers of the kind, the number of dimensions, one or two of them, the length of the name; then type, delta,
// min, max and packing flag.
constexpr uint64_t kNumbersBytes = 20, kDimensionBytes = 4, kNameLengthBytes = 4, kTypeBytes = 17;
constexpr uint64_t kMaxRank = 2;
constexpr uint64_t kMaxRecordBytes =
    kNumbersBytes + kMaxRank * kDimensionBytes + kNameLengthBytes + kMaxNameBytes + kTypeBytes;
// With one value of data.
constexpr uint64_t kMinTensorBytes =
    kNumbersBytes + kDimensionBytes + kNameLengthBytes + kMinNameBytes + kTypeBytes + 1;

// Parses the record at the start of `bytes`, which is at `at` in the file. The offset of the tensor is right after it.
Result<TensorInfo> read_record(Bytes bytes, uint64_t at);
// The position of the name of a tensor that was read.
inline uint64_t name_at(const TensorInfo& info) { return info.offset - kTypeBytes - info.name.size(); }

// Checks that the format can store a tensor with this name, shape and type, fills in the size of its data, and returns
// the size of its record.
Result<uint64_t> plan_record(TensorInfo& info);
// Requires that plan_record() accepted it.
void write_record(const TensorInfo& info, ByteWriter& out);

}  // namespace quintet::alt
