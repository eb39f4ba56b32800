#include "runtime/read_tensor.h"

#include <algorithm>
#include <span>
#include <utility>

#include "formats/weights/scales.h"
#include "tensor/payload.h"

namespace quintet {
namespace {

Status append(std::span<const float> piece, AlignedBuffer<float>& values) {
  const size_t before = values.size();
  const size_t after = before + piece.size();
  if (after > values.capacity()) QUINTET_CHECK(values.reserve(std::max(after, before * 2)));
  QUINTET_CHECK(values.resize_uninitialized(after));
  std::ranges::copy(piece, values.data() + before);
  return {};
}

class DecodingSink final : public TensorSink {
 public:
  DecodingSink(std::unique_ptr<PayloadDecoder> decoder, AlignedBuffer<float>& values)
      : decoder_(std::move(decoder)), values_(values) {}

  // In pieces, so that what is decoded exists twice for a moment only.
  Status write(Bytes bytes) override {
    constexpr size_t kPieceBytes = size_t{1} << 14;
    while (!bytes.empty()) {
      const Bytes piece = bytes.first(std::min(kPieceBytes, bytes.size()));
      bytes = bytes.subspan(piece.size());
      piece_.clear();
      QUINTET_CHECK(decoder_->write(piece, piece_));
      QUINTET_CHECK(append(piece_, values_));
    }
    return {};
  }
  Status finish() override { return decoder_->finish(); }

 private:
  std::unique_ptr<PayloadDecoder> decoder_;
  AlignedBuffer<float>& values_;
  std::vector<float> piece_;
};

Result<std::unique_ptr<TensorSink>> decoding_sink(const TensorInfo& info, bool certain,
                                                  AlignedBuffer<float>& values) {
  auto decoder = make_decoder(info.dtype, info.quantization, info.elements(), info.bytes);
  if (!decoder) {
    Error error = std::move(decoder).error();
    error.offset = info.offset;
    return fail(std::move(error));
  }
  if (certain) QUINTET_CHECK(values.reserve(info.elements()));
  return std::make_unique<DecodingSink>(std::move(*decoder), values);
}

}  // namespace

Status TensorReadingSink::begin(const ModelDescription& description) {
  format_ = description.format;
  // Some formats tell their tensors one by one.
  if (description.tensors.empty() || description.find_tensor(name_)) return {};
  return input_error(Reason::missing, "the file has no tensor \"" + name_ + "\"");
}

Result<std::unique_ptr<TensorSink>> TensorReadingSink::tensor(const TensorInfo& info,
                                                              bool certain) {
  if (info.name == name_) {
    found_ = true;
    scaled_ = format_ == Format::weights && info.dtype == Dtype::i8;
    tensor_.dtype = dtype_name(format_, info);
    tensor_.shape = info.shape;
    return decoding_sink(info, certain, tensor_.values);
  }
  if (format_ == Format::weights && info.name == weights::scale_name(name_)) {
    return decoding_sink(info, certain, scales_);
  }
  return nullptr;
}

Status TensorReadingSink::end(ModelDescription) {
  if (!found_) return input_error(Reason::missing, "the file has no tensor \"" + name_ + "\"");
  if (!scaled_) return {};
  const size_t group = tensor_.values.size() / scales_.size();
  for (size_t i = 0; i < tensor_.values.size(); ++i) tensor_.values[i] *= scales_[i / group];
  return {};
}

}  // namespace quintet
