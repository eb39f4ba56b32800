#include "models/encoder/distance_bias.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace quintet::encoder {
namespace {

// 2^(-8 (i + 1) / count) for a power of two `count`, from square roots: std::exp2 has a table of 2 KB.
double slope_of(size_t i, size_t count) {
  const size_t exponent = 8 * (i + 1);
  double slope = 1 / static_cast<double>(size_t{1} << (exponent / count));
  double root = 0.5;
  for (size_t bit = count / 2; bit > 0; bit /= 2) {
    root = std::sqrt(root);
    if ((exponent & bit) != 0) slope *= root;
  }
  return slope;
}

// The slopes of ALiBi (Press et al. 2021, arXiv:2108.12409): a geometric sequence for a power of two heads; further
// heads get every second one of the sequence for twice as many.
double alibi_slope(size_t head, size_t heads) {
  const size_t power = std::bit_floor(heads);
  return head < power ? slope_of(head, power) : slope_of(2 * (head - power), 2 * power);
}

// T5's buckets in both directions (Raffel et al. 2019, arXiv:1910.10683) of MPNet: half of them are for keys after the
// query. In each half, 8 are single distances; then there are two for every doubling of the distance, of which the last
// has no end. Computed with integers, because a rounded logarithm would miss the limits.
size_t bucket_of(size_t query, size_t key, size_t buckets) {
  const size_t half = buckets / 2;
  const size_t single = half / 2;
  const size_t first = key > query ? half : 0;
  const uint64_t distance = key > query ? key - query : query - key;
  if (distance < single) return first + static_cast<size_t>(distance);
  const auto doublings_of_square = std::bit_width(distance * distance) - std::bit_width(uint64_t{single} * single);
  return first + std::min(half - 1, single + static_cast<size_t>(doublings_of_square));
}

}  // namespace

float DistanceBias::value_of(size_t head, size_t query, size_t key) const {
  if (config_.distance_buckets != 0) {
    return learned_[bucket_of(query, key, static_cast<size_t>(config_.distance_buckets)) * heads_ + head];
  }
  const size_t distance = key > query ? key - query : query - key;
  return static_cast<float>(-alibi_slope(head, heads_) * static_cast<double>(distance));
}

Status DistanceBias::prepare(size_t longest) {
  if (!exists() || longest <= longest_) return {};
  const size_t distances = 2 * longest - 1;
  QUINTET_CHECK(values_.resize_uninitialized(uint64_t{heads_} * distances));
  longest_ = longest;
  float* value = values_.data();
  for (size_t head = 0; head < heads_; ++head) {
    for (size_t key = longest - 1; key > 0; --key) *value++ = value_of(head, key, 0);
    for (size_t key = 0; key < longest; ++key) *value++ = value_of(head, 0, key);
  }
  return {};
}

}  // namespace quintet::encoder
