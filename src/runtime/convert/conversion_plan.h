#pragma once
// What becomes of each tensor of a source. It is settled before the first byte is written, since the index precedes the data.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/storage_form.h"

namespace quintet {

// What is done when a source tensor's data arrives.
enum class Action : uint8_t {
  drop,           // not of the encoder
  copy,           // the bytes go through as they are
  encode,         // the values go through in another form; scales, if the form has any, follow
  hold_matrix,    // an int8 matrix whose scales come later
  encode_held,    // the scales of the held matrix, which goes out now
  hold_scales,    // scales whose matrix comes later
  encode_scaled,  // an int8 matrix whose scales were held
};

struct Step {
  Action action = Action::copy;
  TensorInfo tensor;  // what goes out: under its name there; of encode_held, the matrix
  StorageForm from, to;
};

struct Plan {
  std::vector<Step> steps;          // one per source tensor, in the order of the data
  std::vector<TensorInfo> outputs;  // in the order in which they go out
  std::string quantization;         // metadata of the output, empty where it is not quantized
};

// Whether the source is a Hugging Face model: its names carry a prefix, and it holds more than the encoder.
enum class Origin : uint8_t { weights, hugging_face };

Result<Plan> plan_conversion(const std::vector<TensorInfo>& tensors, Origin origin, const ConvertOptions& options);

}  // namespace quintet
