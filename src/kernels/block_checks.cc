#include "kernels/block_checks.h"

#include <algorithm>

#include "kernels/block_activations.h"

namespace quintet {
namespace {

// Odd sizes: no tile fits, every tail is reached.
constexpr size_t kRows = 7;
constexpr size_t kOutputs = 21;
constexpr size_t kBlocks = 2;
constexpr size_t kMostCols = kBlocks * BlockMatrix::kMaxBlock;

// Fixed values of the whole range of the bits; the first row has the least everywhere.
bool fill(BlockMatrix& matrix) {
  const unsigned bits = static_cast<unsigned>(matrix.bits());
  const auto scales = numbers<kBlocks>();
  Sequence sequence;
  for (size_t row = 0; row < kOutputs; ++row) {
    std::array<int8_t, kMostCols> q;
    for (int8_t& value : q) {
      const int u = row == 0 ? 0 : static_cast<int>(sequence.next_bits() >> (32 - bits));
      value = static_cast<int8_t>(u - (1 << (bits - 1)));
    }
    if (!matrix.append_row(std::span(q).first(matrix.cols()), scales, scales)) return false;
  }
  return true;
}

struct Activations {
  alignas(16) std::array<std::byte, kRows * block_activation_bytes(kBlocks)> q = {};
};

// All of the first row have the same magnitude and are as far from 0 as they can be.
Activations quantize(const Kernels& kernels, size_t block) {
  auto x = numbers<kRows * kMostCols>();
  std::fill_n(x.begin(), kMostCols, 1.0f);
  Activations activations;
  kernels.quantize_blocks(x.data(), kMostCols, kRows, kBlocks * block, block, activations.q.data());
  return activations;
}

using Outputs = std::array<float, kRows * kOutputs>;

Outputs run_gemm_blocks(const Kernels& kernels, const BlockMatrix& matrix) {
  const Activations activations = quantize(kernels, matrix.block());
  Outputs c = {};
  kernels.gemm_blocks(activations.q.data(), matrix, c.data(), kOutputs, {}, {0, kRows, 0, matrix.panels()});
  return c;
}

bool gemm_blocks_works(const Kernels& kernels, const Kernels& definition) {
  for (const BlockBits bits : {BlockBits::four, BlockBits::five, BlockBits::eight}) {
    for (const size_t block : {BlockMatrix::kMaxBlock, size_t{18}}) {
      BlockMatrix matrix({bits, kOutputs, kBlocks * block, block, Dtype::f16, true});
      if (!fill(matrix)) return false;
      if (!same(run_gemm_blocks(kernels, matrix), run_gemm_blocks(definition, matrix))) return false;
    }
  }
  return true;
}

// The integers' order is the variant's own; gemm_blocks_works sees whether they mean the same. What precedes them has
// one form.
bool quantize_blocks_works(const Kernels& kernels, const Kernels& definition) {
  const Activations a = quantize(kernels, BlockMatrix::kMaxBlock);
  const Activations b = quantize(definition, BlockMatrix::kMaxBlock);
  for (size_t row = 0; row < kRows; ++row) {
    const size_t first = row * block_activation_bytes(kBlocks);
    if (std::memcmp(a.q.data() + first, b.q.data() + first, offsetof(ByteActivation, q)) != 0) return false;
  }
  return true;
}

constexpr KernelCheck kChecks[] = {
    {"quantize_blocks", quantize_blocks_works},
    {"gemm_blocks", gemm_blocks_works},
};

}  // namespace

std::span<const KernelCheck> block_checks() { return kChecks; }

}  // namespace quintet
