#pragma once
// Runs the forward pass to its end, in whatever cuts.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/decoder/decoder.h"
#include "tests/golden/decoder_model.h"

namespace quintet::test {

// A decoder and what it refers to.
struct TestDecoder {
  TestDecoder(const PlainDecoder& plain, const Kernels& kernels)
      : TestDecoder(plain.config, float_weights(plain), kernels) {}
  TestDecoder(DecoderConfig of, decoder::Weights given, const Kernels& kernels)
      : config(std::move(of)), weights(std::move(given)), decoder(config, weights, kernels) {}

  // Logits of the last of the ids; 1 to Decoder::kMaxTokens of these are computed at a time.
  std::vector<float> last(decoder::KvCache& cache, std::span<const uint32_t> ids);
  // Logits of all ids, [ids][n_vocab], computed in passes of these sizes (the last size over and over).
  std::vector<float> all(decoder::KvCache& cache, std::span<const uint32_t> ids, std::span<const size_t> cuts = {});

  DecoderConfig config;
  decoder::Weights weights;
  decoder::Decoder decoder;
  decoder::Adapters adapters = {};  // of the passes below

 private:
  std::vector<float> pass(decoder::KvCache& cache, std::span<const uint32_t> ids, decoder::LogitsOf what);
};

// The first of the largest.
uint32_t greatest(std::span<const float> logits);

}  // namespace quintet::test
