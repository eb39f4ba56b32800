#include "tensor/codecs/iq_grids.h"

#include "tensor/codecs/iq_grid_data.h"

namespace quintet::iq {
namespace {

constexpr int8_t kLevelsOfIq2[] = {8, 25, 43};
constexpr int8_t kLevelsOfIq3Xxs[] = {4, 12, 20, 28, 36, 44, 52, 62};
constexpr int8_t kLevelsOfIq3S[] = {1, 3, 5, 7, 9, 11, 13, 15};
constexpr int8_t kLevelsOfIq1[] = {-1, 0, 1};

}  // namespace

const Grid& iq2_xxs_grid() {
  static const Grid grid(kIq2Xxs, kLevelsOfIq2, 8);
  return grid;
}

const Grid& iq2_xs_grid() {
  static const Grid grid(kIq2Xs, kLevelsOfIq2, 8);
  return grid;
}

const Grid& iq2_s_grid() {
  static const Grid grid(kIq2S, kLevelsOfIq2, 8);
  return grid;
}

const Grid& iq3_xxs_grid() {
  static const Grid grid(kIq3Xxs, kLevelsOfIq3Xxs, 4);
  return grid;
}

const Grid& iq3_s_grid() {
  static const Grid grid(kIq3S, kLevelsOfIq3S, 4);
  return grid;
}

const Grid& iq1_grid() {
  static const Grid grid(kIq1S, kLevelsOfIq1, 8);
  return grid;
}

}  // namespace quintet::iq
