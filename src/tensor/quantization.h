#pragma once
// The meaning of a quantized tensor's bytes. tensor/codecs/ defines each scheme; tensor/block_types.h has a row of
// facts for each.
//
// The payload of a tensor is its scales, if the format stores them separately, followed by its data. Values are in
// row-major order of the flattened tensor.

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.h"

namespace quintet {

enum class Scheme : uint8_t {
  none,  // plain elements of a Dtype

  // AMB. `block` values share a scale of `scale_dtype`; 0: the whole tensor is one block.
  int8,
  int4,
  int5,  // [all scales][values]
  int4_block,
  int5_block,  // per block [scale][values]
  adaptive,    // [2-bit codes of the blocks][scales][values]

  // ALT. One `delta` for the tensor; affine unless min and max are both 0.
  qint8,
  qint4,         // one value per byte
  qint4_packed,  // two

  // tinyRuntime
  group_int8,    // [float32 scales][int32 zero points if asymmetric][values], `block` values per group
  tensor_int8,   // int8, value = (q - zero_point) * scale
  tensor_int32,  // int32, value = q * scale: the biases of static quantization

  // GGUF: blocks of 32 (q4_0 to q8_1, iq4_nl, mxfp4) or 256 values (the K types, the other iq types), as ggml defines
  // them
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q4_k,
  q5_k,
  q6_k,
  q2_k,
  q3_k,
  iq4_nl,
  iq4_xs,
  mxfp4,
  iq2_xxs,
  iq2_xs,
  iq2_s,
  iq3_xxs,
  iq3_s,
  iq1_s,
  iq1_m,
  q8_1,
  q8_k,
};
constexpr size_t kSchemes = static_cast<size_t>(Scheme::q8_k) + 1;

struct Quantization {
  Scheme scheme = Scheme::none;
  uint32_t block = 0;
  Dtype scale_dtype = Dtype::f16;  // f16 or f32
  float delta = 0, min = 0, max = 0;
  float scale = 0;
  int32_t zero_point = 0;
  bool asymmetric = false;

  bool operator==(const Quantization&) const = default;
};

// The form of a block of AMB's ADAPTIVE, in the order of the codes in the file.
enum class BlockCode : uint8_t { int4, int5, int8, fp16 };
constexpr size_t kBlockCodes = 4;

}  // namespace quintet
