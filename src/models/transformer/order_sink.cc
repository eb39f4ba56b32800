#include "models/transformer/order_sink.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "base/unit_assembler.h"

namespace quintet {
namespace {

using transformer::TensorOrder;

// Reorders the rows of each head before they are passed on.
class HeadOrderSink final : public ByteSink {
 public:
  HeadOrderSink(size_t row_bytes, const TensorOrder& order, std::unique_ptr<ByteSink> sink)
      : row_bytes_(row_bytes), order_(order), sink_(std::move(sink)) {}

  Status write(Bytes bytes) override {
    const size_t head_bytes = static_cast<size_t>(order_.head_rows) * row_bytes_;
    return heads_.feed(bytes, head_bytes, [this, head_bytes](Bytes heads) -> Status {
      for (; !heads.empty(); heads = heads.subspan(head_bytes)) {
        head_.assign(heads.begin(), heads.begin() + static_cast<std::ptrdiff_t>(head_bytes));
        if (done_++ < order_.interleaved_heads) {
          transformer::deinterleave_rows(head_, row_bytes_, 1, static_cast<size_t>(order_.rotated_rows));
        }
        QUINTET_CHECK(sink_->write(head_));
      }
      return {};
    });
  }
  Status finish() override { return sink_->finish(); }

 private:
  size_t row_bytes_;
  TensorOrder order_;
  std::unique_ptr<ByteSink> sink_;
  UnitAssembler<> heads_;
  std::vector<std::byte> head_;  // the rows of one head, to be reordered
  uint64_t done_ = 0;            // heads
};

// Holds a tensor until it is complete.
class WholeOrderSink final : public ByteSink {
 public:
  WholeOrderSink(const TensorInfo& info, const TensorOrder& order, std::unique_ptr<ByteSink> sink)
      : info_(info), order_(order), sink_(std::move(sink)) {}

  Status write(Bytes bytes) override {
    held_.insert(held_.end(), bytes.begin(), bytes.end());
    return {};
  }
  Status finish() override {
    transformer::restore_order(held_, info_, order_);
    QUINTET_CHECK(sink_->write(held_));
    return sink_->finish();
  }

 private:
  TensorInfo info_;
  TensorOrder order_;
  std::unique_ptr<ByteSink> sink_;
  std::vector<std::byte> held_;
};

}  // namespace

Result<std::unique_ptr<ByteSink>> order_sink(const TensorInfo& info, const TensorOrder& order,
                                             std::unique_ptr<ByteSink> sink) {
  QUINTET_CHECK(transformer::check_order(info, order));
  if (order.is_ours()) return sink;
  if (order.groups != 0 || order.is_transposed) return std::make_unique<WholeOrderSink>(info, order, std::move(sink));
  const uint64_t row_bytes = info.bytes / info.shape[0], head_bytes = order.head_rows * row_bytes;
  if (head_bytes > SIZE_MAX) return memory_error(head_bytes);
  return std::make_unique<HeadOrderSink>(static_cast<size_t>(row_bytes), order, std::move(sink));
}

}  // namespace quintet
