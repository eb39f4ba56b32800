#include "models/resnet/convolution.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/checked.h"

namespace quintet::resnet {
namespace {

// 1 MB: the patches of a block stay in the cache between gathering and multiplying, and large weights are read for many
// rows at once.
constexpr size_t kPatchFloats = 1 << 18;

Status check_sizes(uint64_t weights, uint64_t biases, std::span<const float> weight, std::span<const float> bias) {
  if (weight.size() == weights && bias.size() == biases) return {};
  return input_error(Reason::mismatch, "a layer of " + std::to_string(weights) + " weights and " +
                                           std::to_string(biases) + " biases is given " +
                                           std::to_string(weight.size()) + " and " + std::to_string(bias.size()));
}

Status set_bias(std::span<const float> bias, AlignedBuffer<float>& own) {
  QUINTET_CHECK(own.resize(bias.size()));
  std::ranges::copy(bias, own.data());
  return {};
}

Status append_row(std::span<const float> row, PackedMatrix& matrix) {
  return matrix.append_rows(std::as_bytes(row).data(), 1);
}

// Of outputs along one axis; nothing where the kernel is larger than the padded input.
std::optional<size_t> output_length(size_t length, const ConvLayer& layer) {
  const size_t padded = length + 2 * size_t{layer.padding};
  if (padded < layer.kernel) return std::nullopt;
  return (padded - layer.kernel) / layer.stride + 1;
}

}  // namespace

Result<Convolution> Convolution::make(const ConvLayer& layer, std::span<const float> weight,
                                      std::span<const float> bias) {
  Convolution result;
  result.layer_ = layer;
  const size_t taps = size_t{layer.kernel} * layer.kernel;
  const size_t in = layer.in_channels;
  const size_t patch = taps * in;
  const std::optional<uint64_t> weights = checked_mul(patch, layer.out_channels);
  QUINTET_CHECK(check_sizes(weights.value_or(UINT64_MAX), layer.bias ? layer.out_channels : 0, weight, bias));

  result.linear_.weight = PackedMatrix(Storage::f32, layer.out_channels, patch);
  QUINTET_CHECK(result.linear_.weight.reserve());
  std::vector<float> row(patch);
  for (size_t out = 0; out < layer.out_channels; ++out) {
    for (size_t c = 0; c < in; ++c) {
      for (size_t tap = 0; tap < taps; ++tap) row[tap * in + c] = weight[out * patch + c * taps + tap];
    }
    QUINTET_CHECK(append_row(row, result.linear_.weight));
  }
  QUINTET_CHECK(set_bias(bias, result.linear_.bias));
  return result;
}

Result<FeatureMap> Convolution::apply(const Kernels& kernels, const FeatureMap& x,
                                      AlignedBuffer<float>& patches) const {
  const std::optional<size_t> height = output_length(x.height, layer_);
  const std::optional<size_t> width = output_length(x.width, layer_);
  if (!height || !width) {
    return input_error(Reason::out_of_range, "the input is too small: a convolution of " +
                                                 std::to_string(layer_.kernel) + " x " + std::to_string(layer_.kernel) +
                                                 " meets " + std::to_string(x.height) + " x " +
                                                 std::to_string(x.width) + " values");
  }
  QUINTET_TRY(FeatureMap y, FeatureMap::make(*height, *width, layer_.out_channels));
  const PackedMatrix& w = linear_.weight;
  const Epilogue epilogue{.bias = linear_.bias.size() == 0 ? nullptr : linear_.bias.data()};
  const auto multiply = [&](const float* rows, size_t first, size_t count) {
    const GemmTile all = {.row_begin = 0, .row_end = count, .panel_begin = 0, .panel_end = w.panels()};
    kernels.gemm_f32(rows, patch_size(), w, y.values.data() + first * y.channels, y.channels, epilogue, all);
  };

  if (layer_.kernel == 1 && layer_.stride == 1 && layer_.padding == 0) {  // the patches are the input itself
    multiply(x.values.data(), 0, y.positions());
    return y;
  }
  const size_t block = std::max<size_t>(kPatchFloats / patch_size(), 1);
  QUINTET_CHECK(patches.resize_uninitialized(uint64_t{std::min(block, y.positions())} * patch_size()));
  for (size_t first = 0; first < y.positions(); first += block) {
    const size_t count = std::min(block, y.positions() - first);
    gather(x, y.width, first, count, patches.data());
    multiply(patches.data(), first, count);
  }
  return y;
}

void Convolution::gather(const FeatureMap& x, size_t width, size_t first, size_t count, float* patches) const {
  const size_t kernel = layer_.kernel;
  const size_t padding = layer_.padding;
  const size_t row = kernel * x.channels;  // of a patch
  for (size_t position = first; position < first + count; ++position) {
    // Of the padded input: its upper left pixel is (padding, padding).
    const size_t top = position / width * layer_.stride;
    const size_t left = position % width * layer_.stride;
    // Columns [begin, end) of the patch lie inside the input; they are one run of memory.
    const size_t begin = std::min(padding - std::min(padding, left), kernel);
    const size_t end = std::clamp(x.width + padding - std::min(x.width + padding, left), begin, kernel);
    for (size_t ky = 0; ky < kernel; ++ky, patches += row) {
      const size_t y = top + ky;
      if (y < padding || y >= x.height + padding || begin == end) {
        std::fill_n(patches, row, 0.0F);
        continue;
      }
      std::fill_n(patches, begin * x.channels, 0.0F);
      std::memcpy(patches + begin * x.channels, x.at(y - padding, left + begin - padding),
                  (end - begin) * x.channels * sizeof(float));
      std::fill_n(patches + end * x.channels, (kernel - end) * x.channels, 0.0F);
    }
  }
}

Result<Linear> make_linear(const LinearLayer& layer, std::span<const float> weight, std::span<const float> bias) {
  QUINTET_CHECK(
      check_sizes(uint64_t{layer.in_features} * layer.out_features, layer.bias ? layer.out_features : 0, weight, bias));
  Linear linear;
  linear.weight = PackedMatrix(Storage::f32, layer.out_features, layer.in_features);
  QUINTET_CHECK(linear.weight.reserve());
  QUINTET_CHECK(linear.weight.append_rows(std::as_bytes(weight).data(), layer.out_features));
  QUINTET_CHECK(set_bias(bias, linear.bias));
  return linear;
}

}  // namespace quintet::resnet
