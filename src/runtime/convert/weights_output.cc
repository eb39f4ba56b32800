#include "runtime/convert/weights_output.h"

#include <utility>

namespace quintet {

Status WeightsOutput::begin(ModelDescription description) {
  QUINTET_TRY(writer_, weights::Writer::create(std::move(description)));
  progress_.total = writer_->description().tensors.size();
  const Bytes head = writer_->head();
  ready_.insert(ready_.end(), head.begin(), head.end());
  for (Kept& kept : kept_) {
    QUINTET_CHECK(writer_->append(kept.data, ready_));
    kept.data = {};
  }
  kept_.clear();
  return {};
}

Status WeightsOutput::begin_tensor(const TensorInfo& info) {
  progress_.tensor = info.name;
  progress_.done = begun_++;
  if (!writer_) kept_.push_back({.info = info, .data = {}});
  return {};
}

Status WeightsOutput::write(Bytes data) {
  if (writer_) return writer_->append(data, ready_);
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
