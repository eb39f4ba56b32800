#include "runtime/embedding/query_weights.h"

#include <string>
#include <vector>

#include "models/tensor_sinks.h"

namespace quintet {
namespace {

constexpr std::string_view kTensor = "weight";

}  // namespace

Status QueryWeightsSink::begin(const ModelDescription& description) {
  const TensorInfo* info = description.find_tensor(kTensor);
  if (!info) return missing_tensor(kTensor, "the weights of tokens in queries are missing");
  const std::vector<uint64_t> expected = {n_vocab_};
  if (info->shape == expected) return {};
  return tensor_error(Code::format, Reason::mismatch, *info, "shape {}, expected {} from vocab_size",
                      shape_text(info->shape), shape_text(expected));
}

Result<std::unique_ptr<ByteSink>> QueryWeightsSink::tensor(const TensorArrival& tensor) {
  if (tensor.info.name != kTensor) return nullptr;
  return tensor_sink<SourceTypes::encoder>(tensor, weights_);
}

}  // namespace quintet
