#pragma once
// Tensors with the matrices of all experts of a layer, one after another.

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/byte_sink.h"
#include "formats/model_description.h"

namespace quintet {

// Passes equal shares of the bytes to one sink after another.
class ExpertsSink final : public ByteSink {
 public:
  using MakeSink = std::function<Result<std::unique_ptr<ByteSink>>(uint32_t expert)>;

  ExpertsSink(uint64_t share, MakeSink make_sink) : share_(share), make_sink_(std::move(make_sink)) {}

  Status write(Bytes piece) override;
  Status finish() override { return sink_ ? sink_->finish() : Status(); }

 private:
  Status end_share();

  uint64_t share_;
  MakeSink make_sink_;
  std::unique_ptr<ByteSink> sink_;  // of the current expert; null before its first byte
  uint32_t expert_ = 0;
  uint64_t written_ = 0;
};

}  // namespace quintet
