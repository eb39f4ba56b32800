#pragma once
// The models that are read: of the shapes of real ones, with seeded values, and so large that a file holds about
// kFileBytes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::bench {

constexpr uint64_t kFileBytes = 64 << 20;

// The type in which a model stores its matrices; vectors are float32, or of that type where nothing is quantized.
struct StoredAs {
  Dtype dtype = Dtype::f32;
  Quantization quantization = {};
};

// A decoder of the Llama kind, in AMB, ALT or safetensors.
ModelDescription decoder(Format format, const StoredAs& matrices);
// A BERT encoder in .weights: float32, or int8 with a scale a row.
ModelDescription encoder(Dtype matrices);
// ResNet-50 in tinyRuntime: vanilla or dq8.
ModelDescription network(NetworkKind kind);

// The weights of the benchmark's models: the same in every run and everywhere, so that what a reader hands on can be
// compared without a second copy of the model.
class SeededValues {
 public:
  SeededValues();

  // Values of a tensor from place `at` on, in [-1, 1): between 1 and `most` of them, up to the end of the piece.
  std::span<const float> run(size_t tensor, uint64_t at, uint64_t most) const;
  float at(size_t tensor, uint64_t at) const { return run(tensor, at, 1)[0]; }

 private:
  std::vector<float> pool_;  // which tensors go round and round, each from its own place
};

// A model file in memory, as the library's own writers make it of seeded values.
struct ModelFile {
  std::vector<std::byte> bytes;
  std::vector<TensorInfo> tensors;     // in the order of the file; also the numbers of their values
  std::vector<uint32_t> payload_crcs;  // of what each tensor's sink is to get
};

Result<ModelFile> write_model(ModelDescription description, const SeededValues& values);

// A seeded value as an element of a plain int8 tensor.
int8_t int8_of(float value);

}  // namespace quintet::bench
