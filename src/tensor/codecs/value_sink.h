#pragma once
// The end of a decoder: the values of a payload go to their final place.

#include <span>
#include <vector>

#include "base/result.h"

namespace quintet {

class ValueSink {
 public:
  virtual ~ValueSink() = default;
  // Receives the next values, in pieces of any size.
  virtual Status write(std::span<const float> values) = 0;
  // All values were written.
  virtual Status finish() { return {}; }
};

// Appends values to a vector, which must outlive this.
class ValueCollector final : public ValueSink {
 public:
  explicit ValueCollector(std::vector<float>& values) : values_(values) {}
  Status write(std::span<const float> values) override {
    values_.insert(values_.end(), values.begin(), values.end());
    return {};
  }

 private:
  std::vector<float>& values_;
};

}  // namespace quintet
