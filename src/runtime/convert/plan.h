#pragma once
// The plan of a conversion, made before the first byte is written, because the heads of files precede the data and
// contain its sizes.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/low_rank.h"
#include "runtime/convert/source_model.h"

namespace quintet {

// One tensor of the output.
struct Job {
  SourceTensor source;
  TensorInfo output;
  // .weights: the position of the scales, which are a separate tensor after the matrix.
  std::optional<TensorInfo> scales = {};
  // Image networks: the source is quantized like this, and the output is one of both parts, its scales in float32 or
  // its integers.
  std::optional<Quantization> split = {};
  std::vector<std::shared_ptr<const LowRankProduct>> products = {};  // are added to the values
};

struct Plan {
  ModelDescription description;  // of the output; its tensors are those of the jobs, in order
  std::vector<Job> jobs;
};

// A plan that converts one tensor after another. UNSUPPORTED or INPUT for content that the format cannot store.
Result<Plan> plan_conversion(const SourceModel& source, const ConvertOptions& options);
// The parts of planning: an encoder to .weights, a decoder to AMB or ALT, an image network to safetensors.
Result<Plan> plan_embedder(const SourceModel& source, const ConvertOptions& options);
Result<Plan> plan_decoder(const SourceModel& source, const ConvertOptions& options);
Result<Plan> plan_image_network(const SourceModel& source, const ConvertOptions& options);

// The type of a tensor in the output.
struct StoredType {
  Dtype dtype = Dtype::f32;
  Quantization quantization = {};
};

inline StoredType stored_type(const TensorInfo& info) { return {info.dtype, info.quantization}; }

// Fractional numbers, which can change precision: floats, and everything quantized.
bool is_real(const TensorInfo& info);

// For plain types, which every format has: as in the options, else unchanged if it is one of `kept`, else float32.
StoredType plain_type(const TensorInfo& info, const ConvertOptions& options, std::initializer_list<Dtype> kept);

}  // namespace quintet
