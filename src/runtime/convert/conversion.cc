#include "runtime/convert/conversion.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/bert_tensors.h"
#include "formats/weights/layout.h"
#include "runtime/flat_metadata.h"
#include "runtime/convert/tensor_encoder.h"

namespace quintet {
namespace {

class CopySink final : public TensorSink {
 public:
  CopySink(const TensorInfo& info, TensorOutput& out) : info_(info), out_(out) {}
  Status write(Bytes bytes) override {
    if (!std::exchange(begun_, true)) QUINTET_CHECK(out_.begin_tensor(info_));
    return out_.write(bytes);
  }
  Status finish() override { return {}; }

 private:
  TensorInfo info_;
  TensorOutput& out_;
  bool begun_ = false;
};

template <class T>
Status append_bytes(Bytes bytes, size_t& used, AlignedBuffer<T>& values) {
  const size_t end = used + bytes.size();
  const size_t count = (end + sizeof(T) - 1) / sizeof(T);
  if (count > values.capacity()) QUINTET_CHECK(values.reserve(std::max(count, values.capacity() * 2)));
  QUINTET_CHECK(values.resize_uninitialized(count));
  std::memcpy(reinterpret_cast<std::byte*>(values.data()) + used, bytes.data(), bytes.size());
  used = end;
  return {};
}

std::string matrix_name(const std::string& scales) {
  return scales.substr(0, scales.size() - weights::kScaleSuffix.size());
}

uint64_t number(const Json& metadata, std::string_view key) {
  const Json* value = metadata.find(key);
  uint64_t result = 0;
  if (!value || !value->as_string()) return 0;
  for (const char c : *value->as_string()) {
    if (c < '0' || c > '9' || result > UINT32_MAX) return 0;
    result = result * 10 + static_cast<uint64_t>(c - '0');
  }
  return result;
}

}  // namespace

// Keeps an int8 matrix until its scales come.
class Conversion::HeldMatrixSink final : public TensorSink {
 public:
  explicit HeldMatrixSink(AlignedBuffer<std::byte>& values) : values_(values) {}
  Status write(Bytes bytes) override { return append_bytes(bytes, used_, values_); }
  Status finish() override { return {}; }

 private:
  AlignedBuffer<std::byte>& values_;
  size_t used_ = 0;
};

// Takes scales: for a matrix that waits for them, or to keep until it comes.
class Conversion::ScalesSink final : public TensorSink {
 public:
  ScalesSink(Conversion& conversion, Step step, std::string matrix)
      : conversion_(conversion), step_(std::move(step)), matrix_(std::move(matrix)) {}
  Status write(Bytes bytes) override { return append_bytes(bytes, used_, values_); }
  Status finish() override {
    if (step_.action == Action::encode_held) return conversion_.encode_held(step_, matrix_, values_.span());
    conversion_.held_scales_.insert_or_assign(matrix_, std::move(values_));
    return {};
  }

 private:
  Conversion& conversion_;
  Step step_;
  std::string matrix_;
  AlignedBuffer<float> values_;
  size_t used_ = 0;
};

Status Conversion::begin(const ModelDescription& description) {
  const bool from_folder = description.format == Format::safetensors;
  if (from_folder && !parts_) {
    return input_error(Reason::missing, "a safetensors model needs its config.json and vocabulary before it");
  }
  if (!from_folder && parts_) {
    return input_error(Reason::mismatch, "config.json and vocabulary go with a safetensors model");
  }
  flat_ = description.tensors.empty() && !from_folder;
  if (flat_) return {};
  const Origin origin = from_folder ? Origin::hugging_face : Origin::weights;
  QUINTET_TRY(plan_, plan_conversion(description.tensors, origin, options_));
  if (!from_folder) return begin_output(description, plan_.outputs, plan_.quantization);
  QUINTET_TRY(ModelDescription adopted, adopt_parts(description));
  return begin_output(std::move(adopted), plan_.outputs, plan_.quantization);
}

Result<ModelDescription> Conversion::adopt_parts(const ModelDescription& description) {
  const BertShape shape = {.vocab_size = number(parts_->metadata, "vocab_size"),
                           .hidden = number(parts_->metadata, "hidden_size"),
                           .layers = number(parts_->metadata, "num_layers"),
                           .intermediate = number(parts_->metadata, "intermediate_size"),
                           .positions = number(parts_->metadata, "max_position_emb")};
  QUINTET_CHECK(check_bert_tensors(shape, plan_.outputs));
  ModelDescription adopted = description;
  adopted.metadata = parts_->metadata;
  adopted.tokenizer = std::move(parts_->tokenizer);
  return adopted;
}

Status Conversion::begin_output(ModelDescription description, std::vector<TensorInfo> outputs,
                                std::string quantization) {
  description.tensors = std::move(outputs);
  set_metadata(description.metadata, quantization);
  return out_.begin(std::move(description));
}

void Conversion::set_metadata(Json& metadata, const std::string& quantization) const {
  for (const Json::Member& member : *options_.metadata.as_object()) {
    if (member.value.is_null()) {
      metadata.remove(member.name);
    } else {
      metadata.set(member.name, member.value);
    }
  }
  if (!quantization.empty()) {
    metadata.set(weights::kQuantizationKey, quantization);
  } else if (options_.quantize != Quantize::keep) {
    metadata.remove(weights::kQuantizationKey);
  }
}

Result<Step> Conversion::next_step(const TensorInfo& info) {
  if (!flat_) return plan_.steps[step_++];
  QUINTET_TRY(Plan plan, plan_conversion({info}, Origin::weights, options_));
  plan_.quantization = plan.quantization;
  return std::move(plan.steps.front());
}

Result<std::unique_ptr<TensorSink>> Conversion::tensor(const TensorInfo& info, bool certain) {
  QUINTET_TRY(Step step, next_step(info));
  switch (step.action) {
    case Action::drop:
      return nullptr;
    case Action::copy:
      return std::make_unique<CopySink>(step.tensor, out_);
    case Action::encode:
      return std::make_unique<TensorEncoder>(step.tensor, step.from, std::span<const float>(), step.to, out_);
    case Action::hold_matrix: {
      AlignedBuffer<std::byte>& held = held_matrices_[info.name];
      if (certain) QUINTET_CHECK(held.reserve(info.bytes));
      return std::make_unique<HeldMatrixSink>(held);
    }
    case Action::encode_held:
    case Action::hold_scales:
      return std::make_unique<ScalesSink>(*this, std::move(step), matrix_name(info.name));
    case Action::encode_scaled:
      break;
  }
  return std::make_unique<TensorEncoder>(step.tensor, step.from, held_scales_[info.name].span(), step.to, out_);
}

Status Conversion::encode_held(const Step& step, const std::string& matrix, std::span<const float> scales) {
  TensorEncoder encoder(step.tensor, step.from, scales, step.to, out_);
  QUINTET_CHECK(encoder.write(std::as_bytes(held_matrices_[matrix].span())));
  QUINTET_CHECK(encoder.finish());
  held_matrices_.erase(matrix);
  return {};
}

Status Conversion::end(ModelDescription description) {
  if (flat_) {
    QUINTET_TRY(description.metadata, flat_metadata(description, options_.metadata));
    QUINTET_CHECK(begin_output(std::move(description), out_.kept(), plan_.quantization));
  }
  return out_.finish();
}

}  // namespace quintet
