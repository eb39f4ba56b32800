#pragma once
// Common parts of the codecs: payloads and values arrive in pieces of any size, and are coded in steps and blocks.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/byte_sink.h"
#include "base/result.h"
#include "base/unit_assembler.h"
#include "tensor/codecs/payload.h"

namespace quintet {

// Reads a payload as a sequence of steps with known sizes.
class PiecewiseReader : public ByteSink {
 public:
  Status write(Bytes piece) override;
  // Fails if steps are missing.
  Status finish() override;

 protected:
  // Bytes of the next step; 0 if the payload is complete.
  virtual size_t step_bytes() const = 0;

  // Reads all complete steps at the front of `bytes`, which contains at least one, and returns their size.
  virtual Result<size_t> take(Bytes bytes) = 0;

 private:
  UnitAssembler<std::byte> steps_;
};

// Decodes the steps of a reader to values, which go to a sink.
template <class Reader>
class ValueDecoder : public Reader {
 public:
  // Decodes in parts whose values stay in the cache.
  Status write(Bytes piece) final {
    constexpr size_t kPartBytes = size_t{1} << 14;
    while (!piece.empty()) {
      const Bytes part = piece.first(std::min(kPartBytes, piece.size()));
      piece = piece.subspan(part.size());
      values_.clear();
      QUINTET_CHECK(Reader::write(part));
      QUINTET_CHECK(sink_->write(values_));
    }
    return {};
  }
  Status finish() final {
    QUINTET_CHECK(Reader::finish());
    return sink_->finish();
  }

 protected:
  // The arguments after the sink are passed to the reader.
  template <class... Arguments>
  explicit ValueDecoder(std::unique_ptr<ValueSink> sink, Arguments&&... arguments)
      : Reader(std::forward<Arguments>(arguments)...), sink_(std::move(sink)) {}

  // Appends `count` values, to be filled.
  std::span<float> append(size_t count) {
    values_.resize(values_.size() + count);
    return std::span(values_).last(count);
  }

 private:
  std::unique_ptr<ValueSink> sink_;
  std::vector<float> values_;
};

using PiecewiseDecoder = ValueDecoder<PiecewiseReader>;

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

  // Appends the data after the last block.
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

// `count` new zero bytes at the end of `payload`, to be filled.
inline std::byte* append(std::vector<std::byte>& payload, size_t count) {
  payload.resize(payload.size() + count);
  return payload.data() + payload.size() - count;
}

}  // namespace quintet
