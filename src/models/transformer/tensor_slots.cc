#include "models/transformer/tensor_slots.h"

#include <utility>

#include "architectures/transformer/placed_tensors.h"
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

TensorInfo TensorSlots::Slot::part(const TensorInfo& info) const {
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
TensorInfo TensorSlots::Slot::rows(const TensorInfo& info) const {
  TensorInfo rows = part(info);
  if (order.is_transposed && rows.shape.size() == 2) std::swap(rows.shape[0], rows.shape[1]);
  return rows;
}

Result<const TensorSlots::Slot*> TensorSlots::add(const TensorInfo& info) {
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

}  // namespace quintet::transformer
