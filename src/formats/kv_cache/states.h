#pragma once
// The states of recurrent layers in a KV cache file. A state is that after all positions before it, so that it belongs
// to a length; the file has it for the length of the cache, and for shorter ones to which a session can go back.

#include <cstdint>
#include <vector>

#include "base/flag_list.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::kv {

struct States {
  FlagList layers = {};                    // those with a state; may be shorter than the layers
  uint64_t inputs = 0;                     // that the convolution of a layer needs again
  uint64_t channels = 0;                   // of the convolution; 0: none
  uint64_t values = 0;                     // of the rest of a layer's state; 0: none
  std::vector<uint32_t> checkpoints = {};  // the lengths, ascending; the last is that of the cache

  bool has(uint64_t layer) const { return layer < layers.size() && layers[static_cast<size_t>(layer)]; }
};

// The first tensor of each kind; null if there is none.
struct FirstStates {
  const TensorInfo* convolution = nullptr;
  const TensorInfo* recurrence = nullptr;
};

// Sizes and checkpoints, without the layers. Metadata without `checkpoints` mean a single one, at the end. FORMAT if
// the sizes are not those of any model, or if the checkpoints are not one for each state, ascending, up to `positions`.
Result<States> read_states(const FirstStates& first, const Json& metadata, uint64_t positions);

void write_checkpoints(const States& states, Json& metadata);

}  // namespace quintet::kv
