#pragma once
// Counts the files whose header was read; from then on the next file may be read at the same time.

#include <cstddef>
#include <memory>
#include <utility>

#include "formats/model_sink.h"

namespace quintet {

class HeaderCounter final : public ModelSink {
 public:
  // Both must outlive this. `headers` grows by one with each header that `sink` has taken.
  HeaderCounter(ModelSink& sink, size_t& headers) : sink_(sink), headers_(headers) {}

  Status begin(const ModelDescription& description) override {
    ++headers_;
    return sink_.begin(description);
  }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override { return sink_.tensor(tensor); }
  Status end(ModelDescription description) override { return sink_.end(std::move(description)); }

 private:
  ModelSink& sink_;
  size_t& headers_;
};

}  // namespace quintet
