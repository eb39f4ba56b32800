#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// The weights of one output feature within its panel.
struct Feature {
  const int8_t* weights;      // quad i at i * kPanelRows * kQuad
  const float* scales;        // group g at g * kPanelRows
  const int32_t* zero_terms;  // likewise
};

Feature feature(const PackedMatrix& w, size_t n) {
  const size_t panel = n / kPanelRows;
  const size_t lane = n % kPanelRows;
  return {w.panel_i8(panel) + lane * kQuad, w.scales(panel) + lane, w.zero_terms(panel) + lane};
}

int32_t dot(const uint8_t* q, const int8_t* weights, size_t quads) {
  int32_t sum = 0;
  for (size_t i = 0; i < quads; ++i) {
    for (size_t j = 0; j < kQuad; ++j) sum += q[i * kQuad + j] * weights[i * kPanelRows * kQuad + j];
  }
  return sum;
}

// The sum of the row in units of its scale.
float sum_of_groups(const uint8_t* q, const Feature& f, size_t groups, size_t group_quads) {
  float sum = 0;
  for (size_t g = 0; g < groups; ++g) {
    const size_t first = g * group_quads * kQuad;
    const int32_t exact = dot(q + first, f.weights + first * kPanelRows, group_quads) - f.zero_terms[g * kPanelRows];
    sum += f.scales[g * kPanelRows] * static_cast<float>(exact);
  }
  return sum;
}

}  // namespace

void gemm_i8(const GemmI8Operands& in, const Epilogue& epilogue, PanelRange panels) {
  const PackedMatrix& w = in.w;
  const size_t row_bytes = w.quads() * kQuad;
  const size_t n_end = std::min(panels.end * kPanelRows, w.rows());
  for (size_t m = 0; m < in.rows; ++m) {
    for (size_t n = panels.begin * kPanelRows; n < n_end; ++n) {
      const float sum = sum_of_groups(in.q + m * row_bytes, feature(w, n), w.groups(), w.group_quads());
      in.c.row(m)[n] = finish(in.scales[m] * sum, epilogue, m, n);
    }
  }
}

}  // namespace quintet::scalar
