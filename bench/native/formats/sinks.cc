#include "bench/native/formats/sinks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/half.h"
#include "base/hash.h"
#include "models/tensor_sinks.h"
#include "tensor/codecs/payload.h"

namespace quintet::bench {
namespace {

class Payload final : public ByteSink {
 public:
  explicit Payload(AlignedBuffer<std::byte>& out) : out_(out) {}
  Status write(Bytes bytes) override {
    const size_t begin = out_.size();
    QUINTET_CHECK(out_.resize_uninitialized(begin + bytes.size()));
    std::memcpy(out_.data() + begin, bytes.data(), bytes.size());
    return {};
  }
  Status finish() override { return {}; }

 private:
  AlignedBuffer<std::byte>& out_;
};

}  // namespace

Result<std::unique_ptr<ByteSink>> KeepingSink::tensor(const TensorArrival& tensor) {
  payloads_.push_back(std::make_unique<AlignedBuffer<std::byte>>());
  QUINTET_CHECK(payloads_.back()->reserve(tensor.info.payload_bytes()));
  return std::make_unique<Payload>(*payloads_.back());
}

bool KeepingSink::is_right(const ModelFile& file, const SeededValues&) const {
  bool right = payloads_.size() == file.payload_crcs.size();
  for (size_t i = 0; right && i < payloads_.size(); ++i) {
    right = crc32(Bytes(payloads_[i]->span())) == file.payload_crcs[i];
  }
  return right;
}

namespace {

Result<Storage> storage_of(const TensorInfo& info) {
  switch (info.dtype) {
    case Dtype::f32:
      return Storage::f32;
    case Dtype::f16:
      return Storage::f16;
    case Dtype::bf16:
      return Storage::bf16;
    case Dtype::i8:
      return Storage::i8;
    default:
      return unsupported_error("a matrix of this type");
  }
}

float element(const PackedMatrix& matrix, size_t row, size_t col) {
  const size_t panel = row / kPanelRows, in_panel = row % kPanelRows;
  const size_t at = col * kPanelRows + in_panel;
  switch (matrix.storage()) {
    case Storage::f32:
      return matrix.panel_f32(panel)[at];
    case Storage::f16:
      return f16_to_f32(matrix.panel_half(panel)[at]);
    case Storage::bf16:
      return bf16_to_f32(matrix.panel_half(panel)[at]);
    case Storage::i8:
      return matrix.panel_i8(panel)[(col / kQuad * kPanelRows + in_panel) * kQuad + col % kQuad];
  }
  return 0;
}

float stored(Storage storage, float value) {
  switch (storage) {
    case Storage::f32:
      return value;
    case Storage::f16:
      return f16_to_f32(f32_to_f16(value));
    case Storage::bf16:
      return bf16_to_f32(f32_to_bf16(value));
    case Storage::i8:
      return int8_of(value);
  }
  return 0;
}

bool is_right_matrix(const PackedMatrix& matrix, size_t tensor, const SeededValues& values) {
  for (size_t row = 0; row < matrix.rows(); ++row) {
    for (size_t col = 0; col < matrix.cols(); ++col) {
      const float seeded = values.at(tensor, uint64_t{row} * matrix.cols() + col);
      if (element(matrix, row, col) != stored(matrix.storage(), seeded)) return false;
    }
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<ByteSink>> PackingSink::tensor(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  loaded_.push_back(std::make_unique<Loaded>());
  if (info.shape.size() < 2) return tensor_sink<SourceTypes::network>(tensor, loaded_.back()->vector);
  PackedMatrix& matrix = loaded_.back()->matrix;
  QUINTET_TRY(const Storage storage, storage_of(info));
  const auto rows = static_cast<size_t>(info.shape[0]);
  matrix = PackedMatrix(storage, rows, static_cast<size_t>(info.elements()) / rows);
  return tensor_sink<SourceTypes::same>(tensor, matrix);
}

bool PackingSink::is_right(const ModelFile& file, const SeededValues& values) const {
  bool right = loaded_.size() == file.tensors.size();
  for (size_t i = 0; right && i < loaded_.size(); ++i) {
    const Loaded& loaded = *loaded_[i];
    right = file.tensors[i].shape.size() < 2 ? loaded.vector.size() == file.tensors[i].elements()
                                             : is_right_matrix(loaded.matrix, i, values);
  }
  return right;
}

namespace {

// Quantization makes differences to values spread evenly over [-1, 1) whose root mean square is step / sqrt(12). INT4
// has 15 levels; scales in FP16, and rows whose largest value is less than 1, move it a little.
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
