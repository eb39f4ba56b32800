#include "kernels/self_test/checks.h"

namespace quintet {
namespace {

// Odd sizes: no tile fits, every tail is reached.
constexpr size_t kRows = 7;
constexpr size_t kCols = 75;

using Rows = std::array<float, kRows * kCols>;

constexpr size_t kHeadDim = 44;  // a group of its own with a tail
constexpr size_t kPositions = 5;

struct KvRows {
  KvRowLayout layout;
  std::array<std::byte, kPositions * kHeadDim * sizeof(float)> bytes;
};

bool make_kv_rows(KvType type, KvRows& rows) {
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
    KvRows rows;
    if (!make_kv_rows(type, rows) || !works(rows)) return false;
  }
  return true;
}

}  // namespace

namespace checks {

bool rms_norm_rows(const Kernels& kernels, const Kernels& definition) {
  const Rows x = numbers<kRows * kCols>();
  Rows a = {}, b = {};
  kernels.rms_norm_rows(x.data(), kCols, kRows, kCols, x.data(), 1e-5f, a.data(), kCols);
  definition.rms_norm_rows(x.data(), kCols, kRows, kCols, x.data(), 1e-5f, b.data(), kCols);
  return near(a, b);
}

bool rotate_heads(const Kernels& kernels, const Kernels& definition) {
  const auto angles = numbers<kCols>();
  Rows a = numbers<kRows * kCols>();
  Rows b = a;
  constexpr size_t kRotated = 46;
  kernels.rotate_heads(a.data(), kRows, kCols, kRotated, angles.data(), angles.data() + kRotated / 2);
  definition.rotate_heads(b.data(), kRows, kCols, kRotated, angles.data(), angles.data() + kRotated / 2);
  return near(a, b);
}

bool mlp_activation(const Kernels& kernels, const Kernels& definition) {
  Rows gate = numbers<kRows * kCols>();
  for (float& value : gate) value *= 8;
  const Rows up = numbers<kRows * kCols>();
  for (const Activation activation :
       {Activation::silu, Activation::gelu_erf, Activation::gelu_tanh, Activation::relu}) {
    Rows a = {}, b = {};
    kernels.mlp_activation(activation, gate.data(), up.data(), gate.size(), a.data());
    definition.mlp_activation(activation, gate.data(), up.data(), gate.size(), b.data());
    if (!near(a, b)) return false;
  }
  return true;
}

bool soft_cap(const Kernels& kernels, const Kernels& definition) {
  constexpr float kCap = 0.75F;
  Rows a = numbers<kRows * kCols>();
  Rows b = a;
  kernels.soft_cap(a.data(), a.size(), kCap);
  definition.soft_cap(b.data(), b.size(), kCap);
  return near(a, b);
}

bool qk_scores(const Kernels& kernels, const Kernels& definition) {
  const Rows query = numbers<kRows * kCols>();
  return work_for_all_types([&](const KvRows& keys) {
    std::array<float, kRows * kPositions> a = {}, b = {};
    kernels.qk_scores(query.data(), kCols, kRows, keys.layout, keys.bytes.data(), kPositions, 0.125f, a.data(),
                      kPositions);
    definition.qk_scores(query.data(), kCols, kRows, keys.layout, keys.bytes.data(), kPositions, 0.125f, b.data(),
                         kPositions);
    return near(a, b);
  });
}

bool attention_value(const Kernels& kernels, const Kernels& definition) {
  const auto weights = numbers<kRows * kPositions>();
  return work_for_all_types([&](const KvRows& values) {
    Rows a = numbers<kRows * kCols>();
    Rows b = a;
    kernels.attention_value(weights.data(), kPositions, kRows, values.layout, values.bytes.data(), kPositions, a.data(),
                            kCols);
    definition.attention_value(weights.data(), kPositions, kRows, values.layout, values.bytes.data(), kPositions,
                               b.data(), kCols);
    return near(a, b);
  });
}

}  // namespace checks

}  // namespace quintet
