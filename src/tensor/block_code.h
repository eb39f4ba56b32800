#pragma once
// How the values of a block are stored, as AMB's ADAPTIVE numbers it.

#include <cstddef>
#include <cstdint>

namespace quintet {

enum class BlockCode : uint8_t { int4, int5, int8, fp16 };
constexpr size_t kBlockCodes = 4;

}  // namespace quintet
