#include "runtime/convert/weights_output.h"

#include <utility>

namespace quintet {

Status WeightsOutput::begin(ModelDescription description) {
  writer_ = weights::make_writer();
  QUINTET_CHECK(writer_->begin(description, ready_));
  progress_.total = description.tensors.size();
  for (Kept& kept : kept_) {
    QUINTET_CHECK(writer_->begin_tensor(kept.info, ready_));
    QUINTET_CHECK(writer_->write(kept.data, ready_));
    kept.data = {};
  }
  kept_.clear();
  return {};
}

Status WeightsOutput::begin_tensor(const TensorInfo& info) {
  progress_.tensor = info.name;
  progress_.done = begun_++;
  if (writer_) return writer_->begin_tensor(info, ready_);
  kept_.push_back({.info = info, .data = {}});
  return {};
}

Status WeightsOutput::write(Bytes data) {
  if (writer_) return writer_->write(data, ready_);
  std::vector<std::byte>& kept = kept_.back().data;
  kept.insert(kept.end(), data.begin(), data.end());
  return {};
}

Status WeightsOutput::finish() {
  progress_.done = begun_;
  return writer_->finish(ready_);
}

std::vector<TensorInfo> WeightsOutput::kept() const {
  std::vector<TensorInfo> tensors;
  for (const Kept& kept : kept_) tensors.push_back(kept.info);
  return tensors;
}

}  // namespace quintet
