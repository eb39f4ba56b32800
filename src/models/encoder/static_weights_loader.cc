#include "models/encoder/static_weights_loader.h"

#include <string>

#include "architectures/encoder/static_embedding.h"
#include "models/tensor_sinks.h"

namespace quintet::encoder {

Result<std::unique_ptr<ByteSink>> StaticWeightsLoader::tensor(const TensorArrival& tensor) {
  const auto part = static_part_of(tensor.info.name);
  if (!part) return nullptr;
  if (part == StaticPart::embeddings) return table_sink(tensor);
  return tensor_sink<SourceTypes::encoder>(tensor, part == StaticPart::weights ? weights_.word_weights : mapping_);
}

// Integers are the values themselves: model2vec leaves out their scale, which a vector of length 1 does not need.
Result<std::unique_ptr<ByteSink>> StaticWeightsLoader::table_sink(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  const bool keeps_type = !to_int8_ && (info.dtype == Dtype::f16 || info.dtype == Dtype::bf16);
  const Storage storage = to_int8_ ? Storage::i8 : keeps_type ? *storage_of(info.dtype) : Storage::f32;
  RowTable& table = weights_.word_embeddings;
  table = RowTable(storage, static_cast<size_t>(info.shape[0]), static_cast<size_t>(info.shape[1]));
  if (keeps_type) return tensor_sink<SourceTypes::same>(tensor, table);
  return tensor_sink<SourceTypes::encoder>(tensor, table);
}

Status StaticWeightsLoader::finish() {
  const size_t rows = weights_.word_embeddings.rows();
  QUINTET_CHECK(weights_.word_rows.reserve(mapping_.size()));
  QUINTET_CHECK(weights_.word_rows.resize_uninitialized(mapping_.size()));
  for (size_t token = 0; token < mapping_.size(); ++token) {
    const float row = mapping_.data()[token];
    if (!(row >= 0 && row < static_cast<float>(rows))) {
      return in_tensor(fail(Code::format, Reason::limit, "the row of token {} is not one of {}", token, rows),
                       "mapping");
    }
    weights_.word_rows.data()[token] = static_cast<uint32_t>(row);
  }
  mapping_ = {};
  return {};
}

}  // namespace quintet::encoder
