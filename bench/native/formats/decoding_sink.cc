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

class DecodingSink::Values final : public ValueSink {
 public:
  Values(DecodingSink& model, size_t index) : model_(model), index_(index) {}

  Status write(std::span<const float> values) override {
    if (model_.values_ != nullptr) compare(values);
    decoded_ += values.size();
    return {};
  }
  Status finish() override {
    model_.decoded_ += decoded_;
    return {};
  }

 private:
  void compare(std::span<const float> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      const double difference = double{values[i]} - double{model_.values_->at(index_, decoded_ + i)};
      model_.squares_ += difference * difference;
    }
  }

  DecodingSink& model_;
  size_t index_;
  uint64_t decoded_ = 0;
};

Result<std::unique_ptr<ByteSink>> DecodingSink::tensor(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  return make_decoder(info.dtype, info.quantization, info.elements(), info.bytes,
                      std::make_unique<Values>(*this, announced_++));
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
