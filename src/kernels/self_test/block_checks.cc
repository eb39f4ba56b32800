#include "kernels/self_test/checks.h"

#include <algorithm>

namespace quintet {
namespace {

// The sizes are odd: no tile fits, every tail is reached.
constexpr size_t kRows = 7;
constexpr size_t kOutputs = 21;
constexpr size_t kPanels = (kOutputs + kPanelRows - 1) / kPanelRows;
constexpr size_t kBlocks = 2;
constexpr size_t kMaxCols = BlockMatrix::kSuperBlock;
constexpr size_t kMaxBlocks = kMaxCols / BlockMatrix::kSixBitBlock;

// Fills it with fixed values of the whole range of the bits; the first row has the least everywhere.
bool fill(BlockMatrix& matrix) {
  const unsigned bits = static_cast<unsigned>(matrix.bits());
  const auto scales = numbers<kBlocks>();
  Sequence sequence;
  for (size_t row = 0; row < kOutputs; ++row) {
    std::array<int8_t, kMaxCols> q;
    for (int8_t& value : q) {
      const int u = row == 0 ? 0 : static_cast<int>(sequence.next_bits() >> (32 - bits));
      value = static_cast<int8_t>(u - (1 << (bits - 1)));
    }
    if (!matrix.append_row(std::span(q).first(matrix.cols()), scales, scales)) return false;
  }
  return true;
}

// Fills it with any bytes, except for units of less than 2.
bool fill_super_blocks(BlockMatrix& matrix) {
  if (!matrix.extend(kOutputs)) return false;
  const size_t units_at = matrix.super_block() * matrix.record_bytes() + matrix.units_at();
  Sequence sequence;
  for (size_t p = 0; p < kPanels; ++p) {
    for (size_t i = 0; i < matrix.panel_bytes(); ++i) {
      const uint32_t mask = i >= units_at && i % 2 != 0 ? 0xbb : 0xff;
      matrix.panel(p)[i] = static_cast<std::byte>(sequence.next_bits() >> 24 & mask);
    }
  }
  return true;
}

struct Activations {
  alignas(16) std::array<std::byte, block_activation_bytes(kRows, kMaxBlocks)> q = {};
};

// All values of the first row have the same magnitude, the maximum.
Activations quantize(const Kernels& kernels, const BlockMatrix& matrix) {
  auto x = numbers<kRows * kMaxCols>();
  std::fill_n(x.begin(), kMaxCols, 1.0f);
  Activations activations;
  kernels.quantize_blocks({.x = {x.data(), kMaxCols},
                           .begin = 0,
                           .end = kRows,
                           .cols = matrix.cols(),
                           .groups = activation_groups(matrix),
                           .q = activations.q.data()});
  return activations;
}

using Outputs = std::array<float, kRows * kOutputs>;

Outputs run_gemm_blocks(const Kernels& kernels, const BlockMatrix& matrix) {
  const Activations activations = quantize(kernels, matrix);
  Outputs c = {};
  kernels.gemm_blocks({.q = activations.q.data(), .w = matrix, .c = {c.data(), kOutputs}}, {},
                      {0, kRows, 0, matrix.panels()});
  return c;
}

constexpr size_t kAdaptiveBlock = AdaptiveMatrix::kMaxBlock;
constexpr size_t kAdaptiveBlocks = 5;

// Blocks of all codes in turn, with the full range of each.
bool fill(AdaptiveMatrix& matrix) {
  Sequence sequence;
  for (size_t i = 0; i < kOutputs * kAdaptiveBlocks; ++i) {
    const auto code = static_cast<BlockCode>(i % kBlockCodes);
    std::array<int8_t, kAdaptiveBlock> q;
    std::array<uint16_t, kAdaptiveBlock> halves;
    const uint32_t unused_bits = code == BlockCode::int4 ? 28 : code == BlockCode::int5 ? 27 : 24;
    for (int8_t& value : q) value = static_cast<int8_t>(static_cast<int32_t>(sequence.next_bits()) >> unused_bits);
    for (uint16_t& half : halves) half = static_cast<uint16_t>((sequence.next_bits() >> 16) & 0xbbff);  // below 2
    const Status status =
        code == BlockCode::fp16 ? matrix.append_halves(halves) : matrix.append_block(code, q, sequence.next() / 128);
    if (!status) return false;
  }
  return true;
}

Outputs run_gemm_adaptive(const Kernels& kernels, const AdaptiveMatrix& matrix) {
  constexpr size_t kCols = kAdaptiveBlocks * kAdaptiveBlock;
  const auto values = numbers<kRows * kCols>();
  const ConstRows x = {values.data(), kCols};
  alignas(16) std::array<std::byte, block_activation_bytes(kRows, kAdaptiveBlocks)> q;
  kernels.quantize_blocks(
      {.x = x, .begin = 0, .end = kRows, .cols = kCols, .groups = {kAdaptiveBlock, kAdaptiveBlock}, .q = q.data()});
  Outputs c = {};
  kernels.gemm_adaptive({.x = x, .q = q.data(), .w = matrix, .c = {c.data(), kOutputs}}, {}, {0, kRows, 0, kPanels});
  return c;
}

}  // namespace

namespace checks {

bool gemm_blocks(const Kernels& kernels, const Kernels& definition) {
  const auto agree = [&](const BlockMatrix& matrix) {
    return same(run_gemm_blocks(kernels, matrix), run_gemm_blocks(definition, matrix));
  };
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::eight}) {
    for (const size_t block : {BlockMatrix::kMaxBlock, size_t{18}}) {
      BlockMatrix matrix({bits, kOutputs, kBlocks * block, block, Dtype::f16, true});
      if (!fill(matrix)) return false;
      if (!agree(matrix)) return false;
    }
  }
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::six, BlockBits::eight}) {
    const size_t block = bits == BlockBits::six ? BlockMatrix::kSixBitBlock : BlockMatrix::kMaxBlock;
    BlockMatrix matrix({bits, kOutputs, kMaxCols, block, Dtype::i8, bits < BlockBits::six});
    if (!fill_super_blocks(matrix) || !agree(matrix)) return false;
  }
  return true;
}

// The order of rows and integers differs between variants; the check of gemm_blocks shows whether they are right. The
// bytes before the integers of a block have the same form everywhere.
bool quantize_blocks(const Kernels& kernels, const Kernels& definition) {
  constexpr size_t kBlock = BlockMatrix::kMaxBlock;
  const auto x = numbers<kRows * kMaxCols>();
  for (size_t first = 0; first < x.size(); first += kBlock) {
    for (const size_t block : {kBlock, kBlock / 2}) {
      alignas(16) std::array<std::byte, block_activation_bytes(1, 2)> a = {}, b = {};
      QuantizeBlocksOperands operands = {.x = {x.data() + first, kBlock},
                                         .begin = 0,
                                         .end = 1,
                                         .cols = kBlock,
                                         .groups = {.block = block, .group = kBlock},
                                         .q = a.data()};
      kernels.quantize_blocks(operands);
      operands.q = b.data();
      definition.quantize_blocks(operands);
      if (std::memcmp(a.data(), b.data(), offsetof(ByteActivation, q)) != 0) return false;
    }
  }
  return true;
}

bool gemm_adaptive(const Kernels& kernels, const Kernels& definition) {
  AdaptiveMatrix matrix(kOutputs, kAdaptiveBlocks * kAdaptiveBlock, kAdaptiveBlock);
  return fill(matrix) && near(run_gemm_adaptive(kernels, matrix), run_gemm_adaptive(definition, matrix));
}

}  // namespace checks

}  // namespace quintet
