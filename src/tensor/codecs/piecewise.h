#pragma once
// Common parts of the codecs: payloads and values arrive in pieces of any size, and are coded in steps and blocks.

#include <cstddef>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unit_assembler.h"
#include "tensor/codecs/payload.h"

namespace quintet {

// A payload as a sequence of steps with known sizes.
class PiecewiseReader {
 protected:
  ~PiecewiseReader() = default;

  // The next bytes of the payload, in pieces of any size.
  Status read(Bytes piece);
  // Fails if steps are missing.
  Status read_end() const;

  // Bytes of the next step; 0 if the payload is complete.
  virtual size_t step_bytes() const = 0;

  // Takes as many complete steps as are at the front of `bytes`, which contains at least one, and returns their size.
  virtual Result<size_t> take(Bytes bytes) = 0;

 private:
  UnitAssembler<std::byte> steps_;
};

// Decodes steps to values.
class PiecewiseDecoder : public PayloadDecoder, protected PiecewiseReader {
 public:
  Status write(Bytes piece, std::vector<float>& values) final {
    values_ = &values;
    return read(piece);
  }
  Status finish() final { return read_end(); }

 protected:
  // As take(); appends the values of the steps.
  virtual Result<size_t> decode(Bytes bytes, std::vector<float>& values) = 0;

 private:
  Result<size_t> take(Bytes bytes) final { return decode(bytes, *values_); }

  std::vector<float>* values_ = nullptr;
};

// Encodes values block by block.
class BlockEncoder : public PayloadEncoder {
 public:
  Status write(std::span<const float> values, std::vector<std::byte>& payload) final;
  Status finish(std::vector<std::byte>& payload) final;
  const Quantization& quantization() const final { return quantization_; }

 protected:
  enum class Accepts : uint8_t { finite_values, all_values };

  // Types without blocks are encoded in runs of this many values.
  static constexpr uint64_t kRun = 4096;

  // Blocks of `block` values; 0: the whole tensor.
  BlockEncoder(const Quantization& quantization, uint64_t elements, uint64_t block, Accepts accepts);

  // The next block, complete except for the last one, and never empty.
  virtual Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) = 0;

  // What follows the bytes of the last block.
  virtual void append_rest(std::vector<std::byte>&) {}

  uint64_t elements() const { return elements_; }

  Quantization quantization_;

 private:
  Status check_values(std::span<const float> values) const;

  uint64_t elements_;
  uint64_t block_;
  Accepts accepts_;
  uint64_t received_ = 0;
  UnitAssembler<float> blocks_;
};

// `count` new values at the end of `values`, to be filled.
inline std::span<float> append(std::vector<float>& values, size_t count) {
  values.resize(values.size() + count);
  return std::span(values).last(count);
}

// `count` new zero bytes at the end of `payload`, to be filled.
inline std::byte* append(std::vector<std::byte>& payload, size_t count) {
  payload.resize(payload.size() + count);
  return payload.data() + payload.size() - count;
}

}  // namespace quintet
