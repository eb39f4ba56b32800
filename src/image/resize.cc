#include "image/resize.h"

#include <algorithm>
#include <string>

#include "image/resampling.h"

namespace quintet {
namespace {

// The weighted mean of samples with distance `stride`, rounded as in PIL. A mean of some million samples, all of whose
// weights were rounded up, may leave the range of the sum; it wraps round as PIL's does.
uint8_t weighted_mean(const uint8_t* samples, size_t stride, std::span<const int32_t> weights) {
  uint32_t sum = 1 << (kWeightBits - 1);
  for (size_t i = 0; i < weights.size(); ++i) sum += static_cast<uint32_t>(samples[i * stride] * weights[i]);
  return static_cast<uint8_t>(std::clamp(static_cast<int32_t>(sum) >> kWeightBits, 0, 255));
}

}  // namespace

Status check_pixels(const Pixels& pixels) {
  const auto refuse = [&](Reason reason, const std::string& detail) {
    return input_error(reason, "a picture of {} x {} pixels {}", pixels.width, pixels.height, detail);
  };
  const uint64_t count = uint64_t{pixels.width} * pixels.height;
  if (count == 0) return refuse(Reason::out_of_range, "is empty");
  if (count > kMaxPixels) {
    return refuse(Reason::limit, formatted("is too large: at most {} pixels are allowed", kMaxPixels));
  }
  if (pixels.channels != 1 && pixels.channels != 3 && pixels.channels != 4) {
    return refuse(Reason::out_of_range, formatted("has {} channels; 1, 3 and 4 are supported", pixels.channels));
  }
  if (pixels.samples.size() != count * pixels.channels) {
    return refuse(Reason::mismatch, formatted("with {} channels has {} samples, not {}", pixels.channels,
                                              count * pixels.channels, pixels.samples.size()));
  }
  return {};
}

Result<AlignedBuffer<uint8_t>> resize(const Pixels& pixels, const ResampledAxis& horizontal,
                                      const ResampledAxis& vertical, ResizeFilter filter) {
  QUINTET_TRY(const Resampling columns, Resampling::make(horizontal, filter));
  QUINTET_TRY(const Resampling rows, Resampling::make(vertical, filter));
  const size_t channels = pixels.channels;
  const size_t old_row = size_t{pixels.width} * channels;
  const size_t new_row = size_t{horizontal.count} * channels;

  // First along the rows, as in PIL, since the order affects rounding. Only rows that the second pass reads. PIL skips
  // a pass that changes no size; here it is not skipped, as each filter leaves the samples of such an axis as they are.
  const uint32_t first = rows.first();
  const uint64_t between = uint64_t{rows.end() - first} * new_row;
  if (between > 4 * kMaxPixels) {
    return input_error(Reason::limit, "a picture of {} x {} pixels is too thin to be scaled to {} x {}", pixels.width,
                       pixels.height, horizontal.scaled, vertical.scaled);
  }
  AlignedBuffer<uint8_t> narrowed;  // [rows.end() - first][horizontal.count][channels]
  QUINTET_CHECK(narrowed.resize_uninitialized(between));
  for (uint32_t y = first; y < rows.end(); ++y) {
    const uint8_t* from = pixels.samples.data() + y * old_row;
    uint8_t* to = narrowed.data() + (y - first) * new_row;
    for (uint32_t x = 0; x < horizontal.count; ++x) {
      const Resampling::Source source = columns.source(x);
      for (size_t c = 0; c < channels; ++c) {
        *to++ = weighted_mean(from + source.begin * channels + c, channels, source.weights);
      }
    }
  }

  AlignedBuffer<uint8_t> resized;
  QUINTET_CHECK(resized.resize_uninitialized(uint64_t{vertical.count} * new_row));
  for (uint32_t y = 0; y < vertical.count; ++y) {
    const Resampling::Source source = rows.source(y);
    const uint8_t* from = narrowed.data() + (source.begin - first) * new_row;
    uint8_t* to = resized.data() + y * new_row;
    for (size_t i = 0; i < new_row; ++i) to[i] = weighted_mean(from + i, new_row, source.weights);
  }
  return resized;
}

}  // namespace quintet
