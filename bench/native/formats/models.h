#pragma once
// The models that are read: of the shapes of real ones, and so large that a file holds about kFileBytes.

#include "formats/model_description.h"

namespace quintet::bench {

constexpr uint64_t kFileBytes = 64 << 20;

// How the matrices of a model are stored; vectors are float32, or of the type where all are plain.
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

}  // namespace quintet::bench
