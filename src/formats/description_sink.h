#pragma once
// A sink that keeps what a reader says of a file and lets the tensors' data pass by.

#include <memory>
#include <utility>

#include "formats/model_sink.h"

namespace quintet {

class DescriptionSink : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo&, bool) override { return nullptr; }
  Status end(ModelDescription description) override {
    description_ = std::move(description);
    return {};
  }

  // After a read that succeeded.
  const ModelDescription& description() const { return description_; }
  ModelDescription take() { return std::move(description_); }

 private:
  ModelDescription description_;
};

}  // namespace quintet
