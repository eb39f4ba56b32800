#pragma once
// Stores the sums of convolutions: y = relu(sum + bias + residual).

#include <algorithm>

#include "kernels/convolution.h"
#include "kernels/generic/epilogue.h"

namespace quintet::generic {

// Eight channels of outputs, from `column` on.
class FloatFinish {
 public:
  FloatFinish(const FloatEpilogue& epilogue, float* output, size_t column, size_t channels)
      : output_(output + column), columns_(std::min(kPanelRows, channels - column)), relu_(epilogue.relu) {
    if (epilogue.bias != nullptr) bias_ = Eight::load(epilogue.bias + column, columns_);
    if (epilogue.residual != nullptr) residual_ = epilogue.residual + column;
  }

  bool is_whole() const { return columns_ == kPanelRows; }

  // `offset`: of the output's first channel in the map.
  void store(const Eight& sums, size_t offset) const { store(sums, offset, columns_); }
  // In less code, where the channels are eight.
  void store_whole(const Eight& sums, size_t offset) const { store(sums, offset, kPanelRows); }

 private:
  [[gnu::always_inline]] void store(Eight y, size_t offset, size_t columns) const {
    y.add(bias_);
    if (residual_ != nullptr) y.add(Eight::load(residual_ + offset, columns));
    if (relu_) {
      // Of NaN and 0 it takes the first.
      const v128_t zero = wasm_f32x4_splat(0);
      y = {wasm_f32x4_pmax(y.low, zero), wasm_f32x4_pmax(y.high, zero)};
    }
    y.store(output_ + offset, columns);
  }

  Eight bias_ = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  float* output_;
  const float* residual_ = nullptr;
  size_t columns_;
  bool relu_;
};

}  // namespace quintet::generic
