#include "kernels/decoder_checks.h"

namespace quintet {
namespace {

// Odd sizes: no tile fits, every tail is reached.
constexpr size_t kRows = 7;
constexpr size_t kCols = 75;

using Rows = std::array<float, kRows * kCols>;

bool rms_norm_rows_works(const Kernels& kernels, const Kernels& definition) {
  const Rows x = numbers<kRows * kCols>();
  Rows a = {}, b = {};
  kernels.rms_norm_rows(x.data(), kCols, kRows, kCols, x.data(), 1e-5f, a.data(), kCols);
  definition.rms_norm_rows(x.data(), kCols, kRows, kCols, x.data(), 1e-5f, b.data(), kCols);
  return near(a, b);
}

bool rotate_heads_works(const Kernels& kernels, const Kernels& definition) {
  const auto angles = numbers<kCols>();
  Rows a = numbers<kRows * kCols>();
  Rows b = a;
  constexpr size_t kRotated = 46;
  kernels.rotate_heads(a.data(), kRows, kCols, kRotated, angles.data(), angles.data() + kRotated / 2);
  definition.rotate_heads(b.data(), kRows, kCols, kRotated, angles.data(), angles.data() + kRotated / 2);
  return near(a, b);
}

bool gate_elements_works(const Kernels& kernels, const Kernels& definition) {
  Rows gate = numbers<kRows * kCols>();
  for (float& value : gate) value *= 8;
  const Rows up = numbers<kRows * kCols>();
  for (const Gate activation : {Gate::silu, Gate::gelu_erf, Gate::gelu_tanh, Gate::relu}) {
    Rows a = {}, b = {};
    kernels.gate_elements(activation, gate.data(), up.data(), gate.size(), a.data());
    definition.gate_elements(activation, gate.data(), up.data(), gate.size(), b.data());
    if (!near(a, b)) return false;
  }
  return true;
}

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

bool kv_scores_works(const Kernels& kernels, const Kernels& definition) {
  const Rows query = numbers<kRows * kCols>();
  return work_for_all_types([&](const KvRows& keys) {
    std::array<float, kRows * kPositions> a = {}, b = {};
    kernels.kv_scores(query.data(), kCols, kRows, keys.layout, keys.bytes.data(), kPositions, 0.125f, a.data(),
                      kPositions);
    definition.kv_scores(query.data(), kCols, kRows, keys.layout, keys.bytes.data(), kPositions, 0.125f, b.data(),
                         kPositions);
    return near(a, b);
  });
}

bool kv_mix_works(const Kernels& kernels, const Kernels& definition) {
  const auto weights = numbers<kRows * kPositions>();
  return work_for_all_types([&](const KvRows& values) {
    Rows a = numbers<kRows * kCols>();
    Rows b = a;
    kernels.kv_mix(weights.data(), kPositions, kRows, values.layout, values.bytes.data(), kPositions, a.data(), kCols);
    definition.kv_mix(weights.data(), kPositions, kRows, values.layout, values.bytes.data(), kPositions, b.data(),
                      kCols);
    return near(a, b);
  });
}

constexpr size_t kBlock = AdaptiveMatrix::kMaxBlock;
constexpr size_t kBlocks = 5;
constexpr size_t kOutputs = 11;

// Blocks of all codes in turn, with the whole range of each.
bool fill(AdaptiveMatrix& matrix) {
  Sequence sequence;
  for (size_t i = 0; i < kOutputs * kBlocks; ++i) {
    const auto code = static_cast<BlockCode>(i % kBlockCodes);
    std::array<int8_t, kBlock> q;
    std::array<uint16_t, kBlock> halves;
    const uint32_t unused_bits = code == BlockCode::int4 ? 28 : code == BlockCode::int5 ? 27 : 24;
    for (int8_t& value : q) value = static_cast<int8_t>(static_cast<int32_t>(sequence.next_bits()) >> unused_bits);
    for (uint16_t& half : halves) half = static_cast<uint16_t>((sequence.next_bits() >> 16) & 0xbbff);  // below 2
    const Status status =
        code == BlockCode::fp16 ? matrix.append_halves(halves) : matrix.append_block(code, q, sequence.next() / 128);
    if (!status) return false;
  }
  return true;
}

using Outputs = std::array<float, kRows * kOutputs>;

Outputs run_gemm_adaptive(const Kernels& kernels, const AdaptiveMatrix& matrix) {
  const auto x = numbers<kRows * kBlocks * kBlock>();
  alignas(16) std::array<std::byte, kRows * block_activation_bytes(kBlocks)> q;
  kernels.quantize_blocks(x.data(), kBlocks * kBlock, kRows, kBlocks * kBlock, kBlock, q.data());
  Outputs c = {};
  kernels.gemm_adaptive(x.data(), kBlocks * kBlock, q.data(), matrix, c.data(), kOutputs, {}, kRows, 0, kOutputs);
  return c;
}

bool gemm_adaptive_works(const Kernels& kernels, const Kernels& definition) {
  AdaptiveMatrix matrix(kOutputs, kBlocks * kBlock, kBlock);
  return fill(matrix) && near(run_gemm_adaptive(kernels, matrix), run_gemm_adaptive(definition, matrix));
}

constexpr KernelCheck kChecks[] = {
    {"rms_norm_rows", rms_norm_rows_works},
    {"rotate_heads", rotate_heads_works},
    {"gate_elements", gate_elements_works},
    {"kv_scores", kv_scores_works},
    {"kv_mix", kv_mix_works},
    {"gemm_adaptive", gemm_adaptive_works},
};

}  // namespace

std::span<const KernelCheck> decoder_checks() { return kChecks; }

}  // namespace quintet
