#include "formats/huggingface/packed_weight.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "tensor/codecs/amb.h"

namespace quintet::huggingface {
namespace {

constexpr uint64_t kMaxBlock = 4096;  // of bitsandbytes, in values

// The i-th number of a tensor of 32-bit or 64-bit integers.
uint64_t number_at(const TensorInfo& info, Bytes bytes, size_t i) {
  return info.dtype == Dtype::i64 ? load_le<uint64_t>(bytes, i * sizeof(uint64_t))
                                  : load_le<uint32_t>(bytes, i * sizeof(uint32_t));
}

}  // namespace

Status PackedWeight::announce(WeightPart part, const TensorInfo& info) {
  std::optional<TensorInfo>& place = at(part).info;
  if (place) {
    return tensor_error(Code::format, Reason::duplicate, info, "the same part of a quantized matrix as {}",
                        place->name);
  }
  place = info;
  if (may_be(packing_.packing, part, info.dtype)) return {};
  return wrong(part, "data type {} in this part of a quantized matrix", name_of(info.dtype));
}

bool PackedWeight::needs(WeightPart part) const {
  const Packing packing = packing_.packing;
  const bool is_four_bit = packing == Packing::bnb4;
  switch (part) {
    case WeightPart::values:
    case WeightPart::scales:
      return true;
    case WeightPart::zeros:
      return packing == Packing::gptq || packing_.has_zeros;
    case WeightPart::codebook:
    case WeightPart::state:
      return is_four_bit;
    case WeightPart::outer_scales:
    case WeightPart::outer_codebook:
      return is_four_bit && at(WeightPart::scales).info && at(WeightPart::scales).info->dtype == Dtype::u8;
    case WeightPart::shape:
      return packing == Packing::packed;
    case WeightPart::order:
    case WeightPart::row_order:
      return false;
  }
  return false;
}

std::optional<WeightPart> PackedWeight::missing() const {
  for (size_t i = 0; i < kWeightParts; ++i) {
    const auto part = static_cast<WeightPart>(i);
    if (needs(part) && !at(part).info) return part;
  }
  return std::nullopt;
}

bool PackedWeight::is_complete() const {
  if (is_released_) return false;
  for (size_t i = 0; i < kWeightParts; ++i) {
    if (needs(static_cast<WeightPart>(i)) && !parts_[i].is_complete) return false;
  }
  return true;
}

Result<std::vector<uint64_t>> PackedWeight::matrix_shape(const std::vector<uint64_t>& shape) const {
  const TensorInfo& values = *at(WeightPart::values).info;
  const PackedLayout layout = layout_of(packing_.packing);
  if (packing_.packing == Packing::bnb4) {
    // The values have the shape [n / 2, 1]: one extent at most follows from their number.
    if (shape.size() != 2) return wrong(WeightPart::values, "a quantized tensor that is not a matrix of the model");
    const uint64_t known = std::max<uint64_t>(shape[0], 1) * std::max<uint64_t>(shape[1], 1);
    const uint64_t other = checked_mul(values.elements(), layout.cols).value_or(0) / known;
    return std::vector<uint64_t>{shape[0] == 0 ? other : shape[0], shape[1] == 0 ? other : shape[1]};
  }
  if (values.shape.size() != 2)
    return wrong(WeightPart::values, "shape {}, expected a matrix", shape_text(values.shape));
  const uint64_t rows = values.shape[layout.transposed ? 1 : 0], cols = values.shape[layout.transposed ? 0 : 1];
  return std::vector<uint64_t>{checked_mul(rows, layout.rows).value_or(0), checked_mul(cols, layout.cols).value_or(0)};
}

Result<PackedWeight::Grid> PackedWeight::grid() const {
  const uint64_t rows = matrix_.shape[0], cols = matrix_.shape[1];
  if (rows == 0 || rows > kMaxTokens || cols == 0 || cols > kMaxWidth) {
    return wrong(WeightPart::values, "a matrix of shape {}", shape_text(matrix_.shape));
  }
  if (packing_.packing != Packing::bnb4) {
    const uint64_t group = packing_.group == 0 ? cols : packing_.group;
    if (cols % group == 0) return Grid{.rows = rows, .cols = cols, .group = group};
    return wrong(WeightPart::values, "groups of {} do not divide {} columns", group, cols);
  }
  const uint64_t elements = rows * cols, scales = at(WeightPart::scales).info->elements();
  if (at(WeightPart::values).info->elements() * 2 != elements) {
    return wrong(WeightPart::values, "expected half as many bytes as a matrix of {} has values",
                 shape_text(matrix_.shape));
  }
  const uint64_t block = scales == 0 ? 0 : elements / scales;
  if (block == 0 || block > kMaxBlock || block % 2 != 0 || block * scales != elements) {
    return wrong(WeightPart::scales, "blocks must be of equal size, at most 4096 values");
  }
  return Grid{.rows = scales, .cols = block, .group = block};
}

// The shape that a part must have; nothing if it may have any, or is checked with its content.
std::optional<std::vector<uint64_t>> PackedWeight::shape_of(WeightPart part) const {
  using Shape = std::vector<uint64_t>;
  const uint64_t rows = matrix_.shape[0], groups = grid_.groups();
  const bool transposed = layout_of(packing_.packing).transposed;
  switch (part) {
    case WeightPart::scales:
      if (packing_.packing == Packing::bnb4) return std::nullopt;
      if (packing_.packing == Packing::bnb8) return Shape{rows};
      return transposed ? Shape{groups, rows} : Shape{rows, groups};
    case WeightPart::zeros: {
      const uint64_t words = (rows + kValuesPerWord - 1) / kValuesPerWord;
      return transposed ? Shape{groups, words} : Shape{words, groups};
    }
    case WeightPart::codebook:
      return Shape{kCodes};
    case WeightPart::outer_codebook:
      return Shape{kScaleCodes};
    case WeightPart::shape:
      return Shape{2};
    case WeightPart::values:
    case WeightPart::outer_scales:
    case WeightPart::state:
    case WeightPart::order:
    case WeightPart::row_order:
      return std::nullopt;
  }
  return std::nullopt;
}

Status PackedWeight::describe(std::string weight, const std::vector<uint64_t>& shape) {
  QUINTET_TRY(matrix_.shape, matrix_shape(shape));
  QUINTET_TRY(grid_, grid());
  for (size_t i = 0; i < kWeightParts; ++i) {
    const auto part = static_cast<WeightPart>(i);
    const auto expected = at(part).info ? shape_of(part) : std::nullopt;
    if (!expected || *expected == at(part).info->shape) continue;
    return wrong(part, "shape {}, expected {} for a matrix of {}", shape_text(at(part).info->shape),
                 shape_text(*expected), shape_text(matrix_.shape));
  }
  const bool is_byte = layout_of(packing_.packing).dtype != Dtype::i32;
  const bool is_half = at(WeightPart::scales).info->dtype == Dtype::f16 && packing_.packing != Packing::bnb8;
  Quantization& quantization = matrix_.quantization;
  quantization = {.scheme = is_byte              ? Scheme::int8
                            : packing_.has_zeros ? Scheme::int5_block
                                                 : Scheme::int4_block,
                  .block = static_cast<uint32_t>(grid_.group),
                  .scale_dtype = is_half ? Dtype::f16 : Dtype::f32};
  matrix_.name = std::move(weight);
  matrix_.offset = at(WeightPart::values).info->offset;
  const PayloadSize size = amb_payload_size(quantization, matrix_.elements()).value_or(PayloadSize());
  matrix_.bytes = size.data;
  matrix_.scales_bytes = size.scales;
  return {};
}

Status PackedWeight::reserve(WeightPart part) { return at(part).bytes.reserve(at(part).info->bytes); }

Status PackedWeight::add(WeightPart part, Bytes bytes) {
  AlignedBuffer<std::byte>& held = at(part).bytes;
  const size_t before = held.size();
  const uint64_t after = uint64_t{before} + bytes.size();
  if (after > held.capacity()) QUINTET_CHECK(held.reserve(std::max<uint64_t>(after, uint64_t{before} * 3 / 2)));
  QUINTET_CHECK(held.resize_uninitialized(after));
  std::ranges::copy(bytes, held.data() + before);
  return {};
}

Status PackedWeight::end(WeightPart part) {
  at(part).is_complete = true;
  if (part == WeightPart::order) return check_order();
  if (part != WeightPart::row_order) return {};
  const Bytes order = at(part).bytes.span();
  if (std::ranges::all_of(order, [](std::byte code) { return code == std::byte{0}; })) return {};
  return tensor_error(Code::unsupported, Reason::unsupported, *at(part).info,
                      "int8 weights in another order than by rows");
}

// Each group must be adjacent columns, as in the blocks that the kernels read.
Status PackedWeight::check_order() const {
  const Part& order = at(WeightPart::order);
  for (size_t i = 0; i < order.bytes.size() / sizeof(uint32_t); ++i) {
    const uint64_t group = packing_.group == 0 ? 0 : i / packing_.group;
    if (number_at(*order.info, order.bytes.span(), i) == group) continue;
    return tensor_error(Code::unsupported, Reason::unsupported, *order.info,
                        "groups of columns that are not adjacent (act-order)");
  }
  return {};
}

Status PackedWeight::check_shape() const {
  const Part& part = at(WeightPart::shape);
  if (!part.info) return {};
  for (size_t i = 0; i < matrix_.shape.size(); ++i) {
    if (number_at(*part.info, part.bytes.span(), i) == matrix_.shape[i]) continue;
    return wrong(WeightPart::shape, "it differs from the packed values, which make {}", shape_text(matrix_.shape));
  }
  return {};
}

void PackedWeight::release() {
  is_released_ = true;
  for (Part& part : parts_) part.bytes = {};
}

}  // namespace quintet::huggingface
