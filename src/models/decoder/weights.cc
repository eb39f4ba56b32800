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

const Module& Layer::operator[](Part part) const {
  static const Module kNone;
  const std::unique_ptr<Module>& module = modules_[static_cast<size_t>(part)];
  return module ? *module : kNone;
}

Module& Layer::operator[](Part part) {
  std::unique_ptr<Module>& module = modules_[static_cast<size_t>(part)];
  if (!module) module = std::make_unique<Module>();
  return *module;
}

size_t Weights::bytes() const {
  size_t bytes = embeddings.bytes() + position_embeddings.bytes() + final_norm.bytes() + output.bytes() +
                 rope_freq_factors.capacity() * sizeof(float);
  bytes += layer_embeddings.bytes() + layer_embeddings_projection.bytes() + layer_embeddings_norm.bytes();
  for (const Layer& layer : layers) {
    layer.for_each_module([&bytes](const Module& module) { bytes += module.bytes(); });
  }
  return bytes;
}

void Weights::add_to_norms(float offset) {
  const auto add = [offset](Module& module) {
    for (float& weight : module.vector.span()) weight += offset;
  };
  add(final_norm);
  for (Layer& layer : layers) {
    for (const Part norm : {Part::input_norm, Part::mlp_norm, Part::post_attention_norm, Part::post_mlp_norm,
                            Part::query_norm, Part::key_norm}) {
      if (layer.has(norm)) add(layer[norm]);
    }
  }
}

void Weights::prepare_mamba(const DecoderConfig& config) {
  const auto of_part = static_cast<size_t>(config.mamba_groups * config.mamba_state);
  for (size_t index = 0; index < layers.size(); ++index) {
    if (!contains(config.mamba_layers, index)) continue;
    Layer& layer = layers[index];
    if (config.has_log_mamba_rates) {
      for (float& rate : layer[Part::mamba_rates].vector.span()) rate = -std::exp(rate);
    }
    std::span<float> kernels = layer[Part::mamba_convolution].vector.span();
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
    if (!layer.has(Part::delta_rates)) continue;
    for (float& rate : layer[Part::delta_rates].vector.span()) rate = -std::exp(rate);
  }
}

void Weights::set_xielu(const std::vector<Xielu>& of_config) {
  xielu = of_config;
  if (!xielu.empty()) return;
  for (const Layer& layer : layers) {
    const auto value = [&layer](Part part, double otherwise) {
      return layer.has(part) ? static_cast<double>(layer[part].vector.data()[0]) : otherwise;
    };
    Xielu& parameters = xielu.emplace_back();
    parameters = {.positive = value(Part::xielu_positive, 0),
                  .negative = value(Part::xielu_negative, 0),
                  .beta = value(Part::xielu_beta, parameters.beta),
                  .eps = value(Part::xielu_eps, parameters.eps)};
  }
}

Status Weights::complete_norms() {
  const auto complete = [](Module& norm) {
    return norm.bias.size() == 0 ? norm.bias.resize(norm.vector.size()) : Status();
  };
  for (Layer& layer : layers) {
    for (const Part norm : {Part::input_norm, Part::mlp_norm}) {
      if (layer.has(norm)) QUINTET_CHECK(complete(layer[norm]));
    }
  }
  return complete(final_norm);
}

Status Weights::choose_rope_factors(const LongRope& rope) {
  AlignedBuffer<float>& of_file = rope.is_long ? rope_long_factors : rope_short_factors;
  const std::vector<double>& of_config = rope.is_long ? rope.long_factors : rope.short_factors;
  if (of_config.empty()) {
    rope_freq_factors = std::move(of_file);
    return {};
  }
  QUINTET_CHECK(rope_freq_factors.resize_uninitialized(of_config.size()));
  std::ranges::transform(of_config, rope_freq_factors.data(), [](double factor) { return static_cast<float>(factor); });
  return {};
}

bool Weights::have_finite_scales() const {
  bool are_finite = has_finite_scales(embeddings) && has_finite_scales(output) && has_finite_scales(layer_embeddings) &&
                    has_finite_scales(layer_embeddings_projection);
  for (const Layer& layer : layers) {
    layer.for_each_module(
        [&are_finite](const Module& module) { are_finite = are_finite && has_finite_scales(module); });
  }
  return are_finite;
}

}  // namespace quintet::decoder
