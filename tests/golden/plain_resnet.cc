#include "tests/golden/plain_resnet.h"

#include <algorithm>
#include <cmath>

#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/network.h"

namespace quintet::test {
namespace {

template <class T>
struct Planes {
  size_t channels = 0, height = 0, width = 0;
  std::vector<T> values;

  Planes(size_t c, size_t h, size_t w) : channels(c), height(h), width(w), values(c * h * w) {}
  T& at(size_t c, size_t y, size_t x) { return values[(c * height + y) * width + x]; }
  T at(size_t c, size_t y, size_t x) const { return values[(c * height + y) * width + x]; }
  T padded(size_t c, ptrdiff_t y, ptrdiff_t x, T padding) const {
    const bool inside = y >= 0 && x >= 0 && y < ptrdiff_t(height) && x < ptrdiff_t(width);
    return inside ? at(c, size_t(y), size_t(x)) : padding;
  }
};

// The sums of a convolution: product(value, index of the weight).
template <class Sum, class T, class Product>
Planes<Sum> convolved(const ConvLayer& layer, const Planes<T>& x, T padding, Product product) {
  const size_t k = layer.kernel, p = layer.padding, s = layer.stride;
  Planes<Sum> y(layer.out_channels, (x.height + 2 * p - k) / s + 1, (x.width + 2 * p - k) / s + 1);
  for (size_t out = 0; out < y.channels; ++out) {
    for (size_t row = 0; row < y.height; ++row) {
      for (size_t column = 0; column < y.width; ++column) {
        for (size_t in = 0; in < x.channels; ++in) {
          for (size_t tap = 0; tap < k * k; ++tap) {
            const T value = x.padded(in, ptrdiff_t(row * s + tap / k) - ptrdiff_t(p),
                                     ptrdiff_t(column * s + tap % k) - ptrdiff_t(p), padding);
            y.at(out, row, column) += product(value, (out * x.channels + in) * k * k + tap);
          }
        }
      }
    }
  }
  return y;
}

template <class T>
Planes<T> max_pooled(const Planes<T>& x, T min) {
  Planes<T> y(x.channels, (x.height + 1) / 2, (x.width + 1) / 2);
  for (size_t c = 0; c < y.channels; ++c) {
    for (size_t row = 0; row < y.height; ++row) {
      for (size_t column = 0; column < y.width; ++column) {
        T max = min;
        for (ptrdiff_t i = 0; i < 9; ++i) {
          max = std::max(max, x.padded(c, ptrdiff_t(2 * row) + i / 3 - 1, ptrdiff_t(2 * column) + i % 3 - 1, min));
        }
        y.at(c, row, column) = max;
      }
    }
  }
  return y;
}

template <class T>
Planes<T> every_second(const Planes<T>& x, size_t channels, T added) {
  Planes<T> y(channels, (x.height + 1) / 2, (x.width + 1) / 2);
  std::ranges::fill(y.values, added);
  const size_t before = (channels - x.channels) / 2;
  for (size_t c = 0; c < x.channels; ++c) {
    for (size_t row = 0; row < y.height; ++row) {
      for (size_t column = 0; column < y.width; ++column) y.at(before + c, row, column) = x.at(c, 2 * row, 2 * column);
    }
  }
  return y;
}

ConvLayer pixel_layer(const LinearLayer& linear) {
  return {1, 1, 0, linear.in_features, linear.out_features, linear.bias, linear.output};
}

class FloatModel {
 public:
  FloatModel(const LayerTable& table, const FloatWeights& weights) : table_(table), weights_(weights) {}

  Planes<double> layer(const ConvLayer& layer, const FloatWeights::Layer& weights, const Planes<double>& x) const {
    auto y = convolved<double>(layer, x, 0.0, [&](double value, size_t i) { return value * weights.weight[i]; });
    for (size_t i = 0; i < y.values.size() && layer.bias; ++i) y.values[i] += weights.bias[i / (y.height * y.width)];
    return y;
  }
  Planes<double> conv(size_t i, const Planes<double>& x) const { return layer(table_.convs[i], weights_.convs[i], x); }

  static void rectify(Planes<double>& x) {
    for (double& value : x.values) value = std::max(value, 0.0);
  }

