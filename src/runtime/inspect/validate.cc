#include "runtime/inspect/validate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "architectures/decoder/decoder.h"
#include "architectures/encoder/config.h"
#include "formats/gguf/split.h"
#include "runtime/inspect/describe.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

// Counts the values of a tensor that are not finite.
class FiniteCheck final : public ValueSink {
 public:
  FiniteCheck(std::string tensor, std::vector<std::string>& warnings)
      : tensor_(std::move(tensor)), warnings_(warnings) {}

  Status write(std::span<const float> values) override {
    not_finite_ +=
        static_cast<uint64_t>(std::ranges::count_if(values, [](float value) { return !std::isfinite(value); }));
    return {};
  }
  Status finish() override {
    if (not_finite_ != 0) warnings_.push_back(formatted("{}: {} values are not finite", tensor_, not_finite_));
    return {};
  }

 private:
  std::string tensor_;
  std::vector<std::string>& warnings_;
  uint64_t not_finite_ = 0;
};

constexpr size_t kHeadsOfFile = 0;

// An ALT or GGUF file may contain only a tokenizer, and a part of a split model only some tensors.
bool may_hold_decoder(const ModelDescription& description) {
  switch (description.format) {
    case Format::amb:
      return true;
    case Format::alt:
      return !description.tensors.empty();
    case Format::gguf:
      return !description.tensors.empty() && !gguf::is_part(description);
    default:
      return false;
  }
}

Status check_model(const ModelDescription& description) {
  if (description.format == Format::embd) {
    QUINTET_CHECK(read_embd_encoder(description, kHeadsOfFile));
    return {};
  }
  if (!may_hold_decoder(description)) return {};
  auto config = read_decoder_config(description);
  // A GGUF file of an unsupported model is still valid.
  if (!config && description.format == Format::gguf) return {};
  if (config) return check_decoder(*config, description);
  return at_offset(failure_of(std::move(config)), description.file_size);
}

}  // namespace

Result<std::unique_ptr<ByteSink>> ValidatingSink::tensor(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  // Integers are finite, and so are their factors here.
  if (!info.quantized() && (!decodable(info.dtype) || info.dtype == Dtype::i8)) return nullptr;
  return make_decoder(info.dtype, info.quantization, info.elements(), info.bytes,
                      std::make_unique<FiniteCheck>(info.name, warnings_));
}

Status ValidatingSink::end(ModelDescription description) {
  if (Status status = check_model(description); !status) {
    return in_format(failure_of(std::move(status)), quintet::name_of(description.format));
  }
  if (description.format != Format::embd && description.tensors.empty())
    warnings_.push_back("the file holds no tensors");
  return DescriptionSink::end(std::move(description));
}

Json ValidatingSink::report() const {
  Json json = describe(description());
  Json warnings = Json::array();
  for (const std::string& warning : description().warnings) warnings.push_back(warning);
  for (const std::string& warning : warnings_) warnings.push_back(warning);
  json.set("warnings", std::move(warnings));
  return json;
}

}  // namespace quintet
