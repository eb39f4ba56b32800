#include "tests/golden/resnet_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "models/vision/network.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

std::vector<float> floats(Bytes bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

vision::FloatWeights weights_of(const LayerTable& table, const std::vector<std::vector<float>>& values) {
  vision::FloatWeights weights;
  size_t next = 0;
  const auto take = [&] { return std::span<const float>(values.at(next++)); };
  const auto take_layer = [&](bool bias) {
    const std::span<const float> weight = take();
    return vision::FloatWeights::Layer{.weight = weight, .bias = bias ? take() : std::span<const float>()};
  };
  for (const ConvLayer& conv : table.convs) weights.convs.push_back(take_layer(conv.bias));
  for (const LinearLayer& linear : table.linears) weights.linears.push_back(take_layer(linear.bias));
  for (size_t i = 0; i < table.batch_norms.size(); ++i) {
    const auto gamma = take(), beta = take(), mean = take(), variance = take();
    weights.batch_norms.push_back({gamma, beta, mean, variance});
  }
  return weights;
}

ResNetFixture resnet_fixture(const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path), {.format = Format::tinyruntime});
  ResNetFixture network;
  if (!file || !file->description.layers) {
    ADD_FAILURE() << path << " is not read as a network";
    return network;
  }
  network.table = *file->description.layers;
  for (const TensorInfo& info : file->description.tensors) network.values.push_back(floats(file->data.at(info.name)));
  network.weights = weights_of(network.table, network.values);
  return network;
}

std::unique_ptr<vision::Network> make_network(const Kernels& kernels, const LayerTable& table,
                                              const std::vector<TensorPayload>& tensors, size_t chunk) {
  vision::NetworkLoader loader(kernels);
  EXPECT_TRUE(loader.begin(table));
  for (const auto& [info, bytes] : tensors) {
    const auto sink = loader.tensor({info, true});
    if (!sink) {
      ADD_FAILURE() << info.name << ": " << sink.error().detail;
      return nullptr;
    }
    for (size_t at = 0; at < bytes.size(); at += std::min(chunk, bytes.size() - at)) {
      EXPECT_TRUE((*sink)->write(Bytes(bytes).subspan(at, std::min(chunk, bytes.size() - at))));
    }
    EXPECT_TRUE((*sink)->finish());
  }
  auto network = loader.finish();
  EXPECT_TRUE(network);
  return network ? *std::move(network) : nullptr;
}

std::unique_ptr<vision::Network> network_fixture(const Kernels& kernels, const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path), {.format = Format::tinyruntime});
  if (!file || !file->description.layers) {
    ADD_FAILURE() << path << " is not read as a network";
    return nullptr;
  }
  std::vector<TensorPayload> tensors;
  for (const TensorInfo& info : file->description.tensors) tensors.push_back({info, file->data.at(info.name)});
  return make_network(kernels, *file->description.layers, tensors);
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
