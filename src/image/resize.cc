#include "image/resize.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quintet {
namespace {

constexpr int kFractionBits = 22;

double triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

int32_t fixed_point(double weight) { return static_cast<int32_t>(0.5 + weight * (1 << kFractionBits)); }

// Resampling of one axis of a picture. Each new sample is a weighted mean of old ones, with a triangle filter as wide
// as two new samples, or two old ones if those are wider. As in PIL, weights are integers with 22 fractional bits, so
// the samples are bit-identical to PIL's.
class Resampling {
 public:
  static Result<Resampling> make(const ResampledAxis& axis);

  // The old samples that new sample i (of `count`) reads, and their weights.
  struct Source {
    uint32_t begin;
    std::span<const int32_t> weights;
  };
  Source source(uint32_t i) const {
    return {begins_[i], {weights_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]}};
  }
  // All old samples that are read are in [first, end).
  uint32_t first() const { return begins_[0]; }
  uint32_t end() const;

 private:
  AlignedBuffer<uint32_t> begins_;  // [count]
  AlignedBuffer<size_t> offsets_;   // [count + 1] into weights_
  AlignedBuffer<int32_t> weights_;
};

Result<Resampling> Resampling::make(const ResampledAxis& axis) {
  const double scale = static_cast<double>(axis.length) / static_cast<double>(axis.scaled);
  const double radius = std::max(scale, 1.0);

  Resampling result;
  QUINTET_CHECK(result.begins_.resize(axis.count));
  QUINTET_CHECK(result.offsets_.resize(uint64_t{axis.count} + 1));
  QUINTET_CHECK(result.weights_.reserve(axis.count * (static_cast<uint64_t>(2 * radius) + 2)));
  for (uint32_t i = 0; i < axis.count; ++i) {
    const double center = (static_cast<double>(axis.begin + i) + 0.5) * scale;
    const uint64_t begin = static_cast<uint64_t>(std::max(0.0, center - radius + 0.5));
    const uint64_t end = std::min(static_cast<uint64_t>(center + radius + 0.5), axis.length);
    const auto weight = [&](uint64_t sample) {
      return triangle((static_cast<double>(sample) - center + 0.5) / radius);
    };
    double sum = 0;
    for (uint64_t sample = begin; sample < end; ++sample) sum += weight(sample);

    const size_t offset = result.weights_.size();
    QUINTET_CHECK(result.weights_.resize(offset + (end - begin)));
    for (uint64_t sample = begin; sample < end; ++sample) {
      result.weights_[offset + static_cast<size_t>(sample - begin)] = fixed_point(weight(sample) / sum);
    }
    result.begins_[i] = static_cast<uint32_t>(begin);
    result.offsets_[i + 1] = result.weights_.size();
  }
  return result;
}

uint32_t Resampling::end() const {
  const Source last = source(static_cast<uint32_t>(begins_.size() - 1));
  return last.begin + static_cast<uint32_t>(last.weights.size());
}

// The weighted mean of samples with distance `stride`, rounded as in PIL.
uint8_t weighted_mean(const uint8_t* samples, size_t stride, std::span<const int32_t> weights) {
  int32_t sum = 1 << (kFractionBits - 1);
  for (size_t i = 0; i < weights.size(); ++i) sum += samples[i * stride] * weights[i];
  return static_cast<uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
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
                                      const ResampledAxis& vertical) {
  QUINTET_TRY(const Resampling columns, Resampling::make(horizontal));
  QUINTET_TRY(const Resampling rows, Resampling::make(vertical));
  const size_t channels = pixels.channels;
  const size_t old_row = size_t{pixels.width} * channels;
  const size_t new_row = size_t{horizontal.count} * channels;

  // First along the rows, as in PIL, since the order affects rounding. Only rows that the second pass reads.
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
