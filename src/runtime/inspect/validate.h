#pragma once
// The check of a whole file: what its reader demands, checksums included, the
// tensors and the tokenizer that its kind of model needs, and the values of its tensors.

#include <string>
#include <vector>

#include "formats/description_sink.h"

namespace quintet {

// The sink of a reader. Values that are not finite, by themselves or through their scales, are
// allowed by the formats, and a model with them computes nothing useful: they are reported, not
// refused.
class ValidatingSink final : public DescriptionSink {
 public:
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) override;
  Status end(ModelDescription description) override;

  // The description with a list `warnings`, after a read that succeeded.
  Json report() const;

 private:
  std::vector<std::string> warnings_;
};

}  // namespace quintet
