#include "models/decoder/weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quintet::decoder {
namespace {

bool has_finite_scales(const Module& module) {
  const auto* blocks = std::get_if<BlockMatrix>(&module.matrix);
  return blocks == nullptr || blocks->is_finite();
}

}  // namespace

size_t Weights::bytes() const {
  size_t bytes = shared.bytes();
  for (const Layer& layer : layers) {
    layer.for_each_module([&bytes](const Module& module) { bytes += module.bytes(); });
  }
  return bytes;
}

void Weights::prepare_mamba(const DecoderConfig& config) {
  const auto of_part = static_cast<size_t>(config.mamba_groups * config.mamba_state);
  for (size_t index = 0; index < layers.size(); ++index) {
    if (!contains(config.mamba_layers, index)) continue;
    Layer& layer = layers[index];
    if (config.has_log_mamba_rates) {
      for (float& rate : layer[TensorKind::mamba_rates].vector.span()) rate = -std::exp(rate);
    }
    std::span<float> kernels = layer[TensorKind::mamba_convolution].vector.span();
    const auto scale = [&](uint64_t channels, double factor) {
      const std::span<float> some = kernels.first(static_cast<size_t>(channels * config.mamba_kernel));
      for (float& weight : some) weight *= static_cast<float>(factor);
      kernels = kernels.subspan(some.size());
    };
    scale(config.mamba_inner, config.mamba_x_scale);
    scale(of_part, config.mamba_b_scale);
    scale(of_part, config.mamba_c_scale);
  }
}

void Weights::prepare_delta_nets() {
  for (Layer& layer : layers) {
    if (!layer.has(TensorKind::delta_rates)) continue;
    for (float& rate : layer[TensorKind::delta_rates].vector.span()) rate = -std::exp(rate);
  }
}

void Weights::set_xielu(const std::vector<Xielu>& of_config) {
  xielu = of_config;
  if (!xielu.empty()) return;
  for (const Layer& layer : layers) {
    const auto value = [&layer](TensorKind kind, double otherwise) {
      return layer.has(kind) ? static_cast<double>(layer[kind].vector.data()[0]) : otherwise;
    };
    Xielu& parameters = xielu.emplace_back();
    parameters = {.positive = value(TensorKind::xielu_positive, 0),
                  .negative = value(TensorKind::xielu_negative, 0),
                  .beta = value(TensorKind::xielu_beta, parameters.beta),
                  .eps = value(TensorKind::xielu_eps, parameters.eps)};
  }
}

Status Weights::choose_rope_factors(const LongRope& rope) {
  AlignedBuffer<float>& factors = shared[TensorKind::rope_freq_factors].vector;
  const std::vector<double>& of_config = rope.is_long ? rope.long_factors : rope.short_factors;
  if (of_config.empty()) {
    const TensorKind of_file = rope.is_long ? TensorKind::rope_long_factors : TensorKind::rope_short_factors;
    factors = std::move(shared[of_file].vector);
    return {};
  }
  QUINTET_CHECK(factors.resize_uninitialized(of_config.size()));
  std::ranges::transform(of_config, factors.data(), [](double factor) { return static_cast<float>(factor); });
  return {};
}

bool Weights::have_finite_scales() const {
  bool are_finite = true;
  const auto check = [&are_finite](const Module& module) { are_finite = are_finite && has_finite_scales(module); };
  shared.for_each_module(check);
  for (const Layer& layer : layers) layer.for_each_module(check);
  return are_finite;
}

}  // namespace quintet::decoder
