#include "bench/native/kernels/benchmarks.h"

#include <cstdio>

#include "base/aligned_buffer.h"
#include "kernels/registry.h"

namespace quintet::bench {
namespace {

struct Type {
  BlockBits bits;
  bool super_blocks = false;
};
constexpr Type kTypes[] = {{BlockBits::four},       {BlockBits::five},       {BlockBits::eight},
                           {BlockBits::four, true}, {BlockBits::five, true}, {BlockBits::six, true}};

struct Shape {
  size_t outputs, depth;
};
constexpr Shape kPromptShapes[] = {{2048, 2048}, {5632, 2048}, {2048, 5632}};
constexpr size_t kPromptRows[] = {5, 32, 64};
// Larger than all caches.
constexpr Shape kStreamed = {180'000, 2048};
constexpr Shape kCached = {256, 2048};

// Random bytes, with small units.
BlockMatrix random_super_blocks(BlockBits bits, Shape shape) {
  const size_t block = bits == BlockBits::six ? BlockMatrix::kSixBitBlock : BlockMatrix::kMaxBlock;
  BlockMatrix matrix({bits, shape.outputs, shape.depth, block, Dtype::i8, bits != BlockBits::six});
  if (!matrix.reserve() || !matrix.extend(shape.outputs)) std::abort();
  const size_t units_at = matrix.super_block() * matrix.record_bytes() + matrix.units_at();
  const size_t bytes = matrix.super_block() * matrix.record_bytes() + matrix.super_block_bytes();
  std::minstd_rand random(1);
  for (size_t i = 0; i < matrix.panels() * matrix.panel_bytes(); ++i) {
    const bool upper = i % bytes >= units_at && i % 2 != 0;  // of a half
    matrix.panel(0)[i] = static_cast<std::byte>(upper ? 0x14 : random() >> 8);
  }
  return matrix;
}

// Some random rows, again and again.
BlockMatrix random_weights(Type type, Shape shape, size_t block = BlockMatrix::kMaxBlock) {
  const BlockBits bits = type.bits;
  if (type.super_blocks) return random_super_blocks(bits, shape);
  const int range = 1 << static_cast<int>(bits);
  std::minstd_rand random(1);
  std::vector<std::vector<int8_t>> rows(13);
  for (auto& row : rows) {
    row.resize(shape.depth);
    for (int8_t& q : row)
      q = static_cast<int8_t>(static_cast<int>(random() / 7 % static_cast<unsigned>(range)) - range / 2);
  }
  BlockMatrix matrix({.bits = bits, .rows = shape.outputs, .cols = shape.depth, .block = block});
  const std::vector<float> scales(matrix.blocks(), 0.0009765625f);
  if (!matrix.reserve()) std::abort();
  for (size_t r = 0; r < shape.outputs; ++r) {
    if (!matrix.append_row(rows[r % rows.size()], scales)) std::abort();
  }
  return matrix;
}

class Product {
 public:
  Product(const BlockMatrix& w, size_t rows)
      : w_(w), rows_(rows), x_(random_floats(rows * w.cols())), c_(rows * w.rows()) {
    if (!q_.resize(block_activation_bytes(rows, w.blocks()))) std::abort();
  }

  void quantize(const Kernels& kernels) {
    kernels.quantize_blocks({.x = {x_.data(), w_.cols()},
                             .begin = 0,
                             .end = rows_,
                             .cols = w_.cols(),
                             .groups = activation_groups(w_),
                             .q = q_.data()});
  }
  void run(const Kernels& kernels) { run(kernels, w_.panels()); }

  // Compares the first panels alone, because the definition is slow.
  bool agrees(const Kernels& kernels, size_t panels) {
    const Kernels& definition = *compiled_kernels().front();
    quantize(definition);
    run(definition, panels);
    const std::vector<float> expected = c_;
    quantize(kernels);
    run(kernels, panels);
    return largest_difference(c_, expected) == 0;
  }

 private:
  void run(const Kernels& kernels, size_t panels) {
    kernels.gemm_blocks({.q = q_.data(), .w = w_, .c = {c_.data(), w_.rows()}}, {}, {0, rows_, 0, panels});
  }

  const BlockMatrix& w_;
  size_t rows_;
  std::vector<float> x_, c_;
  AlignedBuffer<std::byte> q_;
};

bool bench(const BlockMatrix& w, size_t rows) {
  Product product(w, rows);
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    const int bits = static_cast<int>(w.bits());
    std::printf("gemm_blocks %d bits%s %-8.*s M=%-3zu N=%-6zu K=%-5zu", bits,
                w.layout().has_super_blocks() ? ", super-blocks" : "", static_cast<int>(kernels->name.size()),
                kernels->name.data(), rows, w.rows(), w.cols());
    if (!product.agrees(*kernels, std::min<size_t>(w.panels(), 8))) {
      std::puts(" is wrong");
      return false;
    }
    const double seconds = best_seconds([&] { product.run(*kernels); });
    const double quantizing = best_seconds([&] { product.quantize(*kernels); });
    const double products = static_cast<double>(rows) * static_cast<double>(w.rows() * w.cols());
    std::printf(" %7.2f GMAC/s %6.2f GB/s, quantize_blocks %.2f Gvalues/s\n", products / seconds / 1e9,
                static_cast<double>(w.panels() * w.panel_bytes()) / seconds / 1e9,
                static_cast<double>(rows * w.cols()) / quantizing / 1e9);
  }
  return true;
}

}  // namespace

bool bench_blocks(const Peaks&) {
  for (const Type type : kTypes) {
    const BlockMatrix cached = random_weights(type, kCached);
    if (!bench(cached, 1)) return false;
    const BlockMatrix streamed = random_weights(type, kStreamed);
    if (!bench(streamed, 1)) return false;
  }
  for (const Type type : kTypes) {
    for (const Shape shape : kPromptShapes) {
      const BlockMatrix w = random_weights(type, shape);
      for (const size_t rows : kPromptRows) {
        if (!bench(w, rows)) return false;
      }
    }
    if (type.super_blocks) continue;
    const BlockMatrix small_blocks = random_weights(type, kPromptShapes[0], 16);
    for (const size_t rows : {size_t{1}, size_t{64}}) {
      if (!bench(small_blocks, rows)) return false;
    }
  }
  return true;
}

}  // namespace quintet::bench
