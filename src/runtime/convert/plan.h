#pragma once
// What a conversion does, settled before the first byte is written: heads of files precede the data
// and tell its sizes.

#include <cstdint>
#include <initializer_list>
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
// Its parts: an encoder to .weights, a decoder to AMB or ALT.
Result<Plan> plan_embedder(const SourceModel& source, const ConvertOptions& options);
Result<Plan> plan_decoder(const SourceModel& source, const ConvertOptions& options);

// The type that a tensor gets in the output.
struct StoredType {
  Dtype dtype = Dtype::f32;
  Quantization quantization = {};
};

inline StoredType stored_type(const TensorInfo& info) { return {info.dtype, info.quantization}; }

// Numbers with a fraction, so that another precision means something: floats, and whatever is
// quantized.
bool is_real(const TensorInfo& info);

// Of the plain types that every format has: as the options say, else as it is where it is one of
// `kept`, else float32.
StoredType plain_type(const TensorInfo& info, const ConvertOptions& options, std::initializer_list<Dtype> kept);

}  // namespace quintet
