#pragma once
// The grids of ggml's IQ types: fixed sets of points in 4 or 8 dimensions, of which a block names one for every 4 or 8
// values (ggml-common.h; the points of IQ1 and IQ2 are from the lattice E8, as in QuIP#, arXiv:2402.04396).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quintet::iq {

class Grid {
 public:
  // `levels`: the possible coordinates; `increments`: of the points, in ascending order, as numbers in that base.
  template <class Increment>
  Grid(std::span<const Increment> increments, std::span<const int8_t> levels, size_t dimensions);

  const int8_t* point(size_t index) const { return coordinates_.data() + index * dimensions_; }
  size_t points() const { return coordinates_.size() / dimensions_; }
  size_t dimensions() const { return dimensions_; }

 private:
  size_t dimensions_;
  std::vector<int8_t> coordinates_;
};

// Built by their first use.
const Grid& iq2_xxs_grid();
const Grid& iq2_xs_grid();
const Grid& iq2_s_grid();
const Grid& iq3_xxs_grid();
const Grid& iq3_s_grid();
const Grid& iq1_grid();

}  // namespace quintet::iq
