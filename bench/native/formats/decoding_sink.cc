#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/native/formats/sinks.h"
#include "tensor/codecs/payload.h"

namespace quintet::bench {
namespace {

// Of the differences that quantization makes to values spread evenly over [-1, 1): the root of their mean square is
// step / sqrt(12). INT4 has 15 levels; scales in FP16, and rows whose largest value is less than 1, move it a little.
double most_error(Scheme scheme) {
  constexpr double kRootOf12 = 3.4641, kMargin = 1.1;
  const double levels = scheme == Scheme::int4 || scheme == Scheme::int4_block ? 14 : 254;
  return 2 / levels / kRootOf12 * kMargin;
}

}  // namespace

class DecodingSink::Tensor final : public TensorSink {
 public:
  Tensor(DecodingSink& model, size_t index, std::unique_ptr<PayloadDecoder> decoder)
      : model_(model), index_(index), decoder_(std::move(decoder)) {}

  // In pieces whose values stay in the cache, as the sinks of the runtime do.
  Status write(Bytes bytes) override {
    constexpr size_t kPieceBytes = size_t{1} << 14;
    while (!bytes.empty()) {
      const Bytes piece = bytes.first(std::min(kPieceBytes, bytes.size()));
      bytes = bytes.subspan(piece.size());
      model_.piece_.clear();
      QUINTET_CHECK(decoder_->write(piece, model_.piece_));
      if (model_.values_ != nullptr) compare();
      decoded_ += model_.piece_.size();
    }
    return {};
  }
  Status finish() override {
    model_.decoded_ += decoded_;
    return decoder_->finish();
  }

 private:
  void compare() {
    for (size_t i = 0; i < model_.piece_.size(); ++i) {
      const double difference = double{model_.piece_[i]} - double{model_.values_->at(index_, decoded_ + i)};
      model_.squares_ += difference * difference;
    }
  }

  DecodingSink& model_;
  size_t index_;
  std::unique_ptr<PayloadDecoder> decoder_;
  uint64_t decoded_ = 0;
};

Result<std::unique_ptr<TensorSink>> DecodingSink::tensor(const TensorInfo& info, bool) {
  QUINTET_TRY(auto decoder, make_decoder(info.dtype, info.quantization, info.elements(), info.bytes));
  return std::make_unique<Tensor>(*this, announced_++, std::move(decoder));
}

bool DecodingSink::is_right(const ModelFile& file, const SeededValues&) const {
  uint64_t elements = 0;
  Scheme scheme = Scheme::none;
  for (const TensorInfo& info : file.tensors) {
    elements += info.elements();
    if (info.quantized()) scheme = info.quantization.scheme;
  }
  if (decoded_ != elements) return false;
  return values_ == nullptr || std::sqrt(squares_ / static_cast<double>(elements)) < most_error(scheme);
}

}  // namespace quintet::bench
