#pragma once
// The encoder of AMB's ADAPTIVE: each block's precision follows from its error, under a budget of bytes that is met
// exactly (adaptive_budget.h).

#include "tensor/codecs/payload.h"

namespace quintet {

// Fails where no choice of codes makes `data_bytes`. Blocks with infinities or NaN are FP16; where the budget has too
// few of those, and where a value is too large for its block's FP16, encoding fails with INPUT, out_of_range.
Result<std::unique_ptr<PayloadEncoder>> make_adaptive_encoder(const Quantization& quantization, uint64_t elements,
                                                              uint64_t data_bytes);

}  // namespace quintet
