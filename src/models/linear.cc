#include "models/linear.h"

#include "models/panel_partition.h"

namespace quintet {

Status LinearScratch::reserve(const PackedMatrix& weight, size_t rows) {
  if (weight.storage() != Storage::i8) return {};
  QUINTET_CHECK(quantized.reserve(uint64_t{rows} * weight.quads() * kActivationQuadBytes));
  return scales.reserve(rows);
}

void LinearInput::set(const float* x, size_t stride, size_t rows, size_t cols) {
  x_ = x;
  stride_ = stride;
  rows_ = rows;
  cols_ = cols;
  quantized_groups_ = 0;
}

void LinearInput::apply(const Linear& layer, float* c, size_t c_stride, Epilogue epilogue) {
  const PackedMatrix& w = layer.weight;
  epilogue.bias = layer.bias.size() == 0 ? nullptr : layer.bias.data();
  if (w.storage() == Storage::i8 && quantized_groups_ != w.groups()) {
    kernels_.quantize_rows(x_, stride_, rows_, cols_, w.groups(), scratch_.quantized.data(), scratch_.scales.data());
    quantized_groups_ = w.groups();
  }
  if (workers_ == Workers::one) return multiply(w, c, c_stride, epilogue, 0, w.panels());
  const PanelPartition panels(w.panels(), uint64_t{rows_} * cols_ * kPanelRows);
  parallel_for(panels.parts(),
               [&](size_t part, size_t) { multiply(w, c, c_stride, epilogue, panels.begin(part), panels.end(part)); });
}

void LinearInput::multiply(const PackedMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                           size_t panel_begin, size_t panel_end) const {
  if (w.storage() == Storage::i8) {
    kernels_.gemm_i8(scratch_.quantized.data(), scratch_.scales.data(), rows_, w, {panel_begin, panel_end}, c, c_stride,
                     epilogue);
  } else {
    const GemmTile tile = {.row_begin = 0, .row_end = rows_, .panel_begin = panel_begin, .panel_end = panel_end};
    kernels_.gemm_f32(x_, stride_, w, c, c_stride, epilogue, tile);
  }
}

}  // namespace quintet
