#include "runtime/inspect/read_tensor.h"

#include <algorithm>
#include <span>
#include <utility>

#include "formats/embd/tensor_index.h"
#include "models/tensor_sinks.h"

namespace quintet {

Status TensorReadingSink::begin(const ModelDescription& description) {
  format_ = description.format;
  names_ = decoder::TensorNames(description);
  // Some formats announce their tensors one by one.
  if (description.tensors.empty()) return {};
  for (const TensorInfo& info : description.tensors) {
    if (is_wanted(info)) return {};
  }
  return input_error(Reason::missing, "the file has no tensor \"{}\"", name_);
}

// Finds it by the name in the file, or by the one that inspection shows.
bool TensorReadingSink::is_wanted(const TensorInfo& info) const {
  return info.name == name_ || (names_ && names_->huggingface_name(info.name) == name_);
}

Result<std::unique_ptr<ByteSink>> TensorReadingSink::tensor(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  if (!found_ && is_wanted(info)) {
    found_ = true;
    scaled_ = format_ == Format::embd && info.dtype == Dtype::i8;
    tensor_.dtype = dtype_name(format_, info);
    tensor_.shape = info.shape;
    return tensor_sink<SourceTypes::all>(tensor, tensor_.values);
  }
  if (format_ == Format::embd && info.name == embd::scale_name(name_)) {
    return tensor_sink<SourceTypes::all>(tensor, scales_);
  }
  return nullptr;
}

Status TensorReadingSink::end(ModelDescription) {
  if (!found_) return input_error(Reason::missing, "the file has no tensor \"{}\"", name_);
  if (!scaled_) return {};
  const size_t group = tensor_.values.size() / scales_.size();
  for (size_t i = 0; i < tensor_.values.size(); ++i) tensor_.values[i] *= scales_[i / group];
  return {};
}

}  // namespace quintet
