#include "models/packed_projection.h"

#include "models/panel_partition.h"

namespace quintet {

Status ProjectionScratch::reserve(const PackedMatrix& weight, size_t rows) {
  if (weight.storage() != Storage::i8) return {};
  QUINTET_CHECK(quantized.reserve(uint64_t{rows} * weight.quads() * kActivationQuadBytes));
  return scales.reserve(rows);
}

void PackedProjection::multiply(const Activations& x, std::initializer_list<PackedProduct> products) const {
  size_t quantized_groups = 0;  // for which x is quantized; 0: not yet
  for (const PackedProduct& product : products) {
    const PackedMatrix& w = product.layer.matrix;
    if (w.storage() == Storage::i8 && quantized_groups != w.groups()) {
      quantize(x, w);
      quantized_groups = w.groups();
    }
    multiply(x, product);
  }
}

void PackedProjection::quantize(const Activations& x, const PackedMatrix& w) const {
  kernels_.quantize_rows({.x = x.rows.from_row(x.begin),
                          .rows = x.count(),
                          .cols = w.cols(),
                          .groups = w.groups(),
                          .q = scratch_.quantized.data(),
                          .scales = scratch_.scales.data()});
}

void PackedProjection::multiply(const Activations& x, const PackedProduct& product) const {
  const PackedMatrix& w = product.layer.matrix;
  Epilogue epilogue = product.epilogue;
  epilogue.bias = product.layer.bias.size() == 0 ? nullptr : product.layer.bias.data();
  if (workers_ == Workers::one) return multiply_panels(x, w, product.c, epilogue, {0, w.panels()});
  const PanelPartition panels(w.panels(), uint64_t{x.count()} * w.cols() * kPanelRows);
  parallel_for(panels.parts(), [&](size_t part, size_t) {
    multiply_panels(x, w, product.c, epilogue, {panels.begin(part), panels.end(part)});
  });
}

void PackedProjection::multiply_panels(const Activations& x, const PackedMatrix& w, const Rows& c,
                                       const Epilogue& epilogue, PanelRange panels) const {
  if (w.storage() == Storage::i8) {
    const GemmI8Operands operands = {
        .q = scratch_.quantized.data(), .scales = scratch_.scales.data(), .rows = x.count(), .w = w, .c = c};
    kernels_.gemm_i8(operands, epilogue, panels);
  } else {
    const GemmTile tile = {.row_begin = 0, .row_end = x.count(), .panel_begin = panels.begin, .panel_end = panels.end};
    kernels_.gemm_f32({.a = x.rows.from_row(x.begin), .w = w, .c = c}, epilogue, tile);
  }
}

}  // namespace quintet
