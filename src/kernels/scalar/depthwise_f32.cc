#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {

void depthwise_f32(const DepthwiseF32Operands& in, const FloatEpilogue& epilogue, size_t begin, size_t end) {
  const size_t channels = in.grid.channels;
  for (size_t i = begin * in.grid.width; i < end * in.grid.width; ++i) {
    const size_t y = i / in.grid.width, x = i % in.grid.width;
    const float* const window = in.input + y * in.stride * in.row_stride + x * in.stride * channels;
    for (size_t c = 0; c < channels; ++c) {
      float sum = 0;
      for (size_t tap = 0; tap < in.kernel * in.kernel; ++tap) {
        sum += window[tap / in.kernel * in.row_stride + tap % in.kernel * channels + c] * in.weight[tap * channels + c];
      }
      const size_t offset = in.grid.offset(i) + c;
      in.output[offset] = finish(sum, epilogue, offset, c);
    }
  }
}

}  // namespace quintet::scalar