  Planes<double> block(const tinyruntime::Block& block, const Planes<double>& x) const {
    Planes<double> y = x;
    for (uint32_t i = block.first_conv; i <= block.last_conv(); ++i) {
      y = conv(i, y);
      if (i != block.last_conv()) rectify(y);
    }
    const Planes<double> shortcut = block.downsample    ? conv(block.downsample_conv(), x)
                                    : block.stride != 1 ? every_second(x, y.channels, 0.0)
                                                        : x;
    for (size_t i = 0; i < y.values.size(); ++i) y.values[i] += shortcut.values[i];
    rectify(y);
    return y;
  }

  Planes<double> normalized(size_t i, const Planes<double>& x) const {
    const auto& norm = weights_.batch_norms[i];
    Planes<double> y = x;
    for (size_t c = 0; c < x.channels; ++c) {
      y.values[c] = (x.values[c] - norm.mean[c]) / std::sqrt(norm.variance[c] + 1e-5) * norm.gamma[c] + norm.beta[c];
    }
    return y;
  }
  Planes<double> linear(size_t i, const Planes<double>& x) const {
    return layer(pixel_layer(table_.linears[i]), weights_.linears[i], x);
  }

 private:
  const LayerTable& table_;
  const FloatWeights& weights_;
};

// Maxima, then averages; or averages alone.
Planes<double> pooled(const Planes<double>& x, bool maxima) {
  const size_t count = x.height * x.width;
  Planes<double> y((maxima ? 2 : 1) * x.channels, 1, 1);
  for (size_t c = 0; c < x.channels; ++c) {
    const auto plane = std::span(x.values).subspan(c * count, count);
    double sum = 0;
    for (const double value : plane) sum += value;
    if (maxima) y.values[c] = *std::ranges::max_element(plane);
    y.values[y.channels - x.channels + c] = sum / double(count);
  }
  return y;
}

uint8_t quantized(float steps, int32_t zero_point, int32_t min = 0) {
  return static_cast<uint8_t>(std::clamp(std::round(double(steps)) + zero_point, double(min), 255.0));
}

class StaticModel {
 public:
  StaticModel(const PlainStaticNetwork& network, const tinyruntime::Network& graph)
      : network_(network), inputs_(layer_inputs(network.table, graph)) {}

  Planes<uint8_t> layer(const ConvLayer& layer, size_t i, const Planes<uint8_t>& x, bool relu) const {
    const PlainStaticLayer& own = network_.layers[i];
    const auto zero = static_cast<uint8_t>(inputs_[i].zero_point);
    const auto sums = convolved<int64_t>(layer, x, zero, [&](uint8_t value, size_t w) {
      return int64_t{value - zero} * (own.weight[w] - own.zero_point);
    });
    const float multiplier = own.scale * inputs_[i].scale / layer.output.scale;
    const int32_t zero_out = layer.output.zero_point;
    Planes<uint8_t> y(sums.channels, sums.height, sums.width);
    for (size_t at = 0; at < y.values.size(); ++at) {
      const int64_t sum = sums.values[at] + (layer.bias ? own.bias[at / (y.height * y.width)] : 0);
      y.values[at] = quantized(multiplier * static_cast<float>(sum), zero_out, relu ? zero_out : 0);
    }
    return y;
  }
  Planes<uint8_t> conv(size_t i, const Planes<uint8_t>& x, bool relu) const {
    return layer(network_.table.convs[i], i, x, relu);
  }

  Planes<uint8_t> block(const tinyruntime::Block& block, const Planes<uint8_t>& x) const {
    Planes<uint8_t> y = x;
    for (uint32_t i = block.first_conv; i <= block.last_conv(); ++i) y = conv(i, y, i != block.last_conv());
    const ActivationQuantization& in = inputs_[block.first_conv];
    const auto zero = static_cast<uint8_t>(in.zero_point);
    const Planes<uint8_t> shortcut = block.downsample    ? conv(block.downsample_conv(), x, false)
                                     : block.stride != 1 ? every_second(x, y.channels, zero)
                                                         : x;
    const ActivationQuantization& own = network_.table.convs[block.last_conv()].output;
    const ActivationQuantization& other = block.downsample ? network_.table.convs[block.downsample_conv()].output : in;
    const ActivationQuantization& sum = network_.table.activations[block.sum_activation];
    for (size_t i = 0; i < y.values.size(); ++i) {
      const float a = own.scale * static_cast<float>(y.values[i] - own.zero_point);
      const float b = other.scale * static_cast<float>(shortcut.values[i] - other.zero_point);
      y.values[i] = quantized((a + b) / sum.scale, sum.zero_point, sum.zero_point);
    }
    return y;
  }

