#include "tests/golden/random_resnet.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/network.h"
#include "formats/tinyruntime/tensors.h"
#include "tests/formats/resnet_tables.h"

namespace quintet::test {
namespace {

class Random {
 public:
  float between(float lower, float upper) { return std::uniform_real_distribution<float>(lower, upper)(engine_); }
  int32_t integer(int32_t lower, int32_t upper) {
    return std::uniform_int_distribution<int32_t>(lower, upper)(engine_);
  }

 private:
  std::mt19937 engine_{7};
};

template <class T>
std::vector<std::byte> bytes_of_values(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// Activations of about -3 to 3, which the bytes of every layer cover in its own way.
ActivationQuantization random_activation(Random& random) {
  return {.scale = random.between(0.02F, 0.03F), .zero_point = random.integer(0, 100)};
}

void add_tensor(std::vector<TensorPayload>& tensors, const tinyruntime::NetworkTensor& tensor,
                Quantization quantization, std::vector<std::byte> bytes) {
  TensorInfo info{.name = tensor.name, .quantization = quantization, .shape = tensor.shape, .bytes = bytes.size()};
  tensors.push_back({std::move(info), std::move(bytes)});
}

// The largest up to 64 that divides `length`.
uint64_t group_of(uint64_t length) {
  uint64_t group = std::min<uint64_t>(length, 64);
  while (length % group != 0) --group;
  return group;
}

// [float32 scales][int32 zero points, where asymmetric][int8 values]
std::vector<std::byte> random_groups(const tinyruntime::NetworkTensor& tensor, const Quantization& quantization,
                                     Random& random) {
  const uint64_t inputs = tensor.elements() / tensor.shape[0];
  const uint64_t groups = tensor.elements() / quantization.block;
  const float scale = std::sqrt(2 / static_cast<float>(inputs)) / 73;
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  std::vector<int8_t> values;
  for (uint64_t i = 0; i < groups; ++i) scales.push_back(random.between(scale / 2, scale));
  for (uint64_t i = 0; quantization.asymmetric && i < groups; ++i) zero_points.push_back(random.integer(-9, 9));
  for (uint64_t i = 0; i < tensor.elements(); ++i) values.push_back(static_cast<int8_t>(random.integer(-128, 127)));
  std::vector<std::byte> bytes = bytes_of_values(scales);
  std::ranges::copy(bytes_of_values(zero_points), std::back_inserter(bytes));
  std::ranges::copy(bytes_of_values(values), std::back_inserter(bytes));
  return bytes;
}

}  // namespace

ResNetFixture random_float_network(const Form& form) {
  ResNetFixture network;
  network.table = resnet_table(form.blocks, form.bottleneck, form.cifar, form.concat, form.width);
  const tinyruntime::Network graph = tinyruntime::checked_network(network.table).value();
  Random random;
  for (const tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(network.table, graph)) {
    const bool weight = tensor.part == tinyruntime::TensorPart::weight, variance = tensor.name.ends_with("running_var");
    const float inputs = static_cast<float>(tensor.elements() / tensor.shape[0]);
    const float max = weight ? std::sqrt(6 / inputs) : 1;
    std::vector<float> values(tensor.elements());
    for (float& value : values) value = random.between(variance ? 0.5F : -max, max);
    network.values.push_back(std::move(values));
  }
  network.weights = weights_of(network.table, network.values);
  return network;
}

StaticFixture random_static_network(const Form& form) {
  StaticFixture fixture;
  PlainStaticNetwork& plain = fixture.plain;
  Random random;
  plain.table = resnet_table(form.blocks, form.bottleneck, form.cifar, form.concat, form.width);
  LayerTable& table = plain.table;
  table.convs[1].bias = false;
  for (ConvLayer& conv : table.convs) conv.output = random_activation(random);
  for (LinearLayer& linear : table.linears) linear.output = random_activation(random);
  const tinyruntime::Network graph = tinyruntime::checked_network(table).value();
  for (uint32_t i = 0; i < graph.min_activations(); ++i) table.activations.push_back(random_activation(random));
  table.kind = NetworkKind::sq8;

  const std::vector<ActivationQuantization> inputs = layer_inputs(table, graph);
  plain.layers.resize(inputs.size());
  plain.norms.resize(table.batch_norms.size());
  for (const tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(table, graph)) {
    if (tensor.part == tinyruntime::TensorPart::batch_norm) {
      std::vector<float> values(tensor.elements());
      for (float& value : values) value = random.between(0.5F, 1.5F);
      auto& norm = plain.norms[tensor.layer - inputs.size()];
      *std::ranges::find_if(norm, [](const auto& array) { return array.empty(); }) = values;
      add_tensor(fixture.tensors, tensor, {}, bytes_of_values(values));
      continue;
    }
    PlainStaticLayer& layer = plain.layers[tensor.layer];
    if (tensor.part == tinyruntime::TensorPart::bias) {
      const float scale = layer.scale * inputs[tensor.layer].scale;
      for (uint64_t i = 0; i < tensor.elements(); ++i) {
        layer.bias.push_back(static_cast<int32_t>(std::lround(random.between(-0.5F, 0.5F) / scale)));
      }
      add_tensor(fixture.tensors, tensor, {.scheme = Scheme::tensor_int32, .scale = scale},
                 bytes_of_values(layer.bias));
      continue;
    }
    const auto inputs_of_output = static_cast<float>(tensor.elements() / tensor.shape[0]);
    layer.zero_point = form.weight_zero_point;
    const float largest = 73 + 20 * std::abs(static_cast<float>(layer.zero_point));
    layer.scale = std::sqrt(2 / inputs_of_output) / largest;
    for (uint64_t i = 0; i < tensor.elements(); ++i)
      layer.weight.push_back(static_cast<int8_t>(random.integer(-128, 127)));
    add_tensor(fixture.tensors, tensor,
               {.scheme = Scheme::tensor_int8, .scale = layer.scale, .zero_point = layer.zero_point},
               bytes_of_values(layer.weight));
  }
  return fixture;
}

DynamicFixture random_dynamic_network(const Form& form, bool asymmetric) {
  DynamicFixture fixture;
  Random random;
  fixture.table = resnet_table(form.blocks, form.bottleneck, form.cifar, form.concat, form.width);
  const tinyruntime::Network graph = tinyruntime::checked_network(fixture.table).value();
  fixture.table.kind = NetworkKind::dq8;
  for (const tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(fixture.table, graph)) {
    if (tensor.part == tinyruntime::TensorPart::weight) {
      const uint64_t inputs = tensor.elements() / tensor.shape[0];
      const Quantization quantization = {
          .scheme = Scheme::group_int8, .block = static_cast<uint32_t>(group_of(inputs)), .asymmetric = asymmetric};
      add_tensor(fixture.tensors, tensor, quantization, random_groups(tensor, quantization, random));
      continue;
    }
    std::vector<float> values(tensor.elements());
    for (float& value : values) value = random.between(0.1F, 1);
    add_tensor(fixture.tensors, tensor, {}, bytes_of_values(values));
  }
  return fixture;
}

}  // namespace quintet::test
