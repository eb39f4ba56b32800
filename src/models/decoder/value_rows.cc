#include "models/decoder/value_rows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tensor/codecs/payload.h"
#include "tensor/symmetric.h"

namespace quintet::decoder {
namespace {

using Values = std::span<const float>;

class ValueRowsSink : public TensorSink {
 public:
  // In pieces whose values stay in the cache.
  Status write(Bytes bytes) final {
    constexpr size_t kPieceBytes = size_t{1} << 14;
    while (!bytes.empty()) {
      const Bytes piece = bytes.first(std::min(kPieceBytes, bytes.size()));
      bytes = bytes.subspan(piece.size());
      QUINTET_CHECK(decoder_->write(piece, values_));
      QUINTET_CHECK(take_whole_rows());
    }
    return {};
  }
  Status finish() final { return decoder_->finish(); }

 protected:
  ValueRowsSink(std::unique_ptr<PayloadDecoder> decoder, size_t cols) : decoder_(std::move(decoder)), cols_(cols) {}

  virtual Status take_row(Values row) = 0;

 private:
  Status take_whole_rows() {
    size_t taken = 0;
    for (; values_.size() - taken >= cols_; taken += cols_) {
      QUINTET_CHECK(take_row(Values(values_).subspan(taken, cols_)));
    }
    values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(taken));
    return {};
  }

  std::unique_ptr<PayloadDecoder> decoder_;
  size_t cols_;
  std::vector<float> values_;  // that do not fill a row yet
};

class FloatRowsSink final : public ValueRowsSink {
 public:
  FloatRowsSink(std::unique_ptr<PayloadDecoder> decoder, PackedMatrix& matrix)
      : ValueRowsSink(std::move(decoder), matrix.cols()), matrix_(matrix) {}

 private:
  Status take_row(Values row) override { return matrix_.append_rows(std::as_bytes(row).data(), 1); }

  PackedMatrix& matrix_;
};

class QuantizingSink final : public ValueRowsSink {
 public:
  QuantizingSink(std::unique_ptr<PayloadDecoder> decoder, BlockMatrix& matrix)
      : ValueRowsSink(std::move(decoder), matrix.cols()),
        matrix_(matrix),
        limit_(matrix.bits() == BlockBits::four ? 7.0F : 127.0F),
        q_(matrix.cols()),
        scales_(matrix.blocks()) {}

 private:
  Status take_row(Values row) override {
    if (!std::ranges::all_of(row, [](float value) { return std::isfinite(value); })) {
      return input_error(Reason::out_of_range, "a value of row " + std::to_string(matrix_.appended_rows()) +
                                                   " is not finite and cannot be quantized");
    }
    const size_t block = matrix_.block();
    for (size_t i = 0; i < scales_.size(); ++i) {
      const Values values = row.subspan(i * block, block);
      QUINTET_TRY(scales_[i], symmetric_scale(values, limit_, matrix_.layout().scale_dtype));
      quantize_symmetric(values, scales_[i], limit_, std::span(q_).subspan(i * block, block));
    }
    return matrix_.append_row(q_, scales_);
  }

  BlockMatrix& matrix_;
  float limit_;
  std::vector<int8_t> q_;
  std::vector<float> scales_;
};

template <class Sink, class Matrix>
Result<std::unique_ptr<TensorSink>> decoded_into(const TensorInfo& info, Matrix& matrix) {
  auto decoder = make_decoder(info.dtype, info.quantization, info.elements(), info.bytes);
  if (!decoder) {
    decoder.error().offset = info.offset;
    return fail(std::move(decoder).error());
  }
  return std::make_unique<Sink>(*std::move(decoder), matrix);
}

}  // namespace

Result<std::unique_ptr<TensorSink>> float_rows_sink(const TensorInfo& info, PackedMatrix& matrix) {
  return decoded_into<FloatRowsSink>(info, matrix);
}

Result<std::unique_ptr<TensorSink>> quantizing_sink(const TensorInfo& info, BlockMatrix& matrix) {
  return decoded_into<QuantizingSink>(info, matrix);
}

}  // namespace quintet::decoder