 private:
  const PlainStaticNetwork& network_;
  std::vector<ActivationQuantization> inputs_;
};

std::vector<float> floats(std::span<const uint8_t> values, const ActivationQuantization& quantization) {
  std::vector<float> result;
  for (const uint8_t q : values) result.push_back(quantization.scale * static_cast<float>(q - quantization.zero_point));
  return result;
}

Planes<uint8_t> bytes(std::span<const float> values, const ActivationQuantization& quantization) {
  Planes<uint8_t> result(values.size(), 1, 1);
  for (size_t i = 0; i < values.size(); ++i) {
    result.values[i] = quantized(values[i] / quantization.scale, quantization.zero_point);
  }
  return result;
}

// As above, from activations.
std::vector<float> pooled(const Planes<uint8_t>& x, const ActivationQuantization& quantization, bool maxima) {
  const size_t count = x.height * x.width;
  std::vector<float> max, means;
  for (size_t c = 0; c < x.channels; ++c) {
    const std::vector<float> plane = floats(std::span(x.values).subspan(c * count, count), quantization);
    float sum = 0;
    for (const float value : plane) sum += value;
    max.push_back(*std::ranges::max_element(plane));
    means.push_back(sum / static_cast<float>(count));
  }
  if (!maxima) return means;
  max.insert(max.end(), means.begin(), means.end());
  return max;
}

std::vector<float> normalized(const std::array<std::vector<float>, 4>& norm, std::vector<float> x) {
  const auto& [gamma, beta, mean, variance] = norm;
  for (size_t c = 0; c < x.size(); ++c) {
    const float centred = x[c] - mean[c], spread = variance[c] + 1e-5F;
    x[c] = static_cast<float>(centred / std::sqrt(double{spread}) * gamma[c] + beta[c]);
  }
  return x;
}

}  // namespace

std::vector<double> plain_logits(const LayerTable& table, const FloatWeights& weights, std::span<const float> image,
                                 size_t height, size_t width) {
  const tinyruntime::Network graph = tinyruntime::checked_network(table).value();
  const FloatModel model(table, weights);
  Planes<double> x(3, height, width);
  std::ranges::copy(image, x.values.begin());
  x = model.conv(0, x);
  FloatModel::rectify(x);
  if (!graph.cifar) x = max_pooled(x, 0.0);
  for (const tinyruntime::Block& block : graph.blocks) x = model.block(block, x);
  if (graph.tail == tinyruntime::Tail::plain) return model.linear(0, pooled(x, false)).values;
  x = model.linear(0, model.normalized(0, pooled(x, true)));
  FloatModel::rectify(x);
  return model.linear(1, model.normalized(1, x)).values;
}

std::vector<PlainStage> plain_stages(const PlainStaticNetwork& network, std::span<const float> image, size_t height,
                                     size_t width) {
  const LayerTable& table = network.table;
  const tinyruntime::Network graph = tinyruntime::checked_network(table).value();
  const StaticModel model(network, graph);
  std::vector<PlainStage> stages;
  const auto keep = [&](const char* name, const Planes<uint8_t>& x) { stages.push_back({name, x.values}); };

  Planes<uint8_t> x(3, height, width);
  x.values = bytes(image, table.activations[0]).values;
  keep("input", x);
  x = model.conv(0, x, true);
  if (!graph.cifar) x = max_pooled(x, static_cast<uint8_t>(table.convs[0].output.zero_point));
  keep("stem", x);
  for (const tinyruntime::Block& block : graph.blocks) keep("block", x = model.block(block, x));

  const uint32_t entry = graph.blocks.back().sum_activation;
  const auto at = [&](uint32_t ahead) { return table.activations[entry + ahead]; };
  const bool concat = graph.tail == tinyruntime::Tail::concat;
  const size_t convs = table.convs.size();
  keep("pooled", x = bytes(pooled(x, at(0), concat), at(0)));
  if (!concat) {
    keep("fc0_out", model.layer(pixel_layer(table.linears[0]), convs, x, false));
    return stages;
  }
  keep("concat", x = bytes(floats(x.values, at(0)), at(3)));
  keep("fc0_in", x = bytes(normalized(network.norms[0], floats(x.values, at(3))), at(6)));
  keep("fc0_out", x = model.layer(pixel_layer(table.linears[0]), convs, x, true));
  const std::vector<float> hidden = floats(x.values, table.linears[0].output);
  keep("fc1_in", x = bytes(normalized(network.norms[1], hidden), at(9)));
  keep("fc1_out", model.layer(pixel_layer(table.linears[1]), convs + 1, x, false));
  return stages;
}

}  // namespace quintet::test
