#pragma once
// The sink of readers that load a decoder into memory: from one file, or from the files of a Hugging Face folder or of
// a split GGUF model.

#include <cstdint>
#include <memory>
#include <optional>

#include "formats/gguf/split.h"
#include "formats/model_sink.h"
#include "models/decoder/weights_loader.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

class GeneratorSink final : public ModelSink {
 public:
  GeneratorSink(const GeneratorOptions& options, uint64_t available);

  // The description of the model from a folder, before the files with tensors. `config`: absent if it is not a decoder.
  Status describe(ModelDescription description, const std::optional<DecoderConfig>& config);

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // Whether the model is in several files, of which those after the first have only tensors.
  bool has_more_files() const { return described_; }
  // After the last file.
  Result<std::unique_ptr<GeneratorModel>> finish();

 private:
  Status begin_model(const ModelDescription& description, DecoderConfig config);
  Status begin_shard(const ModelDescription& shard);
  Status begin_split(const ModelDescription& description);
  Status choose_context();
  Result<uint64_t> context_beside(uint64_t weights) const;
  Status plan_all(const std::vector<TensorInfo>& tensors);
  Status check_memory(uint64_t weights) const;
  void grow_heap();

  GeneratorOptions options_;
  uint64_t available_;
  decoder::WeightsLoader weights_;
  DecoderConfig config_;
  uint64_t cache_bytes_ = 0;       // of a KV cache for the minimum context
  uint64_t planned_ = 0;           // bytes of the announced weights
  uint64_t expected_ = 0;          // of all weights, as far as the size of the file tells
  uint64_t heap_ = 0;              // bytes for weights by which the heap has grown
  bool counts_announced_ = false;  // whether the bytes of each tensor are added when it is announced
  bool described_ = false;         // by a folder, or by the first file of a split model
  gguf::SplitFiles split_;
  ModelDescription description_;  // with the tensors of all files so far; of a single file, once it was read
  bool checked_ = false;          // whether the tensors match config_
};

}  // namespace quintet
