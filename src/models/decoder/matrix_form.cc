#include "models/decoder/matrix_form.h"

#include <algorithm>
#include <string>

#include "tensor/block_types.h"
#include "tensor/packed/repacker.h"

namespace quintet::decoder {
namespace {

// No decoder has wider rows: what is set aside for one row stays small, whatever a file says.
constexpr uint64_t kMaxCols = uint64_t{1} << 20;
constexpr uint64_t kMaxRows = INT32_MAX;

Status check_shape(const TensorInfo& info) {
  const bool matrix = info.shape.size() == 2 && info.shape[0] != 0 && info.shape[1] != 0;
  if (matrix && info.shape[0] <= kMaxRows && info.shape[1] <= kMaxCols) return {};
  return tensor_error(Code::format, Reason::mismatch, info,
                      "shape " + shape_text(info.shape) + " where a matrix is needed");
}

std::optional<Storage> float_storage(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return Storage::f32;
    case Dtype::f16:
      return Storage::f16;
    case Dtype::bf16:
      return Storage::bf16;
    default:
      return std::nullopt;
  }
}

// Bits of a value, without its part of the scales; 0 where it would be kept as a float for its tiny blocks.
double stored_bits(const TensorInfo& info) {
  if (!info.quantized()) return bits_of(info.dtype);
  if (info.quantization.scheme == Scheme::adaptive) {
    return static_cast<double>(info.bytes) * 8 / static_cast<double>(info.elements()) - 1;
  }
  if (!repacked_layout(info.quantization, 1, BlockMatrix::kMaxBlock)) return 0;
  return bits_of(info.quantization.scheme);
}

struct Size {
  size_t rows, cols;
};

std::optional<MatrixForm> requantized_form(const Size& size, BlockBits bits) {
  const auto block = matrix_block(0, size.cols);
  if (!block) return std::nullopt;
  return MatrixForm{.matrix = BlockMatrix({.bits = bits, .rows = size.rows, .cols = size.cols, .block = *block}),
                    .requantized = true};
}

// Blocks that do not fit the rows are kept as floats.
MatrixForm quantized_form(const Quantization& quantization, const Size& size) {
  if (quantization.scheme == Scheme::adaptive) {
    if (const auto block = adaptive_block(quantization, size.cols)) {
      return {.matrix = AdaptiveMatrix(size.rows, size.cols, *block)};
    }
  } else if (const auto layout = repacked_layout(quantization, size.rows, size.cols)) {
    return {.matrix = BlockMatrix(*layout)};
  }
  return {.matrix = PackedMatrix(Storage::f32, size.rows, size.cols)};
}

uint64_t filled(const PackedMatrix& matrix, const TensorInfo&) {
  return uint64_t{matrix.panels()} * kPanelRows * matrix.cols() * element_bytes(matrix.storage());
}

uint64_t filled(const BlockMatrix& matrix, const TensorInfo&) {
  return uint64_t{matrix.panels()} * matrix.blocks() * matrix.record_bytes();
}

// The file's codes and scales, about one of each for a block, give way to those of a matrix's blocks.
uint64_t filled(const AdaptiveMatrix& matrix, const TensorInfo& info) {
  constexpr uint64_t kBytesPerBlock = sizeof(uint16_t) + sizeof(float), kBytesPerRow = 16;
  const uint64_t in_file = info.quantization.block == 0 ? 1 : info.elements() / info.quantization.block;
  const uint64_t beside = in_file / 4 + in_file * bits_of(info.quantization.scale_dtype) / 8;
  const uint64_t values = info.bytes - std::min(info.bytes, beside);
  return values + uint64_t{matrix.rows()} * (matrix.blocks() * kBytesPerBlock + kBytesPerRow);
}

}  // namespace

Result<MatrixForm> matrix_form(const TensorInfo& info, std::optional<BlockBits> max_bits) {
  QUINTET_CHECK(check_shape(info));
  const Size size = {.rows = static_cast<size_t>(info.shape[0]), .cols = static_cast<size_t>(info.shape[1])};
  const std::optional<Storage> storage = float_storage(info.dtype);
  if (!info.quantized() && !storage) {
    return tensor_error(Code::unsupported, Reason::unknown_value, info,
                        "weights of data type " + std::string(name_of(info.dtype)));
  }
  if (max_bits && stored_bits(info) > static_cast<double>(*max_bits)) {
    if (auto form = requantized_form(size, *max_bits)) return *std::move(form);
  }
  if (info.quantized()) return quantized_form(info.quantization, size);
  return MatrixForm{.matrix = PackedMatrix(*storage, size.rows, size.cols)};
}

uint64_t filled_bytes(const MatrixForm& form, const TensorInfo& info) {
  return std::visit([&](const auto& matrix) { return filled(matrix, info); }, form.matrix);
}

}  // namespace quintet::decoder
