#include "models/decoder/projection_input.h"

#include <algorithm>

namespace quintet::decoder {
namespace {

size_t block_of(const PackedMatrix&) { return 0; }
size_t block_of(const BlockMatrix& w) { return w.block(); }
size_t block_of(const AdaptiveMatrix& w) { return w.block(); }

}  // namespace

Status ProjectionInput::reserve(const WeightMatrix& weight, size_t rows) {
  const size_t block = std::visit([](const auto& w) { return block_of(w); }, weight);
  if (block == 0) return {};
  auto entry = std::ranges::find(quantized_, block, &Quantized::block);
  if (entry == quantized_.end()) {
    quantized_.emplace_back().block = block;
    entry = quantized_.end() - 1;
  }
  return entry->rows.reserve(uint64_t{rows} * block_activation_bytes(cols_of(weight) / block));
}

void ProjectionInput::set(const float* x, size_t stride, size_t first, size_t end) {
  x_ = x;
  stride_ = stride;
  first_ = first;
  end_ = end;
  for (Quantized& entry : quantized_) entry.is_valid = false;
}

const std::byte* ProjectionInput::quantized(size_t block, size_t cols) {
  Quantized& entry = *std::ranges::find(quantized_, block, &Quantized::block);
  if (!entry.is_valid) {
    kernels_.quantize_blocks(x_ + first_ * stride_, stride_, end_ - first_, cols, block,
                             entry.rows.data() + first_ * block_activation_bytes(cols / block));
    entry.is_valid = true;
  }
  return entry.rows.data();
}

void ProjectionInput::multiply(const WeightMatrix& weight, float* c, size_t c_stride, const Epilogue& epilogue,
                               const GemmTile& tile) {
  std::visit([&](const auto& w) { multiply_by(w, c, c_stride, epilogue, tile); }, weight);
}

void ProjectionInput::multiply_by(const PackedMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                                  const GemmTile& tile) {
  kernels_.gemm_f32(x_, stride_, w, c, c_stride, epilogue, tile);
}

void ProjectionInput::multiply_by(const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                                  const GemmTile& tile) {
  kernels_.gemm_blocks(quantized(w.block(), w.cols()), w, c, c_stride, epilogue, tile);
}

// The kernel for differing precision takes whole rows from the first on.
void ProjectionInput::multiply_by(const AdaptiveMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                                  const GemmTile& tile) {
  const size_t first = tile.row_begin;
  const std::byte* q = quantized(w.block(), w.cols()) + first * block_activation_bytes(w.blocks());
  Epilogue from_first = epilogue;
  if (epilogue.residual != nullptr) from_first.residual += first * epilogue.residual_stride;
  kernels_.gemm_adaptive(x_ + first * stride_, stride_, q, w, c + first * c_stride, c_stride, from_first,
                         tile.row_end - first, tile.panel_begin * kPanelRows,
                         std::min(tile.panel_end * kPanelRows, w.rows()));
}

size_t ProjectionInput::bytes() const {
  size_t bytes = 0;
  for (const Quantized& entry : quantized_) bytes += entry.rows.capacity();
  return bytes;
}

}  // namespace quintet::decoder
