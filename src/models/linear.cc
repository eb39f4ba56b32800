#include "models/linear.h"

namespace quintet {

Status LinearInput::reserve(const PackedMatrix& weight, size_t rows, AlignedBuffer<uint8_t>& quantized,
                            AlignedBuffer<float>& scales) {
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
  const GemmTile all = {.row_begin = 0, .row_end = rows_, .panel_begin = 0, .panel_end = w.panels()};
  if (w.storage() != Storage::i8) {
    kernels_.gemm_f32(x_, stride_, w, c, c_stride, epilogue, all);
    return;
  }
  if (quantized_groups_ != w.groups()) {
    kernels_.quantize_rows(x_, stride_, rows_, cols_, w.groups(), quantized_.data(), scales_.data());
    quantized_groups_ = w.groups();
  }
  kernels_.gemm_i8(quantized_.data(), scales_.data(), w, c, c_stride, epilogue, all);
}

}  // namespace quintet
