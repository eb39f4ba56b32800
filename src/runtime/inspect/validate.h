#pragma once
// Checks a whole file: everything its reader requires, including checksums, the tensors and the tokenizer that its kind
// of model needs, and the values of its tensors.

#include <string>
#include <vector>

#include "formats/description_sink.h"

namespace quintet {

// The sink of a reader. Values that are not finite, by themselves or through their scales, are allowed by the formats,
// but make a model useless, so they are reported and not rejected.
class ValidatingSink final : public DescriptionSink {
 public:
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // The description with a list `warnings`, after a successful read.
  Json report() const;

 private:
  std::vector<std::string> warnings_;
};

}  // namespace quintet
