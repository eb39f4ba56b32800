#include "tensor/codecs/iq_grids.h"

#include "tensor/codecs/iq_grid_data.h"

namespace quintet::iq {
namespace {

constexpr int8_t kLevelsOfIq2[] = {8, 25, 43};
constexpr int8_t kLevelsOfIq3Xxs[] = {4, 12, 20, 28, 36, 44, 52, 62};
constexpr int8_t kLevelsOfIq3S[] = {1, 3, 5, 7, 9, 11, 13, 15};
constexpr int8_t kLevelsOfIq1[] = {-1, 0, 1};

template <class Increment, size_t kPoints>
std::span<const Increment> points(const Increment (&increments)[kPoints]) {
  return increments;
}

}  // namespace

// Once for all grids: each is built where it is first used, so this would otherwise be there six times.
template <class Increment>
[[gnu::noinline]] Grid::Grid(std::span<const Increment> increments, std::span<const int8_t> levels, size_t dimensions)
    : dimensions_(dimensions) {
  coordinates_.reserve(increments.size() * dimensions);
  size_t code = 0;
  for (const Increment increment : increments) {
    code += increment;
    size_t rest = code;
    for (size_t i = 0; i < dimensions; ++i, rest /= levels.size()) {
      coordinates_.push_back(levels[rest % levels.size()]);
    }
  }
}

const Grid& iq2_xxs_grid() {
  static const Grid grid(points(kIq2Xxs), kLevelsOfIq2, 8);
  return grid;
}

const Grid& iq2_xs_grid() {
  static const Grid grid(points(kIq2Xs), kLevelsOfIq2, 8);
  return grid;
}

const Grid& iq2_s_grid() {
  static const Grid grid(points(kIq2S), kLevelsOfIq2, 8);
  return grid;
}

const Grid& iq3_xxs_grid() {
  static const Grid grid(points(kIq3Xxs), kLevelsOfIq3Xxs, 4);
  return grid;
}

const Grid& iq3_s_grid() {
  static const Grid grid(points(kIq3S), kLevelsOfIq3S, 4);
  return grid;
}

const Grid& iq1_grid() {
  static const Grid grid(points(kIq1S), kLevelsOfIq1, 8);
  return grid;
}

}  // namespace quintet::iq
