#include "models/decoder/recurrent_state.h"

#include <algorithm>

#include "base/checked.h"

namespace quintet::decoder {

uint64_t RecurrentState::Sizes::bytes() const {
  const uint64_t inputs_of_layer = checked_mul(inputs, channels).value_or(UINT64_MAX);
  const uint64_t of_layer = checked_add(inputs_of_layer, values).value_or(UINT64_MAX);
  const uint64_t numbers = checked_mul(layers, of_layer).value_or(UINT64_MAX);
  return checked_mul(numbers, sizeof(float)).value_or(UINT64_MAX);
}

std::shared_ptr<RecurrentState> RecurrentState::create(const Sizes& sizes) {
  auto state = std::make_shared<RecurrentState>();
  state->sizes_ = sizes;
  return state->numbers_.resize(sizes.bytes() / sizeof(float)) ? state : nullptr;
}

void RecurrentState::assign_inputs(const RecurrentState& other) {
  for (size_t layer = 0; layer < sizes_.layers; ++layer) std::ranges::copy(other.inputs(layer), inputs(layer).begin());
}

void RecurrentState::clear() { std::ranges::fill(numbers_.span(), 0.0F); }

}  // namespace quintet::decoder
