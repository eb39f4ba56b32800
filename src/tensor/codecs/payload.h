#pragma once
// The sizes of a tensor's payload, and what turns it into float32 values and back: the definition
// of every scheme, written to be read. Streaming: a tensor is never held whole where its scheme
// does not demand it.

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
  uint64_t scales = 0;  // that stand apart, before the data; zero points included
  uint64_t data = 0;
  bool operator==(const PayloadSize&) const = default;
};

// What `elements` values take. Nothing where they do not fit 64 bits, end inside a byte (sub-byte
// plain types), or do not fill the blocks of a GGUF type. Of `adaptive` this is the least that it
// can take: the data depends on the codes.
std::optional<PayloadSize> payload_size(Dtype dtype, const Quantization& quantization, uint64_t elements);

// What an encoder makes of `elements` values in the adaptive scheme with `bits` a value on average,
// scales and codes included; as near below as blocks allow, and never less than all blocks in INT4
// take.
std::optional<uint64_t> adaptive_bytes(const Quantization& quantization, uint64_t elements, double bits);

// Payload in, values out, in order.
class PayloadDecoder {
 public:
  virtual ~PayloadDecoder() = default;
  // The next bytes of the payload, in pieces of any size. Appends the values that are complete to
  // `values`.
  virtual Status write(Bytes piece, std::vector<float>& values) = 0;
  // All bytes were written: fails where the payload is not of the size that its values need.
  virtual Status finish() = 0;
};

// `data_bytes` is the size of the data (it matters for `adaptive` alone). UNSUPPORTED for types
// that have no float32 value.
Result<std::unique_ptr<PayloadDecoder>> make_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes);

// Decodes any number of bytes with little room for their values: in pieces whose values stay in the cache. Calls
// Status take(values) with those of each piece, which `values` holds meanwhile.
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

// Values in, payload out. Schemes with scales apart, or with one scale for the tensor, answer at
// the end.
class PayloadEncoder {
 public:
  virtual ~PayloadEncoder() = default;
  virtual Status write(std::span<const float> values, std::vector<std::byte>& payload) = 0;
  virtual Status finish(std::vector<std::byte>& payload) = 0;
  // With the parameters that the values gave (delta, min, max, scale, zero_point); final when the
  // first payload byte is out.
  virtual const Quantization& quantization() const = 0;
};

// To plain f32, f16 and bf16, to every AMB, ALT and tinyRuntime scheme. `data_bytes`: what
// adaptive_bytes() gave; of no meaning for the others. A value that is not finite cannot be
// quantized (INPUT, out_of_range), except in `adaptive`.
Result<std::unique_ptr<PayloadEncoder>> make_encoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes);

}  // namespace quintet
