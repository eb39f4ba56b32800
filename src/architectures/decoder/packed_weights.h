#pragma once
// The quantized matrices of a Hugging Face checkpoint, of which several tensors make one.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/decoder/tensor_names.h"
#include "formats/huggingface/packed_weight.h"
#include "formats/model_sink.h"

namespace quintet::decoder {

// The parts may be in any order and in any file.
class PackedWeights {
 public:
  // The configuration must outlive this.
  PackedWeights(const huggingface::WeightPacking& packing, const DecoderConfig& config, const TensorNames& names)
      : packing_(packing), config_(config), names_(names) {}

  struct Part {
    const std::string* weight;
    huggingface::PackedWeight* packed;
    huggingface::WeightPart part;
  };
  // The quantized matrix that a tensor belongs to, if any.
  std::optional<Part> find(const TensorInfo& info);
  // Announces a part. Returns the matrix with its last part, else null.
  Result<const TensorInfo*> announce(const Part& part, const TensorInfo& info);
  // After the last file: FORMAT if a matrix has no scales, or another part is missing.
  Status check_whole() const;

 private:
  huggingface::WeightPacking packing_;
  const DecoderConfig& config_;
  TensorNames names_;
  std::map<std::string, huggingface::PackedWeight, std::less<>> weights_;
};

// Stands before another sink, which sees matrices in place of their parts. Parts are held until all have arrived.
class JoiningSink final : public ModelSink {
 public:
  JoiningSink(PackedWeights weights, ModelSink& next) : weights_(std::move(weights)), next_(next) {}

  Status begin(const ModelDescription& file) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription file) override { return next_.end(std::move(file)); }
  Status check_whole() const { return weights_.check_whole(); }

 private:
  class PartSink;
  Status write_matrix(const PackedWeights::Part& part);

  PackedWeights weights_;
  ModelSink& next_;
};

}  // namespace quintet::decoder
