#include "runtime/convert/tensor_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "formats/weights/scales.h"
#include "tensor/quantize_int8.h"

namespace quintet {
namespace {

constexpr uint64_t kUnitValues = 4096;

}  // namespace

TensorEncoder::TensorEncoder(const TensorInfo& tensor, StorageForm from, std::span<const float> scales, StorageForm to,
                             TensorOutput& out)
    : tensor_(tensor), from_(from), to_(to), scales_(scales), out_(out), left_(tensor.elements()) {
  const bool by_rows = from.scaled() || to.scaled();
  unit_ = static_cast<size_t>(by_rows ? tensor.shape[1] : std::min(kUnitValues, left_));
}

TensorInfo TensorEncoder::stored(const TensorInfo& tensor, StorageForm form) {
  TensorInfo info = tensor;
  info.dtype = form.dtype;
  return info;
}

TensorInfo TensorEncoder::stored_scales(const TensorInfo& tensor, StorageForm form) {
  TensorInfo info;
  info.name = weights::scale_name(tensor.name);
  info.dtype = Dtype::f32;
  info.shape = {tensor.shape[0]};
  if (form.group != tensor.shape[1]) info.shape.push_back(tensor.shape[1] / form.group);
  return info;
}

Status TensorEncoder::write(Bytes bytes) {
  if (!begun_) QUINTET_CHECK(out_.begin_tensor(stored(tensor_, to_)));
  begun_ = true;
  while (!bytes.empty()) {
    const size_t unit_values = static_cast<size_t>(std::min<uint64_t>(unit_, left_));
    const size_t unit_bytes = unit_values * bits_of(from_.dtype) / 8;
    if (partial_.empty() && bytes.size() >= unit_bytes) {
      QUINTET_CHECK(encode_unit(bytes.first(unit_bytes)));
      bytes = bytes.subspan(unit_bytes);
      continue;
    }
    const size_t taken = std::min(bytes.size(), unit_bytes - partial_.size());
    partial_.insert(partial_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
    bytes = bytes.subspan(taken);
    if (partial_.size() == unit_bytes) {
      QUINTET_CHECK(encode_unit(partial_));
      partial_.clear();
    }
  }
  return {};
}

Status TensorEncoder::encode_unit(Bytes unit) {
  values_.resize(static_cast<size_t>(std::min<uint64_t>(unit_, left_)));
  decode(from_.dtype, unit, values_);
  left_ -= values_.size();
  if (from_.scaled()) {
    const size_t group = static_cast<size_t>(from_.group);
    const size_t first = rows_done_ * (values_.size() / group);
    for (size_t i = 0; i < values_.size(); ++i) values_[i] *= scales_[first + i / group];
  }
  ++rows_done_;
  if (to_.scaled()) return quantize_row();
  encoded_.resize(values_.size() * bits_of(to_.dtype) / 8);
  encode(to_.dtype, values_, encoded_);
  return out_.write(encoded_);
}

Status TensorEncoder::quantize_row() {
  if (!std::ranges::all_of(values_, [](float value) { return std::isfinite(value); })) {
    return fail({.code = Code::unsupported,
                 .reason = Reason::out_of_range,
                 .detail = "a matrix with NaN or infinity cannot be quantized",
                 .offset = std::nullopt,
                 .format = {},
                 .tensor = tensor_.name});
  }
  const size_t groups = values_.size() / static_cast<size_t>(to_.group);
  const size_t before = new_scales_.size();
  QUINTET_CHECK(new_scales_.reserve(tensor_.shape[0] * groups));
  QUINTET_CHECK(new_scales_.resize(before + groups));
  quantized_.resize(values_.size());
  quantize_int8_row(values_, quantized_, new_scales_.span().subspan(before));
  return out_.write(std::as_bytes(std::span(quantized_)));
}

Status TensorEncoder::finish() {
  if (!to_.scaled()) return {};
  QUINTET_CHECK(out_.begin_tensor(stored_scales(tensor_, to_)));
  return out_.write(std::as_bytes(new_scales_.span()));
}

}  // namespace quintet
