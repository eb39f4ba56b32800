#include "architectures/decoder/packed_weights.h"

#include <utility>

namespace quintet::decoder {

std::optional<PackedWeights::Part> PackedWeights::find(const TensorInfo& info) {
  auto name = huggingface::part_of(packing_.packing, info);
  if (!name || !names_.ref_of(name->weight)) return std::nullopt;
  const auto [weight, is_new] = weights_.try_emplace(std::move(name->weight), packing_);
  return Part{.weight = &weight->first, .packed = &weight->second, .part = name->part};
}

Result<const TensorInfo*> PackedWeights::announce(const Part& part, const TensorInfo& info) {
  const bool was_whole = part.packed->is_whole();
  QUINTET_CHECK(part.packed->announce(part.part, info));
  if (was_whole || !part.packed->is_whole()) return nullptr;
  QUINTET_CHECK(part.packed->describe(*part.weight, shape_of(*names_.ref_of(*part.weight), config_)));
  return &part.packed->matrix();
}

Status PackedWeights::check_whole() const {
  for (const auto& [name, weight] : weights_) {
    if (weight.is_whole()) continue;
    return missing_tensor(huggingface::name_of(packing_.packing, name, *weight.missing()),
                          "a part of a quantized matrix is missing");
  }
  return {};
}

// The bytes of a part.
class JoiningSink::PartSink final : public ByteSink {
 public:
  PartSink(JoiningSink& joining, const PackedWeights::Part& part) : joining_(joining), part_(part) {}

  Status write(Bytes bytes) override { return part_.packed->add(part_.part, bytes); }
  Status finish() override {
    QUINTET_CHECK(part_.packed->end(part_.part));
    return part_.packed->is_complete() ? joining_.write_matrix(part_) : Status();
  }

 private:
  JoiningSink& joining_;
  PackedWeights::Part part_;
};

Status JoiningSink::begin(const ModelDescription& file) {
  ModelDescription joined;
  joined.format = file.format;
  for (const TensorInfo& info : file.tensors) {
    const auto part = weights_.find(info);
    if (!part) {
      joined.tensors.push_back(info);
      continue;
    }
    QUINTET_TRY(const TensorInfo* matrix, weights_.announce(*part, info));
    if (matrix) joined.tensors.push_back(*matrix);
  }
  return next_.begin(joined);
}

Result<std::unique_ptr<ByteSink>> JoiningSink::tensor(const TensorArrival& tensor) {
  const auto part = weights_.find(tensor.info);
  if (!part) return next_.tensor(tensor);
  if (tensor.bytes_exist) QUINTET_CHECK(part->packed->reserve(part->part));
  return std::make_unique<PartSink>(*this, *part);
}

Status JoiningSink::write_matrix(const PackedWeights::Part& part) {
  QUINTET_TRY(const auto sink, next_.tensor({.info = part.packed->matrix(), .bytes_exist = true}));
  if (sink) {
    QUINTET_CHECK(part.packed->write_to(*sink, false));
    QUINTET_CHECK(sink->finish());
  }
  part.packed->release();
  return {};
}

}  // namespace quintet::decoder
