#include "models/resnet/float_network.h"

#include <cmath>
#include <string>

#include "base/checked.h"
#include "formats/resnet_check.h"
#include "kernels/registry.h"
#include "models/resnet/pooling.h"

namespace quintet::resnet {
namespace {

constexpr double kBatchNormEpsilon = 1e-5;  // RULINGS "tinyRuntime" 3

// [channels][height][width] as the network reads it.
Result<FeatureMap> feature_map(std::span<const float> image, size_t channels, size_t height, size_t width) {
  QUINTET_TRY(FeatureMap map, FeatureMap::make(height, width, channels));
  for (size_t c = 0; c < channels; ++c) {
    const float* plane = image.data() + c * map.positions();
    for (size_t p = 0; p < map.positions(); ++p) map.values[p * channels + c] = plane[p];
  }
  return map;
}

}  // namespace

Result<FloatNetwork::BatchNorm> FloatNetwork::make_batch_norm(uint32_t channels,
                                                              const FloatWeights::BatchNorm& weights) {
  for (const std::span<const float> part : {weights.gamma, weights.beta, weights.mean, weights.variance}) {
    if (part.size() != channels) {
      return input_error(Reason::mismatch, "a batch norm of " + std::to_string(channels) + " channels is given " +
                                               std::to_string(part.size()) + " values");
    }
  }
  BatchNorm norm;
  for (size_t c = 0; c < channels; ++c) {
    const double factor = weights.gamma[c] / std::sqrt(weights.variance[c] + kBatchNormEpsilon);
    norm.factor.push_back(static_cast<float>(factor));
    norm.offset.push_back(static_cast<float>(weights.beta[c] - weights.mean[c] * factor));
  }
  return norm;
}

Result<FloatNetwork> FloatNetwork::make(const LayerTable& table, const FloatWeights& weights) {
  FloatNetwork network;
  QUINTET_TRY(network.graph_, checked_resnet(table));
  if (weights.convs.size() != table.convs.size() || weights.linears.size() != table.linears.size() ||
      weights.batch_norms.size() != table.batch_norms.size()) {
    return input_error(Reason::mismatch, "there are not as many weights as layers");
  }
  network.input_channels_ = table.convs[0].in_channels;
  for (size_t i = 0; i < table.convs.size(); ++i) {
    QUINTET_TRY(Convolution conv, Convolution::make(table.convs[i], weights.convs[i].weight, weights.convs[i].bias));
    network.convs_.push_back(std::move(conv));
  }
  for (size_t i = 0; i < table.linears.size(); ++i) {
    QUINTET_TRY(Linear linear, make_linear(table.linears[i], weights.linears[i].weight, weights.linears[i].bias));
    network.linears_.push_back(std::move(linear));
  }
  for (size_t i = 0; i < table.batch_norms.size(); ++i) {
    QUINTET_TRY(BatchNorm norm, make_batch_norm(table.batch_norms[i], weights.batch_norms[i]));
    network.batch_norms_.push_back(std::move(norm));
  }
  return network;
}

// One image on its way through the network.
class FloatNetwork::Pass {
 public:
  Pass(const FloatNetwork& network, ActivationObserver* observer) : network_(network), observer_(observer) {}

  Result<FeatureMap> stem(const FeatureMap& image) {
    see(ActivationSite::Kind::entry, 0, image.values.span());
    QUINTET_TRY(FeatureMap x, convolved(0, image, true));
    if (network_.graph_.cifar) return x;
    return max_pool(x);
  }

  // ReLU behind every convolution but the last, whose result meets the shortcut first.
  Result<FeatureMap> block(const ResNetBlock& block, const FeatureMap& x) {
    QUINTET_TRY(FeatureMap y, convolved(block.first_conv, x, true));
    for (uint32_t conv = block.first_conv + 1; conv <= block.last_conv(); ++conv) {
      QUINTET_TRY(y, convolved(conv, y, conv != block.last_conv()));
    }
    if (block.downsample) {
      QUINTET_TRY(const FeatureMap shortcut, convolved(block.downsample_conv(), x, false));
      add(shortcut, y);
    } else if (block.stride != 1) {
      QUINTET_TRY(const FeatureMap shortcut, subsampled(x, y.channels));
      add(shortcut, y);
    } else {
      add(x, y);
    }
    relu(y.values.span());
    see(ActivationSite::Kind::entry, block.sum_activation, y.values.span());
    return y;
  }

