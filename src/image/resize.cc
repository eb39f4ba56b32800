#include "image/resize.h"

#include <algorithm>

namespace quintet {
namespace {

// The weighted mean of samples that lie `stride` apart, rounded as PIL rounds.
uint8_t weighted_mean(const uint8_t* samples, size_t stride, std::span<const int32_t> weights) {
  int32_t sum = 1 << (Resampling::kFractionBits - 1);
  for (size_t i = 0; i < weights.size(); ++i) sum += samples[i * stride] * weights[i];
  return static_cast<uint8_t>(std::clamp(sum >> Resampling::kFractionBits, 0, 255));
}

}  // namespace

Result<AlignedBuffer<uint8_t>> resize(const Pixels& pixels, const ResampledAxis& horizontal,
                                      const ResampledAxis& vertical) {
  QUINTET_TRY(const Resampling columns, Resampling::make(horizontal));
  QUINTET_TRY(const Resampling rows, Resampling::make(vertical));
  const size_t channels = pixels.channels;
  const size_t old_row = size_t{pixels.width} * channels;
  const size_t new_row = size_t{horizontal.count} * channels;

  // First the columns, as PIL does: the order shows in the rounding. Only rows that the second pass reads.
  const uint32_t first = rows.first();
  AlignedBuffer<uint8_t> narrowed;  // [rows.end() - first][horizontal.count][channels]
  QUINTET_CHECK(narrowed.resize_uninitialized(uint64_t{rows.end() - first} * new_row));
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
