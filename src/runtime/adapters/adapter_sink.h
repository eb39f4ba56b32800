#pragma once
// Receives an adapter for a model from a reader: PEFT's adapter_model.safetensors with its adapter_config.json, or a
// GGUF file as llama.cpp's convert_lora_to_gguf.py writes it.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/tensor_names.h"
#include "formats/huggingface/adapter_config.h"
#include "formats/model_sink.h"
#include "models/decoder/adapter.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

class AdapterSink final : public ModelSink {
 public:
  // The model must outlive this, and the adapter.
  explicit AdapterSink(const GeneratorModel& model) : model_(model) {}

  // For a folder, before its tensors.
  void describe(huggingface::AdapterConfig config) { config_ = std::move(config); }

  // All tensors are checked here: each belongs to a matrix of the model, and fits it.
  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription) override { return {}; }

  // After the last tensor.
  Result<std::shared_ptr<const decoder::Adapter>> finish();

 private:
  // A or B of a matrix.
  struct Place {
    std::string name;
    decoder::TensorRef ref;
    const WeightMatrix* matrix;
    std::string module;  // Hugging Face's name
    bool is_up;
  };

  Status check_origin(Format format) const;
  Status read_gguf(const ModelDescription& description);
  Result<Place> place_of(const TensorInfo& info) const;
  Status check_shape(const TensorInfo& info, const Place& place);
  Status complete();

  const GeneratorModel& model_;
  std::optional<huggingface::AdapterConfig> config_;
  std::optional<double> alpha_;  // of a GGUF file
  std::optional<decoder::TensorNames> names_;
  std::vector<Place> places_;  // no more than the model has matrices, twice
  std::shared_ptr<decoder::Adapter> adapter_;
};

}  // namespace quintet
