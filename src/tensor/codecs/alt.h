#pragma once
// The quantizations of ALT (docs/formats/alt.md, "Quantization"): one `delta` for the tensor.
//   symmetric, min = max = 0   value = q * delta, q signed: int8, or 4-bit two's complement if two share a byte
//   affine                     value = min + u * delta, u unsigned
// QINT4 takes a byte or half a byte per value: value 2i in the low half of byte i.

#include "tensor/codecs/payload.h"

namespace quintet {

std::optional<PayloadSize> alt_payload_size(const Quantization& quantization, uint64_t elements);

std::unique_ptr<ByteSink> make_alt_decoder(const Quantization& quantization, uint64_t elements,
                                           std::unique_ptr<ValueSink> values);

// Affine if quantization.asymmetric is set, with min and max of the tensor; otherwise symmetric, with delta = max|x| /
// 127 or / 7. Determines delta, min and max.
std::unique_ptr<PayloadEncoder> make_alt_encoder(const Quantization& quantization, uint64_t elements);

}  // namespace quintet
