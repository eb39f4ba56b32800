#pragma once
// The sizes of a tensor's payload, and its conversion to float32 values and back: the definition of every scheme,
// written for readability. Streaming: a tensor is never held as a whole unless its scheme requires it.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_sink.h"
#include "base/result.h"
#include "tensor/codecs/value_sink.h"
#include "tensor/quantization.h"

namespace quintet {

struct PayloadSize {
  uint64_t scales = 0;  // separate, before the data; including zero points
  uint64_t data = 0;
  bool operator==(const PayloadSize&) const = default;
};

// Returns the size of `elements` values. Nothing if it does not fit 64 bits, they do not end at a byte boundary
// (sub-byte plain types), or they do not fill the blocks of a GGUF type. For `adaptive` this is the minimum, because
// the size depends on the codes.
std::optional<PayloadSize> payload_size(Dtype dtype, const Quantization& quantization, uint64_t elements);

// Returns the size that an encoder produces for `elements` values in the adaptive scheme with `bits` per value on
// average, including scales and codes: as close below as blocks allow, and never less than all blocks in INT4.
std::optional<uint64_t> adaptive_bytes(const Quantization& quantization, uint64_t elements, double bits);

// Makes the sink for a payload, whose values go to `values`, in order. `data_bytes` is the size of the data (only
// relevant for `adaptive`). UNSUPPORTED for types without float32 values.
Result<std::unique_ptr<ByteSink>> make_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                               uint64_t data_bytes, std::unique_ptr<ValueSink> values);

// Decodes plain types alone, so that a module without others does not contain them.
Result<std::unique_ptr<ByteSink>> make_plain_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     std::unique_ptr<ValueSink> values);
// Likewise those of tinyRuntime, so that a module without others does not contain them.
Result<std::unique_ptr<ByteSink>> make_network_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                       std::unique_ptr<ValueSink> values);

// Accepts values and returns their payload. Schemes with separate scales, or with one scale for the tensor, return
// their output at the end.
class PayloadEncoder {
 public:
  virtual ~PayloadEncoder() = default;
  virtual Status write(std::span<const float> values, std::vector<std::byte>& payload) = 0;
  virtual Status finish(std::vector<std::byte>& payload) = 0;
  // Has the parameters that depend on the values (delta, min, max, scale, zero_point); final once the first byte of the
  // payload was returned.
  virtual const Quantization& quantization() const = 0;
};

// Encodes to plain f32, f16 and bf16, and to every AMB, ALT and tinyRuntime scheme. `data_bytes`: from
// adaptive_bytes(); ignored for others. A value that is not finite cannot be quantized (INPUT, out_of_range), except in
// `adaptive`.
Result<std::unique_ptr<PayloadEncoder>> make_encoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes);

}  // namespace quintet
