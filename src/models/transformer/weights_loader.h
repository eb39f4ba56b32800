#pragma once
// Receives the tensors of a transformer from any reader and passes each to its place while its bytes arrive, so that
// the weights are in memory only once.

#include <algorithm>
#include <memory>
#include <utility>

#include "base/byte_sink.h"
#include "models/transformer/order_sink.h"
#include "models/transformer/tensor_slots.h"

namespace quintet::transformer {

// `Loader`, the subclass, knows the forms in which weights are stored. It has
//   Result<std::unique_ptr<ByteSink>> place(const TensorArrival& rows, const TensorRef& ref),
// the sink for rows in the order in which they are used. A matrix is that of one expert, if it is an expert's. (A
// virtual function would bring all sinks into modules that only ask for sizes.)
template <class Loader>
class WeightsLoader : public TensorSlots {
 public:
  // Returns the sink for an announced tensor, or null if the model has no use for it. FORMAT (duplicate) for a second
  // tensor of the same part.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) {
    const Slot* const slot = slot_of(tensor.info.name);
    if (slot == nullptr) return nullptr;
    if (slot->ref.has_all_experts()) return std::make_unique<ExpertsSink>(*this, tensor, *slot);
    return part_sink(tensor, *slot);
  }

 protected:
  ~WeightsLoader() = default;

 private:
  // Passes equal shares of the bytes, which are the matrices of the experts, to one sink after another.
  class ExpertsSink final : public ByteSink {
   public:
    ExpertsSink(WeightsLoader& loader, const TensorArrival& tensor, const Slot& slot)
        : loader_(loader), part_(slot.part(tensor.info)), bytes_exist_(tensor.bytes_exist), slot_(slot) {
      slot_.ref.expert = 0;
    }

    Status write(Bytes piece) override {
      while (!piece.empty()) {
        if (!sink_) {
          QUINTET_TRY(sink_, loader_.part_sink({.info = part_, .bytes_exist = bytes_exist_}, slot_));
        }
        const Bytes share = piece.first(static_cast<size_t>(std::min<uint64_t>(piece.size(), part_.bytes - written_)));
        QUINTET_CHECK(sink_->write(share));
        piece = piece.subspan(share.size());
        written_ += share.size();
        if (written_ == part_.bytes) QUINTET_CHECK(end_share());
      }
      return {};
    }
    Status finish() override { return sink_ ? sink_->finish() : Status(); }

   private:
    Status end_share() {
      const std::unique_ptr<ByteSink> sink = std::move(sink_);
      written_ = 0;
      ++*slot_.ref.expert;
      return sink->finish();
    }

    WeightsLoader& loader_;
    TensorInfo part_;
    bool bytes_exist_;
    Slot slot_;                       // with the number of the current expert
    std::unique_ptr<ByteSink> sink_;  // of the current expert; null before its first byte
    uint64_t written_ = 0;
  };

  Result<std::unique_ptr<ByteSink>> part_sink(const TensorArrival& tensor, const Slot& slot) {
    const TensorInfo rows = slot.rows(tensor.info);
    QUINTET_TRY(auto sink,
                static_cast<Loader&>(*this).place({.info = rows, .bytes_exist = tensor.bytes_exist}, slot.ref));
    return order_sink(tensor.info, slot.order, std::move(sink));
  }
};

inline Failure second_tensor(const TensorInfo& info) {
  return tensor_error(Code::format, Reason::duplicate, info, "a second tensor for the same part of the model");
}

}  // namespace quintet::transformer
