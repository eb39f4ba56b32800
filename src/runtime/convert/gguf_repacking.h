#pragma once
// GGUF types that AMB holds without loss: Q4_0 as INT4BLOCK and Q8_0 as INT8, both of 32 values
// with FP16 scales.

#include <memory>

#include "runtime/convert/payload_step.h"

namespace quintet {

// Null where the types are not such a pair.
std::unique_ptr<PayloadStep> make_repacking(const TensorInfo& from, const TensorInfo& to);

}  // namespace quintet
