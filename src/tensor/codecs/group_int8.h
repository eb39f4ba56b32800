#pragma once
// Group quantization of tinyRuntime (RULINGS "tinyRuntime" 4): groups of `block` values along the flattened tensor,
// which they divide.  [float32 scales][int32 zero points, where asymmetric][int8 values]; value = (q - zp) * scale.

#include "tensor/codecs/payload.h"

namespace quintet {

// What stands for a range without width: asymmetric groups of one value get this scale.
constexpr float kConstantScale = 1e-4F;

struct GroupParameters {
  float scale = 0;
  int32_t zero_point = 0;
};

// scale = (max - min) / 255, zero point = round(-128 - min / scale), so that min is stored as -128. Where the group is
// so narrow and so far from 0 that the zero point would not fit, the scale is as much wider as it has to be; half of it
// is still less than the spacing of floats there. Requires finite values, one at least.
GroupParameters asymmetric_parameters(std::span<const float> group);

// q = round(x / scale) + zero_point, clamped (the reference wraps when a tie rounds up at the top).
int8_t quantize_asymmetric(float value, const GroupParameters& parameters);

std::optional<PayloadSize> group_payload_size(const Quantization& quantization, uint64_t elements);

// Both require that group_payload_size() gave a size.
std::unique_ptr<PayloadDecoder> make_group_decoder(const Quantization& quantization, uint64_t elements);
std::unique_ptr<PayloadEncoder> make_group_encoder(const Quantization& quantization, uint64_t elements);

}  // namespace quintet
