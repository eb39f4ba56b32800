#pragma once
// The types of a decoder's tensors in AMB and ALT.

#include "base/result.h"
#include "runtime/convert/stored_type.h"

namespace quintet {

// `adaptive` tensors have a size of their own, which is set in `bytes`.
Result<StoredType> amb_type(const TensorInfo& info, const ConvertOptions& options, uint64_t& bytes);
StoredType alt_type(const TensorInfo& info, const ConvertOptions& options);

// What the config of an AMB file says of the quantization asked for; null where it says nothing.
Json amb_quant_config(const ConvertOptions& options);

}  // namespace quintet
