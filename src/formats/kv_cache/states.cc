#include "formats/kv_cache/states.h"

#include <algorithm>
#include <functional>
#include <string>

#include "formats/kv_cache/metadata.h"

namespace quintet::kv {
namespace {

constexpr std::string_view kCheckpoints = "checkpoints";

// Limit of one layer: in a matrix of states, each side is at most as wide as the model.
constexpr uint64_t kMaxValues = uint64_t{1} << 28;

bool is_in_range(uint64_t number, uint64_t max) { return number >= 1 && number <= max; }

Status read_sizes(const FirstStates& first, States& states) {
  if (const TensorInfo* info = first.convolution; info != nullptr) {
    const std::vector<uint64_t>& sizes = info->shape;
    if (sizes.size() != 3 || !is_in_range(sizes[1], kMaxKernel) || !is_in_range(sizes[2], kMaxWidth)) {
      return wrong_tensor(*info, Reason::mismatch, "expected [checkpoints, inputs, channels], found {}",
                          shape_text(sizes));
    }
    states.inputs = sizes[1];
    states.channels = sizes[2];
  }
  if (const TensorInfo* info = first.recurrence; info != nullptr) {
    if (info->shape.size() != 2 || !is_in_range(info->shape[1], kMaxValues)) {
      return wrong_tensor(*info, Reason::mismatch, "expected [checkpoints, values], found {}", shape_text(info->shape));
    }
    states.values = info->shape[1];
  }
  return {};
}

}  // namespace

Result<States> read_states(const FirstStates& first, const Json& metadata, uint64_t positions) {
  States states;
  QUINTET_CHECK(read_sizes(first, states));
  const std::string* text = find_text(metadata, kCheckpoints);
  if (text == nullptr) {
    if (positions != 0) states.checkpoints.push_back(static_cast<uint32_t>(positions));
    return states;
  }
  auto lengths = naturals(*text);
  // No two are the same, none is 0, and the last is the length.
  const bool is_ascending = lengths && std::ranges::adjacent_find(*lengths, std::greater_equal()) == lengths->end();
  if (!is_ascending || lengths->empty() || lengths->front() == 0 || lengths->back() != positions) {
    return wrong_metadata(kCheckpoints, text, lengths ? Reason::mismatch : Reason::malformed,
                          formatted("ascending numbers separated by commas, the last of them {}", positions));
  }
  states.checkpoints = *std::move(lengths);
  return states;
}

void write_checkpoints(const States& states, Json& metadata) {
  metadata.remove(kCheckpoints);
  if (!states.checkpoints.empty()) metadata.set(kCheckpoints, text_of(states.checkpoints));
}

}  // namespace quintet::kv
