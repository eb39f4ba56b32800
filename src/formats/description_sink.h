#pragma once
// A sink that keeps the description of a file and ignores the data of the tensors.

#include <memory>
#include <utility>

#include "formats/model_sink.h"

namespace quintet {

class DescriptionSink : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival&) override { return nullptr; }
  Status end(ModelDescription description) override {
    description_ = std::move(description);
    return {};
  }

  // After a successful read.
  const ModelDescription& description() const { return description_; }
  ModelDescription take() { return std::move(description_); }

 private:
  ModelDescription description_;
};

}  // namespace quintet
