#include "tensor/codecs/piecewise.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quintet {

Status PiecewiseReader::write(Bytes piece) {
  return steps_.feed_steps(
      piece, [this] { return step_bytes(); },
      [this](Bytes bytes) -> Result<size_t> {
        if (step_bytes() != 0) return take(bytes);
        return fail(Code::format, Reason::trailing, "the payload continues after its last value");
      });
}

Status PiecewiseReader::finish() {
  if (step_bytes() == 0) return {};
  return fail(Code::format, Reason::truncated, "the payload ends before its last value");
}

BlockEncoder::BlockEncoder(const Quantization& quantization, uint64_t elements, uint64_t block, Accepts accepts)
    : quantization_(quantization), elements_(elements), block_(block == 0 ? elements : block), accepts_(accepts) {}

Status BlockEncoder::write(std::span<const float> values, std::vector<std::byte>& payload) {
  QUINTET_CHECK(check_values(values));
  received_ += values.size();
  const auto encode = [&](std::span<const float> blocks) -> Status {
    const auto block = static_cast<size_t>(block_);
    for (; !blocks.empty(); blocks = blocks.subspan(block)) QUINTET_CHECK(encode_block(blocks.first(block), payload));
    return {};
  };
  QUINTET_CHECK(blocks_.feed(values, block_, encode));
  if (received_ != elements_ || blocks_.partial().empty()) return {};
  QUINTET_CHECK(encode_block(blocks_.partial(), payload));
  blocks_.clear();
  return {};
}

Status BlockEncoder::finish(std::vector<std::byte>& payload) {
  if (received_ != elements_) {
    return input_error(Reason::mismatch, "a tensor of {} values received {}", elements_, received_);
  }
  append_rest(payload);
  return {};
}

Status BlockEncoder::check_values(std::span<const float> values) const {
  if (values.size() > elements_ - received_) {
    return input_error(Reason::mismatch, "more values than the {} that the tensor has", elements_);
  }
  if (accepts_ == Accepts::all_values) return {};
  bool finite = true;
  for (const float value : values) finite &= std::isfinite(value);
  if (finite) return {};
  const auto culprit = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  const uint64_t index = received_ + static_cast<uint64_t>(culprit - values.begin());
  return input_error(Reason::out_of_range, "value {} is not finite and cannot be quantized", index);
}

}  // namespace quintet
