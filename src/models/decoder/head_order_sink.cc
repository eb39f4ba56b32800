#include "models/decoder/head_order_sink.h"

#include <utility>
#include <vector>

#include "architectures/decoder/row_order.h"
#include "base/unit_assembler.h"

namespace quintet::decoder {
namespace {

class HeadOrderSink final : public TensorSink {
 public:
  HeadOrderSink(size_t row_bytes, size_t head_bytes, std::unique_ptr<TensorSink> sink)
      : row_bytes_(row_bytes), head_bytes_(head_bytes), sink_(std::move(sink)) {}

  Status write(Bytes bytes) override {
    return heads_.feed(bytes, head_bytes_, [this](Bytes heads) -> Status {
      for (; !heads.empty(); heads = heads.subspan(head_bytes_)) {
        head_.assign(heads.begin(), heads.begin() + static_cast<std::ptrdiff_t>(head_bytes_));
        deinterleave_rows(head_, row_bytes_, 1);
        QUINTET_CHECK(sink_->write(head_));
      }
      return {};
    });
  }
  Status finish() override { return sink_->finish(); }

 private:
  size_t row_bytes_, head_bytes_;
  std::unique_ptr<TensorSink> sink_;
  UnitAssembler<> heads_;
  std::vector<std::byte> head_;  // the rows of one head, to be reordered
};

}  // namespace

Result<std::unique_ptr<TensorSink>> head_order_sink(const TensorInfo& info, uint64_t heads,
                                                    std::unique_ptr<TensorSink> sink) {
  if (heads == 0) return sink;
  const uint64_t rows = info.shape.empty() ? 0 : info.shape[0];
  if (rows == 0 || rows % (2 * heads) != 0 || info.bytes % rows != 0) {
    return tensor_error(Code::format, Reason::mismatch, info,
                        "shape " + shape_text(info.shape) + " has no rows for " + std::to_string(heads) + " heads");
  }
  const uint64_t head_bytes = info.bytes / heads;
  if (head_bytes > SIZE_MAX) return memory_error(head_bytes);
  return std::make_unique<HeadOrderSink>(static_cast<size_t>(info.bytes / rows), static_cast<size_t>(head_bytes),
                                         std::move(sink));
}

}  // namespace quintet::decoder
