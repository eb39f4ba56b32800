#pragma once
// The sink of readers that load a decoder into memory: from one file, or from the files of a Hugging Face folder or of
// a split GGUF model.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "formats/model_sink.h"
#include "models/decoder/weights_loader.h"
#include "runtime/generation/generator_model.h"
#include "runtime/generation/memory_plan.h"
#include "runtime/model_folder/split_model.h"

namespace quintet {

class GeneratorSink final : public ModelSink {
 public:
  GeneratorSink(const GeneratorOptions& options, uint64_t available);

  // Receives the description of the model from a folder, before the files with tensors. `config`: absent if it is not a
  // decoder.
  Status describe(ModelDescription description, const std::optional<DecoderConfig>& config);

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // Whether the model is in several files, of which those after the first have only tensors.
  bool has_more_files() const { return model_.is_described(); }
  // After the last file.
  Result<std::unique_ptr<GeneratorModel>> finish();

 private:
  Status begin_model(const ModelDescription& description, DecoderConfig config);
  Status begin_part(const ModelDescription& part);
  Status announce(std::span<const TensorInfo> tensors);

  GeneratorOptions options_;
  MemoryPlan memory_;
  decoder::WeightsLoader weights_;
  DecoderConfig config_;
  SplitModel model_;
  bool lists_tensors_ = true;  // the file lists its tensors before their data; else each is announced as it arrives
  bool is_checked_ = false;    // whether the tensors match config_
};

}  // namespace quintet
