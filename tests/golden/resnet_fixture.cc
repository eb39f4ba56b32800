#include "tests/golden/resnet_fixture.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

std::vector<float> floats(Bytes bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

ResNetFixture resnet_fixture(const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path), {.format = Format::tinyruntime});
  ResNetFixture network;
  if (!file || !file->description.layers) {
    ADD_FAILURE() << path << " is not read as a network";
    return network;
  }
  network.table = *file->description.layers;
  for (const TensorInfo& info : file->description.tensors) network.values.push_back(floats(file->data.at(info.name)));

  // The file's order is that of the table.
  size_t next = 0;
  const auto take = [&] { return std::span<const float>(network.values.at(next++)); };
  const auto take_layer = [&](bool bias) {
    const std::span<const float> weight = take();
    return resnet::FloatWeights::Layer{.weight = weight, .bias = bias ? take() : std::span<const float>()};
  };
  for (const ConvLayer& conv : network.table.convs) network.weights.convs.push_back(take_layer(conv.bias));
  for (const LinearLayer& linear : network.table.linears) network.weights.linears.push_back(take_layer(linear.bias));
  for (size_t i = 0; i < network.table.batch_norms.size(); ++i) {
    const auto gamma = take(), beta = take(), mean = take(), variance = take();
    network.weights.batch_norms.push_back({gamma, beta, mean, variance});
  }
  return network;
}

std::vector<float> generated_input(uint32_t seed, size_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = (static_cast<float>(seed >> 8) / 16777216.0F - 0.5F) * 4;
  }
  return values;
}

std::vector<float> run_input(const std::string& folder, const Json& input) {
  if (const Json* file = input.find("file")) return floats(fixture(folder + std::string(*file->as_string())));
  size_t count = 1;
  for (const Json& length : *input.find("shape")->as_array()) count *= *length.as_uint();
  return generated_input(static_cast<uint32_t>(*input.find("lcg_seed")->as_uint()), count);
}

}  // namespace quintet::test