  std::vector<float> tail(const FeatureMap& x) {
    // The averages share their entry of the table with the last block's sum, whose range holds them.
    if (network_.graph_.tail == ResNetTail::plain) return linear(0, global_average(x), false);

    std::vector<float> features = global_max(x);
    const std::vector<float> averages = global_average(x);
    features.insert(features.end(), averages.begin(), averages.end());
    see(ActivationSite::Kind::entry, network_.graph_.concatenation_activation(), features);
    const std::vector<float> hidden = linear(0, normalized(0, features), true);
    return linear(1, normalized(1, hidden), false);
  }

 private:
  void see(ActivationSite::Kind kind, uint32_t index, std::span<const float> values) {
    if (observer_ != nullptr) observer_->observe({kind, index}, values);
  }

  Result<FeatureMap> convolved(uint32_t conv, const FeatureMap& x, bool rectified) {
    QUINTET_TRY(FeatureMap y, network_.convs_[conv].apply(active_kernels<KernelSet::encoder>(), x, patches_));
    if (rectified) relu(y.values.span());
    see(ActivationSite::Kind::conv, conv, y.values.span());
    return y;
  }

  static void add(const FeatureMap& shortcut, FeatureMap& y) {
    for (size_t i = 0; i < y.values.size(); ++i) y.values[i] += shortcut.values[i];
  }

  std::vector<float> normalized(uint32_t norm, const std::vector<float>& x) {
    const BatchNorm& n = network_.batch_norms_[norm];
    std::vector<float> y(x.size());
    for (size_t c = 0; c < x.size(); ++c) y[c] = x[c] * n.factor[c] + n.offset[c];
    see(ActivationSite::Kind::entry, network_.graph_.linear_activation(norm), y);
    return y;
  }

  std::vector<float> linear(uint32_t index, const std::vector<float>& x, bool rectified) {
    const Linear& layer = network_.linears_[index];
    const PackedMatrix& w = layer.weight;
    std::vector<float> y(w.rows());
    const Epilogue epilogue{.bias = layer.bias.size() == 0 ? nullptr : layer.bias.data()};
    const GemmTile all = {.row_begin = 0, .row_end = 1, .panel_begin = 0, .panel_end = w.panels()};
    active_kernels<KernelSet::encoder>().gemm_f32(x.data(), x.size(), w, y.data(), y.size(), epilogue, all);
    if (rectified) relu(y);
    see(ActivationSite::Kind::linear, index, y);
    return y;
  }

  const FloatNetwork& network_;
  ActivationObserver* observer_;
  AlignedBuffer<float> patches_;
};

Result<std::vector<float>> FloatNetwork::logits(std::span<const float> image, size_t height, size_t width,
                                                ActivationObserver* observer) const {
  const std::optional<uint64_t> pixels = checked_mul(height, width);
  const std::optional<uint64_t> values = checked_mul(pixels.value_or(UINT64_MAX), input_channels_);
  if (image.empty() || values != image.size()) {
    return input_error(Reason::mismatch, "an image of " + std::to_string(input_channels_) + " x " +
                                             std::to_string(height) + " x " + std::to_string(width) + " has not " +
                                             std::to_string(image.size()) + " values");
  }
  QUINTET_TRY(const FeatureMap input, feature_map(image, input_channels_, height, width));
  Pass pass(*this, observer);
  QUINTET_TRY(FeatureMap x, pass.stem(input));
  for (const ResNetBlock& block : graph_.blocks) {
    QUINTET_TRY(x, pass.block(block, x));
  }
  return pass.tail(x);
}

}  // namespace quintet::resnet
