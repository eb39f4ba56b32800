#include "kernels/self_test/checks.h"

namespace quintet {
namespace {

// The sizes are odd: no tile fits, every tail is reached.
constexpr size_t kRows = 7;
constexpr size_t kCols = 75;

using Values = std::array<float, kRows * kCols>;

constexpr size_t kHeadDim = 44;  // another group, with a tail
constexpr size_t kPositions = 5;

struct EncodedRows {
  KvRows view() const { return {.layout = layout, .data = bytes.data(), .count = kPositions}; }

  KvRowLayout layout;
  std::array<std::byte, kPositions * kHeadDim * sizeof(float)> bytes;
};

bool encode(KvType type, EncodedRows& rows) {
  const auto layout = kv_row_layout(type, kHeadDim);
  if (!layout) return false;
  rows.layout = *layout;
  const auto values = numbers<kPositions * kHeadDim>();
  for (size_t i = 0; i < kPositions; ++i) {
    encode_kv_row(rows.layout, values.data() + i * kHeadDim, rows.bytes.data() + i * rows.layout.bytes);
  }
  return true;
}

// Calls works(rows) for rows of each type.
template <class Works>
bool work_for_all_types(Works works) {
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
    EncodedRows rows;
    if (!encode(type, rows) || !works(rows)) return false;
  }
  return true;
}

}  // namespace

namespace checks {

bool rms_norm_rows(const Kernels& kernels, const Kernels& definition) {
  const Values x = numbers<kRows * kCols>();
  Values a = {}, b = {};
  NormOperands operands = {.x = {x.data(), kCols},
                           .rows = kRows,
                           .cols = kCols,
                           .gamma = x.data(),
                           .epsilon = 1e-5f,
                           .y = {a.data(), kCols}};
  kernels.rms_norm_rows(operands);
  operands.y.data = b.data();
  definition.rms_norm_rows(operands);
  return near(a, b);
}

bool rotate_heads(const Kernels& kernels, const Kernels& definition) {
  const auto angles = numbers<kCols>();
  Values a = numbers<kRows * kCols>();
  Values b = a;
  constexpr size_t kRotated = 46;
  RotationOperands operands = {.x = a.data(),
                               .heads = kRows,
                               .head_dim = kCols,
                               .rope_dim = kRotated,
                               .cosines = angles.data(),
                               .sines = angles.data() + kRotated / 2};
  kernels.rotate_heads(operands);
  operands.x = b.data();
  definition.rotate_heads(operands);
  return near(a, b);
}

bool mlp_activation(const Kernels& kernels, const Kernels& definition) {
  const Values gate = numbers<kRows * kCols>(8);
  const Values up = numbers<kRows * kCols>();
  for (const Activation activation :
       {Activation::silu, Activation::gelu_erf, Activation::gelu_tanh, Activation::relu, Activation::relu_squared}) {
    Values a = {}, b = {};
    MlpActivationOperands operands = {
        .activation = activation, .gate = gate.data(), .up = up.data(), .count = gate.size(), .y = a.data()};
    kernels.mlp_activation(operands);
    operands.y = b.data();
    definition.mlp_activation(operands);
    if (!near(a, b)) return false;
  }
  return true;
}

bool soft_cap(const Kernels& kernels, const Kernels& definition) {
  constexpr float kCap = 0.75F;
  Values a = numbers<kRows * kCols>();
  Values b = a;
  kernels.soft_cap(a.data(), a.size(), kCap);
  definition.soft_cap(b.data(), b.size(), kCap);
  return near(a, b);
}

bool qk_scores(const Kernels& kernels, const Kernels& definition) {
  const Values query = numbers<kRows * kCols>();
  return work_for_all_types([&](const EncodedRows& keys) {
    std::array<float, kRows * kPositions> a = {}, b = {};
    ScoreOperands operands = {.queries = {query.data(), kCols},
                              .rows = kRows,
                              .keys = keys.view(),
                              .alpha = 0.125f,
                              .scores = {a.data(), kPositions}};
    kernels.qk_scores(operands);
    operands.scores.data = b.data();
    definition.qk_scores(operands);
    return near(a, b);
  });
}

bool attention_value(const Kernels& kernels, const Kernels& definition) {
  const auto weights = numbers<kRows * kPositions>();
  return work_for_all_types([&](const EncodedRows& values) {
    Values a = numbers<kRows * kCols>();
    Values b = a;
    ValueOperands operands = {
        .weights = {weights.data(), kPositions}, .rows = kRows, .values = values.view(), .out = {a.data(), kCols}};
    kernels.attention_value(operands);
    operands.out.data = b.data();
    definition.attention_value(operands);
    return near(a, b);
  });
}

}  // namespace checks

}  // namespace quintet
