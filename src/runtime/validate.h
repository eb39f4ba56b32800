#pragma once
// The check of a whole file: what its reader demands, checksums included, the
// tensors that its kind of model needs, and the values of its scales.

#include <string>
#include <vector>

#include "runtime/describe.h"

namespace quintet {

// The sink of a reader. A scale that is not finite is allowed by the formats, and a model with it computes nothing useful: it is
// reported, not refused.
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
