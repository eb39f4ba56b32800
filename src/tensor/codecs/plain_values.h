#pragma once
// Plain elements: every decodable Dtype in, f32, f16 and bf16 out.

#include "tensor/codecs/payload.h"

namespace quintet {

// Requires decodable(dtype).
std::unique_ptr<PayloadDecoder> make_plain_decoder(Dtype dtype, uint64_t elements);

// Requires f32, f16 or bf16. Infinities and NaN are kept.
std::unique_ptr<PayloadEncoder> make_plain_encoder(Dtype dtype, uint64_t elements);

}  // namespace quintet
