#pragma once
// Counts the files of a model whose heads were read: once its head was, another file may be read at the same time.

#include <cstddef>
#include <memory>
#include <utility>

#include "formats/model_sink.h"

namespace quintet {

class HeadCounter final : public ModelSink {
 public:
  // Both must outlive this. `heads` grows by one with each head that `sink` has taken.
  HeadCounter(ModelSink& sink, size_t& heads) : sink_(sink), heads_(heads) {}

  Status begin(const ModelDescription& description) override {
    ++heads_;
    return sink_.begin(description);
  }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override { return sink_.tensor(tensor); }
  Status end(ModelDescription description) override { return sink_.end(std::move(description)); }

 private:
  ModelSink& sink_;
  size_t& heads_;
};

}  // namespace quintet
