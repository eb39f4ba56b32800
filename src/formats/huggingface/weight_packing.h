#pragma once
// Storage of quantized weights by other programs: which tensors of a checkpoint make a matrix, and how its integers are
// packed (docs/formats/huggingface.md, "Quantized weights").

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/model_description.h"
#include "tensor/dtype.h"

namespace quintet::huggingface {

enum class Packing : uint8_t {
  gptq,
  awq,
  packed,  // compressed-tensors, pack-quantized
  int8,    // compressed-tensors, int-quantized
  bnb4,
  bnb8,  // bitsandbytes
};

// The properties that all quantized matrices of a checkpoint share.
struct WeightPacking {
  Packing packing = Packing::gptq;
  uint64_t group = 0;        // columns that share a scale; 0: the whole row. Unused for bitsandbytes
  bool has_zeros = false;    // whether values are relative to zero points, and not to the middle of their range
  unsigned zero_offset = 0;  // by which zero points are larger than stored
};

// A tensor of a quantized matrix.
enum class WeightPart : uint8_t {
  values,
  scales,
  zeros,
  codebook,  // the values that 4 bits stand for
  outer_scales,
  outer_codebook,  // of scales that are quantized themselves
  state,           // JSON about a matrix
  shape,
  order,      // the group of each column
  row_order,  // of int8 values
};
constexpr size_t kWeightParts = static_cast<size_t>(WeightPart::row_order) + 1;

struct PartName {
  std::string weight;  // the matrix, as a checkpoint without quantization calls it
  WeightPart part;
};
// Nothing for tensors that are not part of a quantized matrix.
std::optional<PartName> part_of(Packing packing, const TensorInfo& info);
// The reverse, for messages.
std::string name_of(Packing packing, std::string_view weight, WeightPart part);

// The packing of a matrix's integers; its rows are outputs. `rows` and `cols`: the number of each that share an
// element.
struct PackedLayout {
  Dtype dtype;
  bool transposed;
  uint8_t rows, cols;
};
PackedLayout layout_of(Packing packing);

constexpr uint64_t kValuesPerWord = 8;  // of 4 bits
// Values of codebooks: for 4-bit values, and for scales.
constexpr size_t kCodes = 16, kScaleCodes = 256;

// Whether a part may have a type.
bool may_be(Packing packing, WeightPart part, Dtype dtype);

}  // namespace quintet::huggingface
