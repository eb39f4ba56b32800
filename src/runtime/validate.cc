#include "runtime/validate.h"

#include "runtime/bert_config.h"

namespace quintet {
namespace {

// Counts the float32 values of a tensor that are NaN or infinite.
class FiniteCheck final : public TensorSink {
 public:
  FiniteCheck(std::string tensor, std::vector<std::string>& warnings)
      : tensor_(std::move(tensor)), warnings_(warnings) {}

  Status write(Bytes bytes) override {
    for (const std::byte byte : bytes) {
      bits_ = bits_ >> 8 | static_cast<uint32_t>(byte) << 24;
      if (++position_ % sizeof(float) == 0 && (bits_ & kExponent) == kExponent) ++not_finite_;
    }
    return {};
  }
  Status finish() override {
    if (not_finite_ != 0) {
      warnings_.push_back(tensor_ + ": " + std::to_string(not_finite_) + " scales are not finite");
    }
    return {};
  }

 private:
  static constexpr uint32_t kExponent = 0x7f800000;

  std::string tensor_;
  std::vector<std::string>& warnings_;
  uint32_t bits_ = 0;  // the last four bytes, the latest on top
  uint64_t position_ = 0;
  uint64_t not_finite_ = 0;
};

constexpr size_t kHeadsOfFile = 0;

}  // namespace

Result<std::unique_ptr<TensorSink>> ValidatingSink::tensor(const TensorInfo& info, bool) {
  if (!info.name.ends_with(".scale") || info.dtype != Dtype::f32) return nullptr;
  return std::make_unique<FiniteCheck>(info.name, warnings_);
}

Status ValidatingSink::end(ModelDescription description) {
  if (description.format == Format::weights) QUINTET_CHECK(bert_config(description, kHeadsOfFile));
  return DescriptionSink::end(std::move(description));
}

Json ValidatingSink::report() const {
  Json json = describe(description());
  Json warnings = Json::array();
  for (const std::string& warning : warnings_) warnings.push_back(warning);
  json.append("warnings", std::move(warnings));
  return json;
}

}  // namespace quintet
