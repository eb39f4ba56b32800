#include "runtime/read_tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/weights/scales.h"
#include "runtime/convert/tensor_encoder.h"

namespace quintet {
namespace {

// Collects float32 data.
class FloatOutput final : public TensorOutput {
 public:
  explicit FloatOutput(AlignedBuffer<float>& values) : values_(values) {}
  Status begin_tensor(const TensorInfo&) override { return {}; }
  Status write(Bytes data) override {
    const size_t before = values_.size();
    const size_t after = before + data.size() / sizeof(float);
    if (after > values_.capacity()) QUINTET_CHECK(values_.reserve(std::max(after, before * 2)));
    QUINTET_CHECK(values_.resize_uninitialized(after));
    std::memcpy(values_.data() + before, data.data(), data.size());
    return {};
  }

 private:
  AlignedBuffer<float>& values_;
};

class WideningSink final : public TensorSink {
 public:
  WideningSink(const TensorInfo& info, AlignedBuffer<float>& values)
      : output_(values), encoder_(info, {.dtype = info.dtype, .group = 0}, {}, {.dtype = Dtype::f32, .group = 0}, output_) {}
  Status write(Bytes bytes) override { return encoder_.write(bytes); }
  Status finish() override { return encoder_.finish(); }

 private:
  FloatOutput output_;
  TensorEncoder encoder_;
};

Result<std::unique_ptr<TensorSink>> widening_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values) {
  if (!decodable(info.dtype)) {
    return unsupported_error("values of type " + std::string(name_of(info.dtype)), info.offset);
  }
  if (certain) QUINTET_CHECK(values.reserve(info.elements()));
  return std::make_unique<WideningSink>(info, values);
}

}  // namespace

Status TensorReadingSink::begin(const ModelDescription& description) {
  format_ = description.format;
  // A flat file tells its tensors one by one.
  if (description.tensors.empty() || description.find_tensor(name_)) return {};
  return input_error(Reason::missing, "the file has no tensor \"" + name_ + "\"");
}

Result<std::unique_ptr<TensorSink>> TensorReadingSink::tensor(const TensorInfo& info, bool certain) {
  if (info.name == name_) {
    found_ = true;
    scaled_ = format_ == Format::weights && info.dtype == Dtype::i8;
    tensor_.dtype = format_ == Format::weights ? weights_name_of(info.dtype) : name_of(info.dtype);
    tensor_.shape = info.shape;
    return widening_sink(info, certain, tensor_.values);
  }
  if (format_ == Format::weights && info.name == weights::scale_name(name_)) {
    return widening_sink(info, certain, scales_);
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
