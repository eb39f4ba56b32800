#include "models/decoder/matrix_sink.h"

#include <utility>

#include "models/decoder/value_rows.h"
#include "models/tensor_sinks.h"
#include "tensor/packed/repacker.h"

namespace quintet::decoder {
namespace {

// Values as they are, in another order.
class RepackingSink final : public TensorSink {
 public:
  explicit RepackingSink(std::unique_ptr<Repacker> repacker) : repacker_(std::move(repacker)) {}
  Status write(Bytes bytes) override { return repacker_->write(bytes); }
  Status finish() override { return repacker_->finish(); }

 private:
  std::unique_ptr<Repacker> repacker_;
};

bool is_plain(const TensorInfo& info, const PackedMatrix& matrix) {
  return !info.quantized() && element_bytes(matrix.storage()) * 8 == bits_of(info.dtype);
}

}  // namespace

Result<std::unique_ptr<TensorSink>> matrix_sink(const TensorInfo& info, MatrixForm form, bool certain,
                                                WeightMatrix& matrix) {
  matrix = std::move(form.matrix);
  if (auto* packed = std::get_if<PackedMatrix>(&matrix)) {
    if (certain) QUINTET_CHECK(packed->reserve());
    if (is_plain(info, *packed)) return packing_sink(info, *packed);
    return float_rows_sink(info, *packed);
  }
  if (auto* adaptive = std::get_if<AdaptiveMatrix>(&matrix)) {
    return std::make_unique<RepackingSink>(make_adaptive_repacker(info.quantization, info.bytes, *adaptive));
  }
  auto& blocks = std::get<BlockMatrix>(matrix);
  if (certain) QUINTET_CHECK(blocks.reserve());
  if (form.requantized) return quantizing_sink(info, blocks);
  return std::make_unique<RepackingSink>(make_repacker(info.quantization, blocks));
}

}  // namespace quintet::decoder
