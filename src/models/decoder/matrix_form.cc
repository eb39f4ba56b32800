#include "models/decoder/matrix_form.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/unit_assembler.h"
#include "models/tensor_sinks.h"
#include "tensor/block_types.h"
#include "tensor/codecs/payload.h"
#include "tensor/packed/repacker.h"
#include "tensor/quantize.h"

namespace quintet::decoder {
namespace {

// Bits per value, without its share of the scales; 0 if it would be stored as a float because of tiny blocks.
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

// Blocks that do not divide the rows are stored as floats.
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
  return uint64_t{matrix.panels()} * matrix.panel_bytes();
}

// The codes and scales of the file, about one of each per block, are replaced by those of the matrix's blocks.
uint64_t filled(const AdaptiveMatrix& matrix, const TensorInfo& info) {
  constexpr uint64_t kBytesPerBlock = sizeof(uint16_t) + sizeof(float), kBytesPerRow = 16;
  const uint64_t in_file = info.quantization.block == 0 ? 1 : info.elements() / info.quantization.block;
  const uint64_t beside = in_file / 4 + in_file * bits_of(info.quantization.scale_dtype) / 8;
  const uint64_t values = info.bytes - std::min(info.bytes, beside);
  return values + uint64_t{matrix.rows()} * (matrix.blocks() * kBytesPerBlock + kBytesPerRow);
}

using Values = std::span<const float>;

// Quantizes each block symmetrically, as AMB's INT4BLOCK and INT8 are defined (docs/formats/amb.md, "Weights"): scale =
// max|x| / 7 or / 127 in FP16, rounded before q is computed with it. INPUT if a value is not finite.
class QuantizingSink final : public RowSink {
 public:
  explicit QuantizingSink(BlockMatrix& matrix)
      : RowSink(matrix.cols()),
        matrix_(matrix),
        limit_(matrix.bits() == BlockBits::four ? 7.0F : 127.0F),
        q_(matrix.cols()),
        scales_(matrix.blocks()) {}

 private:
  Status take_row(Values row) override {
    if (!std::ranges::all_of(row, [](float value) { return std::isfinite(value); })) {
      return input_error(Reason::out_of_range, "a value of row {} is not finite and cannot be quantized",
                         matrix_.appended_rows());
    }
    const size_t block = matrix_.block();
    for (size_t i = 0; i < scales_.size(); ++i) {
      const Values values = row.subspan(i * block, block);
      QUINTET_TRY(scales_[i], stored_scale(values, limit_, matrix_.layout().scale_dtype));
      quantize_symmetric(values, scales_[i], limit_, std::span(q_).subspan(i * block, block));
    }
    return matrix_.append_row(q_, scales_);
  }

  BlockMatrix& matrix_;
  float limit_;
  std::vector<int8_t> q_;
  std::vector<float> scales_;
};

Result<std::unique_ptr<ByteSink>> quantizing_sink(const TensorInfo& info, BlockMatrix& matrix) {
  auto sink = make_decoder(info.dtype, info.quantization, info.elements(), info.bytes,
                           std::make_unique<QuantizingSink>(matrix));
  if (!sink) sink.error().offset = info.offset;
  return sink;
}

bool is_plain(const TensorInfo& info, const PackedMatrix& matrix) {
  return !info.quantized() && element_bytes(matrix.storage()) * 8 == bits_of(info.dtype);
}

}  // namespace

Result<MatrixForm> matrix_form(const TensorInfo& info, std::optional<BlockBits> max_bits) {
  QUINTET_CHECK(check_matrix(info));
  const Size size = {.rows = static_cast<size_t>(info.shape[0]), .cols = static_cast<size_t>(info.shape[1])};
  const std::optional<Storage> storage = storage_of(info.dtype);
  if (!info.quantized() && (!storage || storage == Storage::i8)) {
    return tensor_error(Code::unsupported, Reason::unknown_value, info,
                        "weights of data type {}; supported are F32, F16, BF16 and quantized blocks",
                        name_of(info.dtype));
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

Result<std::unique_ptr<ByteSink>> matrix_sink(const TensorArrival& tensor, MatrixForm form, WeightMatrix& matrix) {
  const TensorInfo& info = tensor.info;
  matrix = std::move(form.matrix);
  if (auto* packed = std::get_if<PackedMatrix>(&matrix)) {
    if (is_plain(info, *packed)) return tensor_sink<SourceTypes::same>(tensor, *packed);
    return tensor_sink<SourceTypes::all>(tensor, *packed);
  }
  if (auto* adaptive = std::get_if<AdaptiveMatrix>(&matrix)) {
    return make_adaptive_repacker(info.quantization, info.bytes, *adaptive);
  }
  auto& blocks = std::get<BlockMatrix>(matrix);
  if (tensor.bytes_exist) QUINTET_CHECK(blocks.reserve());
  if (form.requantized) return quantizing_sink(info, blocks);
  return make_repacker(info.quantization, blocks);
}

}  // namespace quintet::decoder
