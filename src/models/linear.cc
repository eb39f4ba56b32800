#include "models/linear.h"

#include "models/panel_partition.h"

namespace quintet {

Status LinearScratch::reserve(const PackedMatrix& weight, size_t rows) {
  if (weight.storage() != Storage::i8) return {};
  QUINTET_CHECK(quantized.reserve(uint64_t{rows} * weight.quads() * kActivationQuadBytes));
  return scales.reserve(rows);
}

void LinearInput::set(const ConstRows& x, size_t rows, size_t cols) {
  x_ = x;
  rows_ = rows;
  cols_ = cols;
  quantized_groups_ = 0;
}

void LinearInput::apply(const PackedModule& layer, const Rows& c, const Epilogue& without_bias) {
  const PackedMatrix& w = layer.matrix;
  Epilogue epilogue = without_bias;
  epilogue.bias = layer.bias.size() == 0 ? nullptr : layer.bias.data();
  if (w.storage() == Storage::i8 && quantized_groups_ != w.groups()) {
    kernels_.quantize_rows({.x = x_,
                            .rows = rows_,
                            .cols = cols_,
                            .groups = w.groups(),
                            .q = scratch_.quantized.data(),
                            .scales = scratch_.scales.data()});
    quantized_groups_ = w.groups();
  }
  if (workers_ == Workers::one) return multiply(w, c, epilogue, {0, w.panels()});
  const PanelPartition panels(w.panels(), uint64_t{rows_} * cols_ * kPanelRows);
  parallel_for(panels.parts(),
               [&](size_t part, size_t) { multiply(w, c, epilogue, {panels.begin(part), panels.end(part)}); });
}

void LinearInput::multiply(const PackedMatrix& w, const Rows& c, const Epilogue& epilogue, PanelRange panels) const {
  if (w.storage() == Storage::i8) {
    const GemmI8Operands operands = {
        .q = scratch_.quantized.data(), .scales = scratch_.scales.data(), .rows = rows_, .w = w, .c = c};
    kernels_.gemm_i8(operands, epilogue, panels);
  } else {
    const GemmTile tile = {.row_begin = 0, .row_end = rows_, .panel_begin = panels.begin, .panel_end = panels.end};
    kernels_.gemm_f32({.a = x_, .w = w, .c = c}, epilogue, tile);
  }
}

}  // namespace quintet
