#include "models/transformer/weights_loader.h"

#include <algorithm>
#include <utility>

#include "architectures/transformer/placed_tensors.h"
#include "models/transformer/order_sink.h"
#include "tensor/block_types.h"

namespace quintet::transformer {
namespace {

// The matrices of all experts can only be separated if the bytes of each are contiguous. In AMB's and ALT's quantized
// types, they follow the scales of all.
Status check_experts(const TensorInfo& info, const TensorRef& ref, uint64_t experts) {
  if (ref.expert && *ref.expert >= experts) return unknown_expert(info, experts);
  if (!ref.has_all_experts()) return {};
  const bool is_stacked = ref.spec->rows != Dim::all_expert_ff;
  const bool fits = is_stacked ? info.shape.size() == 3 && info.shape[0] == experts
                               : info.shape.size() == 2 && info.shape[0] % experts == 0;
  if (!fits || info.bytes % experts != 0) {
    return tensor_error(Code::format, Reason::mismatch, info, "shape {}, but expected the matrices of {} experts",
                        shape_text(info.shape), experts);
  }
  if (!info.quantized() || codec_of(info.quantization.scheme) == Codec::gguf) return {};
  return tensor_error(Code::unsupported, Reason::unsupported, info, "all experts in one tensor of type {}",
                      name_of(info.quantization.scheme));
}

}  // namespace

TensorInfo WeightsLoader::Slot::part(const TensorInfo& info) const {
  TensorInfo part = info;
  if (!ref.has_all_experts()) return part;
  part.bytes /= experts;
  if (part.shape.size() == 3) {
    part.shape.erase(part.shape.begin());
  } else {
    part.shape.front() /= experts;
  }
  return part;
}

// Transposed: its rows are used, but the file has columns.
TensorInfo WeightsLoader::Slot::rows(const TensorInfo& info) const {
  TensorInfo rows = part(info);
  if (order.is_transposed && rows.shape.size() == 2) std::swap(rows.shape[0], rows.shape[1]);
  return rows;
}

Result<const WeightsLoader::Slot*> WeightsLoader::add(const TensorInfo& info) {
  const auto ref = ref_of(info);
  if (!ref) return nullptr;
  const TransformerConfig& config = this->config();
  if (ref->in_mixture() && !config.has_experts(ref->layer)) return nullptr;
  if (ref->is_layer_input() && config.layer_input_width == 0) return nullptr;
  QUINTET_CHECK(check_experts(info, *ref, config.n_experts));
  Slot& slot = slots_[info.name];
  slot = {.ref = *ref, .order = order_of(*ref), .experts = ref->has_all_experts() ? config.n_experts : 1};
  return &slot;
}

// Passes equal shares of the bytes, which are the matrices of the experts, to one sink after another.
class WeightsLoader::ExpertsSink final : public ByteSink {
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

Result<std::unique_ptr<ByteSink>> WeightsLoader::tensor(const TensorArrival& tensor) {
  const Slot* const slot = slot_of(tensor.info.name);
  if (slot == nullptr) return nullptr;
  if (slot->ref.has_all_experts()) return std::make_unique<ExpertsSink>(*this, tensor, *slot);
  return part_sink(tensor, *slot);
}

Result<std::unique_ptr<ByteSink>> WeightsLoader::part_sink(const TensorArrival& tensor, const Slot& slot) {
  const TensorInfo rows = slot.rows(tensor.info);
  QUINTET_TRY(auto sink, place({.info = rows, .bytes_exist = tensor.bytes_exist}, slot.ref));
  return order_sink(tensor.info, slot.order, std::move(sink));
}

Failure second_tensor(const TensorInfo& info) {
  return tensor_error(Code::format, Reason::duplicate, info, "a second tensor for the same part of the model");
}

}  // namespace quintet::transformer
