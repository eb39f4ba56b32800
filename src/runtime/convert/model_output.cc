#include "runtime/convert/model_output.h"

namespace quintet {

Status ModelOutput::begin(Format format, ModelDescription& description) {
  writer_ = make_writer(format);
  progress_.total = description.tensors.size();
  return writer_->begin(description, ready_);
}

Status ModelOutput::begin_tensor(const TensorInfo& info) {
  progress_.tensor = info.name;
  progress_.done = begun_++;
  return writer_->begin_tensor(info, ready_);
}

Status ModelOutput::finish() {
  progress_.done = begun_;
  return writer_->finish(ready_);
}

}  // namespace quintet
