#pragma once
// The type that a tensor gets in the output.

#include <initializer_list>

#include "formats/model_description.h"
#include "runtime/convert/convert_options.h"

namespace quintet {

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
