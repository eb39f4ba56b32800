#pragma once
// The sizes that packed weights and the activations multiplied with them have in common.

#include <cstddef>
#include <cstdint>

namespace quintet {

// Output features of a panel.
constexpr size_t kPanelRows = 8;
// Columns whose products an 8-bit dot product adds.
constexpr size_t kQuad = 4;
// The distance from a quad of an int8 panel to the next one of the same output.
constexpr size_t kPanelQuadBytes = kPanelRows * kQuad;

// Activations are quantized to 7 bits around this zero point (1..127), so that they fit the unsigned operand of the
// relaxed dot instruction, whose result is only in that range the same in every engine.
constexpr int32_t kActivationZero = 64;

// Maximum columns of an int8 group, beyond which a dot product could exceed 32 bits.
constexpr size_t kMaxGroupColumns = 1 << 17;

}  // namespace quintet
