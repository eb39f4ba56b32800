#pragma once
// The products of queries and tiles of rows in late interaction. A `Dot` has
//   kValues                  values that a 32-bit lane of its operands has
//   load(p)                  the values of four lanes
//   add(sum, row, query)     adds the products of each lane
//   add_offset(sum, row)     adds to `sum` what the products of a row are too large by

#include <algorithm>

#include "kernels/generic/loops.h"
#include "kernels/late_interaction.h"
#include "kernels/wasm_simd.h"

namespace quintet::simd128 {

// Rows of one group have their values in the four lanes of a vector.
constexpr size_t kGroupRows = 4;
constexpr size_t kTileGroups = kTileRows / kGroupRows;

// Rows `first` and following; those after `last` are `last` again, which changes no maximum.
struct RowTile {
  const int8_t* rows;
  size_t bytes, first, last;

  size_t row(size_t i) const { return std::min(first + i, last); }
};

// lanes[step][group]: the same values of four rows. Subtracts the offset of each row from `starts`.
template <size_t kGroups, class Dot>
void interleave(const Dot& dot, const RowTile& tile, v128_t* lanes, v128_t (&starts)[kGroups]) {
  for (size_t g = 0; g < kGroups; ++g) {
    const int8_t* rows[kGroupRows];
    for (size_t i = 0; i < kGroupRows; ++i) rows[i] = tile.rows + tile.row(g * kGroupRows + i) * tile.bytes;
    v128_t offset = wasm_i32x4_splat(0);
    v128_t* out = lanes + g;
    for (size_t j = 0; j < tile.bytes; j += 4 * Dot::kValues) {
      v128_t v[kGroupRows];
      for (size_t i = 0; i < kGroupRows; ++i) v[i] = Dot::load(rows[i] + j);
      const v128_t ab_low = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5);
      const v128_t ab_high = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
      const v128_t cd_low = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
      const v128_t cd_high = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
      out[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
      out[kGroups] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
      out[2 * kGroups] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
      out[3 * kGroups] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
      for (size_t i = 0; i < 4; ++i) offset = dot.add_offset(offset, out[i * kGroups]);
      out += 4 * kGroups;
    }
    starts[g] = wasm_i32x4_neg(offset);
  }
}

// The scales of a group, as doubles of two rows each.
using GroupScales = v128_t[2];

template <size_t kGroups>
void keep_largest(const v128_t (&products)[kGroups], const GroupScales (&scales)[kGroups], double& largest) {
  v128_t best = wasm_f64x2_splat(largest);
  for (size_t g = 0; g < kGroups; ++g) {
    const v128_t upper = wasm_i64x2_shuffle(products[g], products[g], 1, 1);
    best = wasm_f64x2_pmax(best, wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(products[g]), scales[g][0]));
    best = wasm_f64x2_pmax(best, wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(upper), scales[g][1]));
  }
  largest = std::max(wasm_f64x2_extract_lane(best, 0), wasm_f64x2_extract_lane(best, 1));
}

// Two queries at a time, whose sums and the rows of a tile are as many vectors as there are registers. The last query
// of an odd number is compared twice.
template <size_t kGroups, class Dot>
void multiply_tile(const Dot& dot, const PreparedQueries& queries, const RowTile& tile, const float* scales,
                   v128_t* rows, double* largest) {
  v128_t starts[kGroups];
  interleave(dot, tile, rows, starts);
  GroupScales wide[kGroups];
  for (size_t i = 0; i < kGroups * kGroupRows; i += 2) {
    wide[i / kGroupRows][i % kGroupRows / 2] = wasm_f64x2_make(scales[tile.row(i)], scales[tile.row(i + 1)]);
  }
  const size_t steps = tile.bytes / Dot::kValues;
  for (size_t q = 0; q < queries.count; q += 2) {
    const size_t next = std::min(q + 1, queries.count - 1);
    const int32_t* a = queries.lanes + q * steps;
    const int32_t* b = queries.lanes + next * steps;
    v128_t of_a[kGroups], of_b[kGroups];
    for (size_t g = 0; g < kGroups; ++g) of_a[g] = of_b[g] = starts[g];
    const v128_t* row = rows;
    QUINTET_KEEP_LOOP
    for (size_t j = 0; j < steps; ++j, row += kGroups) {
      const v128_t lane_of_a = wasm_v128_load32_splat(a + j), lane_of_b = wasm_v128_load32_splat(b + j);
      for (size_t g = 0; g < kGroups; ++g) {
        of_a[g] = Dot::add(of_a[g], row[g], lane_of_a);
        of_b[g] = Dot::add(of_b[g], row[g], lane_of_b);
      }
    }
    keep_largest(of_a, wide, largest[q]);
    keep_largest(of_b, wide, largest[next]);
  }
}

template <class Dot>
void multiply_tiles(const Dot& dot, const PreparedQueries& queries, const VectorRun& rows, const float* scales,
                    void* tile, double* largest) {
  if (queries.count == 0) return;
  for (size_t first = 0; first < rows.count; first += kTileRows) {
    const RowTile all = {reinterpret_cast<const int8_t*>(rows.data), rows.bytes, first, rows.count - 1};
    const bool is_large = rows.count - first > kTileRows / 2;
    const auto multiply = is_large ? multiply_tile<kTileGroups, Dot> : multiply_tile<kTileGroups / 2, Dot>;
    multiply(dot, queries, all, scales, static_cast<v128_t*>(tile), largest);
  }
}

}  // namespace quintet::simd128
