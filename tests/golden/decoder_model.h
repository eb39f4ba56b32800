#pragma once
// Small decoders for tests of the forward pass: their tensors as plain values, from a fixture or at random.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "architectures/decoder/config.h"
#include "models/decoder/kv_cache.h"
#include "models/decoder/weights.h"

namespace quintet::test {

struct PlainDecoder {
  DecoderConfig config;
  std::map<std::string, std::vector<float>> tensors;  // under Hugging Face's names, [out][in]

  bool has(const std::string& name) const { return tensors.contains(name); }
};

// From a file of tests/fixtures, dequantized.
PlainDecoder read_decoder(const std::string& path);

// The form of the blocks of a random decoder.
struct BlockForm {
  bool is_parallel = false;  // as in Phi-2
  bool is_fused = false;     // qkv and gate_up in one
  bool has_biases = false;   // in all projections
  bool has_layer_norms = false;
  bool has_output = true;  // else tied
};
PlainDecoder random_decoder(DecoderConfig config, const BlockForm& form, uint32_t seed);

// The plain weights, kept as f32.
decoder::Weights float_weights(const PlainDecoder& plain);

// A file of tests/fixtures as it is loaded, quantized weights as they are.
decoder::Weights loaded_weights(const std::string& path);

decoder::KvCache empty_cache(const DecoderConfig& config, KvType type = KvType::f32);

}  // namespace quintet::test
