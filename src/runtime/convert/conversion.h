#pragma once
// The sink of a reader that turns the model into a .weights file while it is read.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "runtime/convert/conversion_plan.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/weights_output.h"

namespace quintet {

// What a Hugging Face folder tells beside its tensors.
struct HuggingFaceParts {
  Json metadata;  // from config.json
  TokenizerDescription tokenizer;
};

class Conversion final : public ModelSink {
 public:
  // `parts`: for a safetensors source, which needs them; a .weights source has no use for them.
  Conversion(const ConvertOptions& options, std::optional<HuggingFaceParts> parts, WeightsOutput& out)
      : options_(options), parts_(std::move(parts)), out_(out) {}

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) override;
  Status end(ModelDescription description) override;

 private:
  class HeldMatrixSink;
  class ScalesSink;

  Status begin_output(ModelDescription description, std::vector<TensorInfo> outputs, std::string quantization);
  Result<ModelDescription> adopt_parts(const ModelDescription& description);
  Result<Step> next_step(const TensorInfo& info);
  void set_metadata(Json& metadata, const std::string& quantization) const;
  // Sends out the matrix of a step whose scales have come.
  Status encode_held(const Step& step, const std::string& matrix, std::span<const float> scales);

  const ConvertOptions& options_;
  std::optional<HuggingFaceParts> parts_;
  WeightsOutput& out_;
  bool flat_ = false;  // nothing is known before the tensors come
  Plan plan_;
  size_t step_ = 0;
  std::map<std::string, AlignedBuffer<std::byte>, std::less<>> held_matrices_;
  std::map<std::string, AlignedBuffer<float>, std::less<>> held_scales_;  // by the matrix's name
};

}  // namespace quintet
