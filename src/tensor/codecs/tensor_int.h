#pragma once
// Static quantization of tinyRuntime (RULINGS "tinyRuntime" 5): one scale for the tensor.
//   tensor_int8    value = (q - zero_point) * scale
//   tensor_int32   value = q * scale

#include "tensor/codecs/payload.h"

namespace quintet {

std::unique_ptr<PayloadDecoder> make_tensor_int_decoder(const Quantization& quantization, uint64_t elements);

// tensor_int8 takes quantization.scale where it is above 0, with zero point 0. Else it finds both: symmetric, scale =
// max|x| / 127, or, where quantization.asymmetric is set, over the range of the values and 0, so that 0 is stored
// exactly. A tensor of zeros gets kConstantScale, because biases are quantized by a multiple of the weights' scale.
// tensor_int32 takes quantization.scale; it fails where that is not above 0. A scale is finite.
Result<std::unique_ptr<PayloadEncoder>> make_tensor_int_encoder(const Quantization& quantization, uint64_t elements);

}  // namespace quintet
