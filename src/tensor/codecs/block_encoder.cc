#include "tensor/codecs/block_encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quintet {

BlockEncoder::BlockEncoder(const Quantization& quantization, uint64_t elements, uint64_t block, Accepts accepts)
    : quantization_(quantization), elements_(elements), block_(block == 0 ? elements : block), accepts_(accepts) {}

Status BlockEncoder::write(std::span<const float> values, std::vector<std::byte>& payload) {
  QUINTET_CHECK(check_values(values));
  received_ += values.size();
  const bool last = received_ == elements_;
  while (!values.empty()) {
    if (cut_.empty() && values.size() >= block_) {
      const size_t block = static_cast<size_t>(block_);
      QUINTET_CHECK(encode_block(values.first(block), payload));
      values = values.subspan(block);
      continue;
    }
    const size_t missing = static_cast<size_t>(std::min<uint64_t>(block_ - cut_.size(), values.size()));
    keep(values.first(missing));
    values = values.subspan(missing);
    if (cut_.size() < block_ && !(last && values.empty())) return {};
    QUINTET_CHECK(encode_block(cut_, payload));
    cut_.clear();
  }
  return {};
}

Status BlockEncoder::finish(std::vector<std::byte>& payload) {
  if (received_ != elements_) {
    return input_error(Reason::mismatch, "a tensor of " + std::to_string(elements_) + " values got " +
                                             std::to_string(received_) + " of them");
  }
  append_rest(payload);
  return {};
}

Status BlockEncoder::check_values(std::span<const float> values) const {
  if (values.size() > elements_ - received_) {
    return input_error(Reason::mismatch, "more values than the " + std::to_string(elements_) + " that the tensor has");
  }
  if (accepts_ == Accepts::all_values) return {};
  bool finite = true;
  for (const float value : values) finite &= std::isfinite(value);
  if (finite) return {};
  const auto culprit = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  const uint64_t index = received_ + static_cast<uint64_t>(culprit - values.begin());
  return input_error(Reason::out_of_range, "value " + std::to_string(index) + " is not finite and cannot be quantized");
}

// Memory grows with the values that came, by halves, and never beyond the block.
void BlockEncoder::keep(std::span<const float> values) {
  const size_t wanted = cut_.size() + values.size();
  if (wanted > cut_.capacity()) {
    const uint64_t ahead = uint64_t{cut_.capacity()} + cut_.capacity() / 2;
    cut_.reserve(static_cast<size_t>(std::max<uint64_t>(wanted, std::min(ahead, block_))));
  }
  cut_.insert(cut_.end(), values.begin(), values.end());
}

}  // namespace quintet
