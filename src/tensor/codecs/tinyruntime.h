#pragma once
// The quantizations of tinyRuntime (docs/formats/tinyruntime.md, "Values"). Matrices of .weights files are group_int8
// too.
//   group_int8     groups of `block` values along the flattened tensor, which they divide:
//                  [float32 scales][int32 zero points, if asymmetric][int8 values]; value = (q - zero_point) * scale
//   tensor_int8    one scale for the tensor: value = (q - zero_point) * scale
//   tensor_int32   value = q * scale

#include "tensor/codecs/payload.h"

namespace quintet {

std::optional<PayloadSize> group_payload_size(const Quantization& quantization, uint64_t elements);

// Both require that group_payload_size() returned a size.
std::unique_ptr<ByteSink> make_group_decoder(const Quantization& quantization, uint64_t elements,
                                             std::unique_ptr<ValueSink> values);
std::unique_ptr<PayloadEncoder> make_group_encoder(const Quantization& quantization, uint64_t elements);

std::unique_ptr<ByteSink> make_tensor_int_decoder(const Quantization& quantization, uint64_t elements,
                                                  std::unique_ptr<ValueSink> values);

// tensor_int8 uses quantization.scale if it is above 0, with zero point 0. Otherwise it determines both: symmetric,
// scale = max|x| / 127, or, if quantization.asymmetric is set, over the range of the values and 0, so that 0 is stored
// exactly. A tensor of zeros gets kConstantScale, because the scale of the biases is a multiple of this one.
// tensor_int32 uses quantization.scale, and fails if that is not above 0. Scales must be finite.
Result<std::unique_ptr<PayloadEncoder>> make_tensor_int_encoder(const Quantization& quantization, uint64_t elements);

}  // namespace quintet
