#pragma once
// What a conversion does, settled before the first byte is written: heads of files precede the data
// and tell its sizes.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/source_model.h"

namespace quintet {

// One tensor of the output.
struct Job {
  SourceTensor source;
  TensorInfo output;
  // .weights: where the scales go, as a tensor of their own behind the matrix.
  std::optional<TensorInfo> scales = {};
};

struct Plan {
  ModelDescription description;  // of the output; its tensors are those of the jobs, in their order
  std::vector<Job> jobs;
};

// A plan that takes one tensor after another. What does not fit the format is UNSUPPORTED or INPUT.
Result<Plan> plan_conversion(const SourceModel& source, const ConvertOptions& options);

}  // namespace quintet
