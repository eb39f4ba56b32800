#pragma once
// Block-quantized weights: one row of activations, which reads them from memory, and the many of a prompt.

namespace quintet::bench {

// False where a variant's answer differs from the scalar definition.
bool bench_blocks();

}  // namespace quintet::bench
