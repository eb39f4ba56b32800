// Low-rank adapters in a pass of tokens (adapter.h). Each sequence has its own.

#include <algorithm>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

bool Pass::has_adapters() const {
  return std::ranges::any_of(segments, [](const Segment& segment) { return !segment.adapters.empty(); });
}

Status Pass::reserve_adapters(size_t count) {
  size_t rank = 0;
  for (const Segment& segment : segments) {
    for (const ScaledAdapter& used : segment.adapters) rank = std::max(rank, used.adapter->max_rank());
  }
  return low_rank_.reserve(uint64_t{count} * rank);
}

// Adds the products of each row's adapters for the matrix of a product, after it.
Task<> Pass::add_adapters(Activations in, Product product) {
  if (product.weight == nullptr) co_return;
  const auto owner = [this](size_t row) { return gathered_from.empty() ? segment_of[row] : gathered_from[row]; };
  for (size_t begin = product.first, end; begin < in.end; begin = end) {
    end = begin + 1;
    while (end < in.end && owner(end) == owner(begin)) ++end;
    product.first = begin;
    for (const ScaledAdapter& used : owner(begin)->adapters) {
      co_await add_adapter(used, {in.rows, begin, end}, product);
    }
  }
}

// The rows are those of one sequence.
Task<> Pass::add_adapter(const ScaledAdapter& used, Activations in, Product product) {
  const LowRank* part = used.adapter->find(product.weight);
  if (part == nullptr) co_return;
  const PackedMatrix &down = part->down(), &up = part->up();
  const size_t rows = in.count();
  const Rows inner = {low_rank_.data(), part->rank()}, out = product.c.from_row(in.begin);
  for_rows(0, rows, [&](size_t begin, size_t end) {
    kernels.gemm_f32({.a = in.rows.from_row(in.begin), .w = down, .c = inner}, {.alpha = used.scale * part->scale},
                     {.row_begin = begin, .row_end = end, .panel_begin = 0, .panel_end = down.panels()});
  });
  const PanelPartition parts(up.panels(), uint64_t{kPanelRows} * part->rank() * rows);
  parallel_for(parts.parts(), [&](size_t some, size_t) {
    kernels.gemm_f32({.a = inner, .w = up, .c = out}, {.residual = out},
                     {.row_begin = 0, .row_end = rows, .panel_begin = parts.begin(some), .panel_end = parts.end(some)});
  });
  co_await pace.spend(uint64_t{rows} * part->rank() * (down.cols() + up.rows()));
}

}  // namespace quintet::decoder
