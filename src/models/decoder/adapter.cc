#include "models/decoder/adapter.h"

#include <algorithm>
#include <functional>

#include "tensor/finite.h"

namespace quintet::decoder {
namespace {

bool is_finite(const WeightMatrix& matrix) {
  std::vector<float> row(cols_of(matrix));
  for (size_t i = 0; i < rows_of(matrix); ++i) {
    read_row(matrix, i, row.data());
    if (!all_finite(row)) return false;
  }
  return true;
}

}  // namespace

const LowRank* Adapter::find(const WeightMatrix* matrix) const {
  const auto found = std::ranges::lower_bound(parts, matrix, std::less(), &LowRank::matrix);
  return found == parts.end() || found->matrix != matrix ? nullptr : &*found;
}

LowRank& Adapter::part_of(const WeightMatrix* matrix) {
  const auto found = std::ranges::lower_bound(parts, matrix, std::less(), &LowRank::matrix);
  if (found != parts.end() && found->matrix == matrix) return *found;
  return *parts.insert(found, LowRank{.matrix = matrix, .a = {}, .b = {}});
}

size_t Adapter::max_rank() const {
  size_t max = 0;
  for (const LowRank& part : parts) max = std::max(max, part.rank());
  return max;
}

Status Adapter::check_finite() const {
  for (const LowRank& part : parts) {
    if (is_finite(part.a) && is_finite(part.b)) continue;
    return fail(Code::format, Reason::malformed, "the adapter has values that are not finite");
  }
  return {};
}

}  // namespace quintet::decoder
