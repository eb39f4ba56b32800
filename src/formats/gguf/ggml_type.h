#pragma once
// The types of a GGUF file's tensors, by ggml's numbers.

#include "base/result.h"
#include "tensor/quantization.h"

namespace quintet::gguf {

struct GgmlType {
  Dtype dtype = Dtype::f32;  // of plain elements
  Scheme scheme = Scheme::none;
  uint32_t block = 1;  // values that are stored together; they lie in one row
};

// UNSUPPORTED, without a place, for types that we cannot decode; the error has their name and those of the others.
Result<GgmlType> ggml_type(uint32_t number);

}  // namespace quintet::gguf
