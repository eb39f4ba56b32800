#include "bench/native/formats/seeded_values.h"

#include <algorithm>
#include <random>

namespace quintet::bench {
namespace {

// A prime, so that rows do not repeat.
constexpr size_t kPoolValues = 1048573;
constexpr uint64_t kStep = 40503;

}  // namespace

SeededValues::SeededValues() : pool_(kPoolValues) {
  std::minstd_rand random(1);
  for (float& value : pool_) value = static_cast<float>(random() % 2000001) * 1e-6f - 1;
}

std::span<const float> SeededValues::run(size_t tensor, uint64_t at, uint64_t most) const {
  const auto begin = static_cast<size_t>((at + tensor * kStep) % kPoolValues);
  const uint64_t count = std::min<uint64_t>(most, kPoolValues - begin);
  return std::span(pool_).subspan(begin, static_cast<size_t>(count));
}

}  // namespace quintet::bench
