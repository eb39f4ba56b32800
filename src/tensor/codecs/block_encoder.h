#pragma once
// What all encoders share: values come in pieces of any size and are encoded block by block. Blocks that lie whole in
// a piece are encoded where they are; only the one that a piece cuts is put together here.

#include "tensor/codecs/payload.h"

namespace quintet {

class BlockEncoder : public PayloadEncoder {
 public:
  Status write(std::span<const float> values, std::vector<std::byte>& payload) final;
  Status finish(std::vector<std::byte>& payload) final;
  const Quantization& quantization() const final { return quantization_; }

 protected:
  enum class Accepts : uint8_t { finite_values, all_values };

  // What has no blocks is encoded in runs of this many values.
  static constexpr uint64_t kRun = 4096;

  // `block` values belong together; 0: the whole tensor.
  BlockEncoder(const Quantization& quantization, uint64_t elements, uint64_t block, Accepts accepts);

  // The next block, full but for the last one, and never empty.
  virtual Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) = 0;

  // What comes behind the last block's bytes.
  virtual void append_rest(std::vector<std::byte>&) {}

  uint64_t elements() const { return elements_; }

  Quantization quantization_;

 private:
  Status check_values(std::span<const float> values) const;
  void keep(std::span<const float> values);

  uint64_t elements_;
  uint64_t block_;
  Accepts accepts_;
  uint64_t received_ = 0;
  std::vector<float> cut_;
};

// `count` new zero bytes at the end of `payload`, to be filled.
inline std::byte* append(std::vector<std::byte>& payload, size_t count) {
  payload.resize(payload.size() + count);
  return payload.data() + payload.size() - count;
}

}  // namespace quintet
