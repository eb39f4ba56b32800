#pragma once
// The kernels of one instruction set, as a table of functions. `scalar` is the definition: it is
// written to be read, and every other variant is tested against it through this list
// (kernels/registry.h).
//
// All matrices are row-major; a stride is a distance in elements. Every element of a result depends
// only on its own row of the activations and is summed in an order that does not depend on the
// other rows: a text's vector is the same bits alone or in any batch.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/convolution.h"
#include "tensor/packed/adaptive_matrix.h"
#include "tensor/packed/block_matrix.h"
#include "tensor/packed/kv_rows.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

enum class Activation : uint8_t { none, gelu_erf };

// How a decoder's MLP bends: x * sigmoid(x), GELU with erf and with tanh, max(x, 0).
enum class Gate : uint8_t { silu, gelu_erf, gelu_tanh, relu };

// What happens to a GEMM's sum before it is stored: c = activation(sum * alpha + bias) + residual.
struct Epilogue {
  float alpha = 1;
  const float* bias = nullptr;  // [n]
  Activation activation = Activation::none;
  const float* residual = nullptr;  // [m][residual_stride]; may be c itself
  size_t residual_stride = 0;
};

// The part of a result that one call computes: rows [row_begin, row_end), panels [panel_begin,
// panel_end). A tile is the unit of work of a thread.
struct GemmTile {
  size_t row_begin, row_end;
  size_t panel_begin, panel_end;
};

// c [m][n] = epilogue(a [m][k] . w^T). Weights in f16 and bf16 are widened as they are loaded.
using GemmF32 = void (*)(const float* a, size_t a_stride, const PackedMatrix& w, float* c, size_t c_stride,
                         const Epilogue& epilogue, const GemmTile& tile);

// The same on bare f32 panels ([ceil(n / 8)][k][8]), for operands made at run time (attention).
using GemmPanelsF32 = void (*)(const float* a, size_t a_stride, size_t m, const float* panels, size_t n, size_t k,
                               float* c, size_t c_stride, const Epilogue& epilogue);

// Room for a quad of quantized activations in whatever form the variant's int8 GEMM reads it.
constexpr size_t kActivationQuadBytes = 8;

// Activations for the int8 GEMM of the same variant: per row one scale and w.quads() quads, the
// columns of each weight group padded to whole quads with kActivationZero. q = round_half_even(x /
// scale) + kActivationZero, scale = max|x| / 63; a row of zeros has scale 0, one that is not finite
// NaN. `q` has room for rows * quads * kActivationQuadBytes.
using QuantizeRows = void (*)(const float* x, size_t x_stride, size_t rows, size_t cols, size_t groups, uint8_t* q,
                              float* scales);

// c [m][n] = epilogue(scale[m] * sum over groups g of w.scale[n][g] * (dot_g(q[m], w[n]) -
// zero_term[n][g])). The dots are exact 32-bit integers; the float steps are the same in every
// variant, so results are equal bit for bit (the activation excepted, whose polynomial may be
// fused).
using GemmI8 = void (*)(const uint8_t* q, const float* scales, const PackedMatrix& w, float* c, size_t c_stride,
                        const Epilogue& epilogue, const GemmTile& tile);

// In place, row by row: x = exp(x - max) / sum.
using SoftmaxRows = void (*)(float* x, size_t x_stride, size_t rows, size_t cols);

// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, row by row; y may be x.
using LayerNormRows = void (*)(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma,
                               const float* beta, float epsilon, float* y, size_t y_stride);

// Packs x [rows][cols] into f32 panels over its rows ([ceil(rows / 8)][cols][8]): makes K^T of K.
using PackRows = void (*)(const float* x, size_t x_stride, size_t rows, size_t cols, float* panels);
// Packs x [rows][cols] into f32 panels over its columns ([ceil(cols / 8)][rows][8]): makes V's
// panels.
using PackColumns = void (*)(const float* x, size_t x_stride, size_t rows, size_t cols, float* panels);

