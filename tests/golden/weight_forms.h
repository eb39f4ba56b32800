#pragma once
// The matrices of a decoder in each form that kernels multiply with.

#include <functional>
#include <span>

#include "models/decoder/weights.h"
#include "tests/golden/decoder_model.h"

namespace quintet::test {

struct WeightForm {
  const char* name;
  std::function<WeightMatrix(const PackedMatrix&)> recode;
};

// Floats first.
std::span<const WeightForm> weight_forms();

decoder::Weights weights_in(const WeightForm& form, const PlainDecoder& plain);

}  // namespace quintet::test
