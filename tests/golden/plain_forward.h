#pragma once
// A second forward pass of a decoder, for tests: in double precision, on plain arrays, a whole sequence at a time
// without a cache. It shares no code with src/models.

#include <cstdint>
#include <vector>

#include "tests/golden/decoder_model.h"

namespace quintet::test {

// [ids][n_vocab]
std::vector<std::vector<double>> plain_logits(const PlainDecoder& model, const std::vector<uint32_t>& ids);

}  // namespace quintet::test
