#pragma once
// The sizes of a tensor's payload, and its conversion to float32 values and back: the definition of every scheme,
// written for readability. Streaming: a tensor is never held as a whole unless its scheme requires it.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/quantization.h"

namespace quintet {

struct PayloadSize {
  uint64_t scales = 0;  // separate, before the data; including zero points
  uint64_t data = 0;
  bool operator==(const PayloadSize&) const = default;
};

// The size of `elements` values. Nothing if it does not fit 64 bits, they do not end at a byte boundary (sub-byte plain
// types), or they do not fill the blocks of a GGUF type. For `adaptive` this is the minimum, because the size depends
// on the codes.
std::optional<PayloadSize> payload_size(Dtype dtype, const Quantization& quantization, uint64_t elements);

// The size that an encoder produces for `elements` values in the adaptive scheme with `bits` per value on average,
// including scales and codes: as close below as blocks allow, and never less than all blocks in INT4.
std::optional<uint64_t> adaptive_bytes(const Quantization& quantization, uint64_t elements, double bits);

// Payload in, values out, in order.
class PayloadDecoder {
 public:
  virtual ~PayloadDecoder() = default;
  // The next bytes of the payload, in pieces of any size. Appends completed values to `values`.
  virtual Status write(Bytes piece, std::vector<float>& values) = 0;
  // All bytes were written: fails if the size of the payload does not match its values.
  virtual Status finish() = 0;
};

// `data_bytes` is the size of the data (only relevant for `adaptive`). UNSUPPORTED for types without float32 values.
Result<std::unique_ptr<PayloadDecoder>> make_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes);

// The same for the types of networks (tinyRuntime) alone, so that a module without others does not contain them.
Result<std::unique_ptr<PayloadDecoder>> make_network_decoder(Dtype dtype, const Quantization& quantization,
                                                             uint64_t elements);

// Decodes any number of bytes with little memory: in pieces whose values stay in the cache. Calls Status take(values)
// for the values of each piece, which are in `values` meanwhile.
template <class Take>
Status decode_pieces(PayloadDecoder& decoder, Bytes bytes, std::vector<float>& values, Take take) {
  constexpr size_t kPieceBytes = size_t{1} << 14;
  while (!bytes.empty()) {
    const Bytes piece = bytes.first(std::min(kPieceBytes, bytes.size()));
    bytes = bytes.subspan(piece.size());
    values.clear();
    QUINTET_CHECK(decoder.write(piece, values));
    QUINTET_CHECK(take(std::span<const float>(values)));
  }
  return {};
}

// Values in, payload out. Schemes with separate scales, or with one scale for the tensor, return their output at the
// end.
class PayloadEncoder {
 public:
  virtual ~PayloadEncoder() = default;
  virtual Status write(std::span<const float> values, std::vector<std::byte>& payload) = 0;
  virtual Status finish(std::vector<std::byte>& payload) = 0;
  // With the parameters that depend on the values (delta, min, max, scale, zero_point); final once the first byte of
  // the payload was returned.
  virtual const Quantization& quantization() const = 0;
};

// To plain f32, f16 and bf16, and to every AMB, ALT and tinyRuntime scheme. `data_bytes`: from adaptive_bytes();
// ignored for others. A value that is not finite cannot be quantized (INPUT, out_of_range), except in `adaptive`.
Result<std::unique_ptr<PayloadEncoder>> make_encoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes);

}  // namespace quintet