// Bytes of one row of quantized activations for the block GEMM, in whatever form the variant reads it.
constexpr size_t block_activation_bytes(size_t blocks) {
  // 32 values of up to 16 bits, a scale, and what the variant needs of their sums.
  constexpr size_t kBlockActivationBytes = 96;
  return blocks * kBlockActivationBytes;
}

// Activations for the block GEMM of the same variant, in blocks of `block` columns (a divisor of cols, at most 32),
// each with a scale of its own: scale = max|x| / 127, q = round_half_even(x / scale) in [-127, 127]; a block of zeros
// has scale 0, one that is not finite NaN. Row r at q + r * block_activation_bytes(cols / block), 16-byte aligned.
using QuantizeBlocks = void (*)(const float* x, size_t x_stride, size_t rows, size_t cols, size_t block, std::byte* q);

// c [m][n] = epilogue(sum over blocks b, in order, of dot_b(q[m], w[n]) * (w.scale[n][b] * scale[m][b]) +
//                     w.offset[n][b] * (sum_b(q[m]) * scale[m][b])).
// Dots and sums are exact integers, and the float steps are not fused: results are the same bits in every variant, for
// one row as for many.
using GemmBlocks = void (*)(const std::byte* q, const BlockMatrix& w, float* c, size_t c_stride,
                            const Epilogue& epilogue, const GemmTile& tile);

// The same for weights whose blocks differ in precision, rows [n_begin, n_end) of w. Blocks in FP16 are multiplied with
// the float activations `x`, all others with `q`, which was quantized in the blocks of w. The blocks are added as they
// lie in a row, code by code; how many sums they are added to depends on the variant.
using GemmAdaptive = void (*)(const float* x, size_t x_stride, const std::byte* q, const AdaptiveMatrix& w, float* c,
                              size_t c_stride, const Epilogue& epilogue, size_t m, size_t n_begin, size_t n_end);

// y = x / sqrt(mean(x^2) + epsilon) * gamma, row by row (Zhang and Sennrich 2019, arXiv:1910.07467); y may be x.
using RmsNormRows = void (*)(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma,
                             float epsilon, float* y, size_t y_stride);

// Rotary position embedding (Su et al. 2021, arXiv:2104.09864) in place: pairs element i < rope_dim / 2 of each head
// with element i + rope_dim / 2 and turns the pair by the angle whose cosine and sine are given. x [heads][head_dim].
using RotateHeads = void (*)(float* x, size_t heads, size_t head_dim, size_t rope_dim, const float* cosines,
                             const float* sines);

// y = activation(gate) * up, elementwise; without `up` (null) y = activation(gate). y may be gate.
using GateElements = void (*)(Gate activation, const float* gate, const float* up, size_t count, float* y);

// scores[r][i] = alpha * (query[r] . key[i]) for `rows` queries [head_dim] and `count` keys.
using KvScores = void (*)(const float* query, size_t query_stride, size_t rows, const KvRowLayout& layout,
                          const std::byte* keys, size_t count, float alpha, float* scores, size_t scores_stride);

// out[r] += sum over i, in order, of weights[r][i] * value[i], for `rows` rows of weights and `count` values
// [head_dim].
using KvMix = void (*)(const float* weights, size_t weights_stride, size_t rows, const KvRowLayout& layout,
                       const std::byte* values, size_t count, float* out, size_t out_stride);

struct Kernels {
  std::string_view name;  // "scalar", "simd128", "relaxed"
  GemmF32 gemm_f32;
  GemmPanelsF32 gemm_panels_f32;
  QuantizeRows quantize_rows;
  GemmI8 gemm_i8;
  SoftmaxRows softmax_rows;
  LayerNormRows layer_norm_rows;
  PackRows pack_rows;
  PackColumns pack_columns;
  QuantizeBlocks quantize_blocks;
  GemmBlocks gemm_blocks;
  GemmAdaptive gemm_adaptive;
  RmsNormRows rms_norm_rows;
  RotateHeads rotate_heads;
  GateElements gate_elements;
  KvScores kv_scores;
  KvMix kv_mix;
  FloatConvolutionKernels float_convolution;
  StaticConvolutionKernels static_convolution;
  GroupedConvolutionKernels grouped_convolution;
  WidenPanels widen_panels;
};

}  // namespace quintet
