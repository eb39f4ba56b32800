#pragma once
// ResNets by their definitions, in loops over every index of [channels][height][width].

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/layer_table.h"

namespace quintet::test {

// Views of a network's parameters, layer by layer as in its table.
struct FloatWeights {
  struct Layer {
    std::span<const float> weight;  // convolution [out][in][kernel][kernel], linear [out][in]
    std::span<const float> bias;    // [out], or empty
  };
  struct BatchNorm {
    std::span<const float> gamma, beta, mean, variance;
  };
  std::vector<Layer> convs;
  std::vector<Layer> linears;
  std::vector<BatchNorm> batch_norms;
};

// In float64.
std::vector<double> plain_logits(const LayerTable& table, const FloatWeights& weights, std::span<const float> image,
                                 size_t height, size_t width);

struct PlainStaticLayer {
  std::vector<int8_t> weight;  // [out][in][kernel][kernel]
  std::vector<int32_t> bias;   // [out]
  float scale = 1;
  int32_t zero_point = 0;
};

struct PlainStaticNetwork {
  LayerTable table;                                      // sq8
  std::vector<PlainStaticLayer> layers;                  // convolutions first, then linear layers
  std::vector<std::array<std::vector<float>, 4>> norms;  // gamma, beta, mean, variance
};

struct PlainStage {
  std::string name;
  std::vector<uint8_t> values;
};

// docs/formats/tinyruntime.md, "Arithmetic", with 64-bit sums; all stages, the integers of the last linear layer come
// last.
std::vector<PlainStage> plain_stages(const PlainStaticNetwork& network, std::span<const float> image, size_t height,
                                     size_t width);

}  // namespace quintet::test
