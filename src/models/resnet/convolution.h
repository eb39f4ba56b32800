#pragma once
// A convolution over a feature map, as matrix products of patches and weights.

#include <span>

#include "formats/layer_table.h"
#include "models/linear.h"
#include "models/resnet/feature_map.h"

namespace quintet::resnet {

class Convolution {
 public:
  // weight [out][in][kernel][kernel], bias [out] or empty; sizes that differ from the layer's are errors of the caller.
  static Result<Convolution> make(const ConvLayer& layer, std::span<const float> weight, std::span<const float> bias);

  // `patches` is scratch memory: a block of rows of the im2col matrix, never the matrix of a whole image.
  Result<FeatureMap> apply(const Kernels& kernels, const FeatureMap& x, AlignedBuffer<float>& patches) const;

 private:
  size_t patch_size() const { return size_t{layer_.kernel} * layer_.kernel * layer_.in_channels; }
  // The patches under positions [first, first + count) of a result that is `width` wide: [count][kernel][kernel][in].
  void gather(const FeatureMap& x, size_t width, size_t first, size_t count, float* patches) const;

  ConvLayer layer_;
  Linear linear_;  // weights as [out][kernel][kernel][in], in the order of the patches
};

// A row-major matrix W [out][in] with its bias, packed.
Result<Linear> make_linear(const LinearLayer& layer, std::span<const float> weight, std::span<const float> bias);

}  // namespace quintet::resnet
