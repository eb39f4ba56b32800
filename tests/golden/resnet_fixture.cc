#include "tests/golden/resnet_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>

#include "formats/tinyruntime/check.h"
#include "models/vision/table_loader.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

std::vector<float> floats(Bytes bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

FloatWeights weights_of(const LayerTable& table, const std::vector<std::vector<float>>& values) {
  FloatWeights weights;
  size_t next = 0;
  const auto take = [&] { return std::span<const float>(values.at(next++)); };
  const auto take_layer = [&](bool bias) {
    const std::span<const float> weight = take();
    return FloatWeights::Layer{.weight = weight, .bias = bias ? take() : std::span<const float>()};
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

std::unique_ptr<vision::ImageNetwork> load_network(vision::NetworkLoader& loader,
                                                   const std::vector<TensorPayload>& tensors, size_t chunk) {
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

std::unique_ptr<vision::ImageNetwork> make_network(const Kernels& kernels, const LayerTable& table,
                                                   const std::vector<TensorPayload>& tensors, size_t chunk) {
  const auto loader = vision::make_loader(kernels, table);
  EXPECT_TRUE(loader);
  return loader ? load_network(**loader, tensors, chunk) : nullptr;
}

std::vector<TensorPayload> payloads_of(const ResNetFixture& fixture) {
  std::vector<TensorPayload> payloads;
  for (const auto& tensor : network_tensors(fixture.table, *tinyruntime::checked_network(fixture.table))) {
    const auto bytes = std::as_bytes(std::span(fixture.values.at(payloads.size())));
    TensorInfo info{.name = tensor.name, .quantization = {}, .shape = tensor.shape, .bytes = bytes.size()};
    payloads.push_back({std::move(info), {bytes.begin(), bytes.end()}});
  }
  return payloads;
}

std::unique_ptr<vision::ImageNetwork> float_network(const Kernels& kernels, const ResNetFixture& fixture) {
  return make_network(kernels, fixture.table, payloads_of(fixture));
}

std::unique_ptr<vision::ImageNetwork> network_fixture(const Kernels& kernels, const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path), {.format = Format::tinyruntime});
  if (!file || !file->description.layers) {
    ADD_FAILURE() << path << " is not read as a network";
    return nullptr;
  }
  std::vector<TensorPayload> tensors;
  for (const TensorInfo& info : file->description.tensors) tensors.push_back({info, file->data.at(info.name)});
  return make_network(kernels, *file->description.layers, tensors);
}

std::string StageObserver::stage_of(vision::NodeId id) const {
  using vision::Op;
  const vision::Node& node = graph_.nodes[id];
  const bool has_pool = graph_.nodes[2].op == Op::max_pool, is_last_linear = id == graph_.nodes.size() - 1;
  if (id == (has_pool ? 2 : 1)) return "stem";
  switch (node.op) {
    case Op::image:
      return "input";
    case Op::maximum:
    case Op::mean:
      return "pooled";
    case Op::concat:
      return "concat";
    case Op::batch_norm:
      return id == graph_.features ? "fc1_in" : "fc0_in";
    case Op::conv:
      if (node.other != vision::kNoNode) return "block";
      if (graph_.nodes[node.input].op == Op::batch_norm) return is_last_linear ? "fc1_out" : "fc0_out";
      return is_last_linear ? "fc0_out" : "";
    default:
      return "";
  }
}

void StageObserver::see_floats(vision::NodeId node, const vision::FeatureMap<float>& map) {
  const std::string stage = stage_of(node);
  if (stage == "stem" || stage == "block") see_float_stage(stage, vision::planes_of<float>(map, std::identity()));
}

void StageObserver::see_integers(vision::NodeId node, const vision::FeatureMap<int16_t>& map,
                                 const ActivationQuantization& quantization) {
  const std::string stage = stage_of(node);
  if (stage.empty()) return;
  const auto byte = [&](int16_t q) { return static_cast<uint8_t>(q + quantization.zero_point); };
  std::vector<uint8_t> values = vision::planes_of<uint8_t>(map, byte);
  if (graph_.nodes[node].op == vision::Op::maximum) {
    maxima_ = std::move(values);
    return;
  }
  if (stage == "pooled") values.insert(values.begin(), maxima_.begin(), maxima_.end());
  see_byte_stage(stage, quantization, values);
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
