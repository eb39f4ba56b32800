#pragma once
// Tensors with the matrices of all experts of a layer, one after another.

#include <cstdint>
#include <memory>

#include "base/byte_sink.h"
#include "base/result.h"

namespace quintet {

// Passes equal shares of the bytes to one sink after another.
class ExpertsSink : public ByteSink {
 public:
  Status write(Bytes piece) final;
  Status finish() final { return sink_ ? sink_->finish() : Status(); }

 protected:
  explicit ExpertsSink(uint64_t share) : share_(share) {}
  // The sink for the share of an expert.
  virtual Result<std::unique_ptr<ByteSink>> make_sink(uint32_t expert) = 0;

 private:
  Status end_share();

  uint64_t share_;
  std::unique_ptr<ByteSink> sink_;  // of the current expert; null before its first byte
  uint32_t expert_ = 0;
  uint64_t written_ = 0;
};

}  // namespace quintet
