// A repacked matrix holds the values that the payload's decoder gives, for all sizes of blocks, rows and pieces.

#include "tensor/packed/repacker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tensor/block_types.h"
#include "tensor/finite.h"
#include "tests/kernels/thread_count.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

constexpr size_t kRows = 11;  // not a multiple of a panel's

std::vector<Scheme> gguf_schemes() {
  std::vector<Scheme> schemes;
  for (const BlockType& row : kBlockTypes) {
    if (row.codec == Codec::gguf) schemes.push_back(row.scheme);
  }
  return schemes;
}

// The places of the halves from which a block's scales and offsets are computed.
std::vector<size_t> halves_of(Scheme scheme) {
  if (scheme == Scheme::q6_k) return {208};
  if (scheme == Scheme::q2_k) return {80, 82};
  if (scheme == Scheme::q3_k) return {108};
  if (scheme == Scheme::mxfp4) return {};    // an exponent instead
  if (scheme == Scheme::iq1_m) return {54};  // the highest bits, above those of a scale
  if (scheme == Scheme::q8_k) return {2};    // the upper half of a float
  if (layout_of(scheme).has_offsets) return {0, 2};
  return {0};
}

void feed(ByteSink& repacker, Bytes payload, size_t piece) {
  while (!payload.empty()) {
    const Bytes front = payload.first(std::min(piece, payload.size()));
    ASSERT_TRUE(repacker.write(std::vector<std::byte>(front.begin(), front.end())));
    payload = payload.subspan(front.size());
  }
  ASSERT_TRUE(repacker.finish());
}

template <class Matrix>
void expect_rows(const Matrix& matrix, const std::vector<float>& expected, float tolerance) {
  ASSERT_EQ(expected.size(), matrix.rows() * matrix.cols());
  std::vector<float> row(matrix.cols());
  for (size_t r = 0; r < matrix.rows(); ++r) {
    matrix.read_row(r, row.data());
    for (size_t c = 0; c < row.size(); ++c) {
      ASSERT_NEAR(row[c], expected[r * row.size() + c], tolerance) << r << " " << c;
    }
  }
}

StoredTensor tensor_of(const Quantization& quantization, size_t cols, uint64_t data_bytes = 0) {
  const std::vector<float> values = weights_like(kRows * cols, static_cast<unsigned>(cols), 6);
  const auto stored = encoded(values, Dtype::f32, quantization, data_bytes);
  EXPECT_TRUE(stored) << stored.error().detail;
  return *stored;
}

// The requested width of the matrix's blocks; 0 where the rows are too short for any.
struct Case {
  uint32_t block;
  size_t cols;
  size_t expected;
};
constexpr Case kCases[] = {{32, 64, 32}, {64, 64, 32}, {256, 64, 32}, {48, 96, 24}, {20, 60, 20},  {40, 20, 20},
                           {12, 36, 12}, {0, 64, 32},  {0, 40, 20},   {0, 37, 0},   {32, 36, 0},   {32, 6, 2},
                           {9, 27, 9},   {8, 24, 8},   {96, 48, 24},  {0, 7, 7},    {1000, 72, 8}, {65535, 30, 15}};

TEST(Repacker, KeepsTheValuesOfAmb) {
  for (const Scheme scheme : {Scheme::int4, Scheme::int5, Scheme::int8, Scheme::int4_block, Scheme::int5_block}) {
    for (const auto& [block, cols, expected] : kCases) {
      SCOPED_TRACE(std::to_string(static_cast<int>(scheme)) + " " + std::to_string(block) + " " + std::to_string(cols));
      const Dtype scale_dtype = cols % 3 == 0 ? Dtype::f32 : Dtype::f16;
      const Quantization quantization = {.scheme = scheme, .block = block, .scale_dtype = scale_dtype};
      const auto layout = repacked_layout(quantization, kRows, cols);
      ASSERT_EQ(layout ? layout->block : 0, expected);
      if (!layout) continue;
      const StoredTensor tensor = tensor_of(quantization, cols);
      for (const size_t piece : {size_t{1}, size_t{7}, size_t{100}, SIZE_MAX}) {
        BlockMatrix matrix(*layout);
        feed(*make_repacker(quantization, matrix), tensor.payload, piece);
        expect_rows(matrix, *decoded(tensor), 0);
      }
    }
  }
}

TEST(Repacker, KeepsTheValuesOfAlt) {
  for (const Scheme scheme : {Scheme::qint8, Scheme::qint4, Scheme::qint4_packed}) {
    for (const bool affine : {false, true}) {
      for (const size_t cols : {7u, 37u, 64u, 96u}) {
        const StoredTensor tensor = tensor_of({.scheme = scheme, .asymmetric = affine}, cols);
        const Quantization& quantization = tensor.quantization;
        const auto layout = repacked_layout(quantization, kRows, cols);
        ASSERT_EQ(layout.has_value(), cols != 37);
        if (!layout) continue;
        EXPECT_EQ(layout->has_offsets, affine);
        // An offset is rounded where it is moved to the middle, and so is its sum.
        const float max = std::max(std::abs(quantization.min), std::abs(quantization.max));
        for (const size_t piece : {size_t{1}, size_t{33}, SIZE_MAX}) {
          BlockMatrix matrix(*layout);
          feed(*make_repacker(quantization, matrix), tensor.payload, piece);
          expect_rows(matrix, *decoded(tensor), affine ? max * 0x1p-22F : 0);
        }
      }
    }
  }
}

TEST(Repacker, KeepsTheValuesOfAdaptive) {
  for (const auto& [block, cols, expected] : kCases) {
    SCOPED_TRACE(std::to_string(block) + " " + std::to_string(cols));
    const Quantization quantization = {.scheme = Scheme::adaptive, .block = block};
    const auto width = adaptive_block(quantization, cols);
    ASSERT_EQ(width.value_or(0), expected);
    if (!width || block % 8 != 0) continue;  // others are read, and not written
    const uint64_t bytes = *adaptive_bytes(quantization, kRows * cols, 7);
    const StoredTensor tensor = tensor_of(quantization, cols, bytes);
    for (const size_t piece : {size_t{1}, size_t{7}, SIZE_MAX}) {
      AdaptiveMatrix matrix(kRows, cols, *width);
      feed(*make_adaptive_repacker(quantization, tensor.data_bytes, matrix), tensor.payload, piece);
      expect_rows(matrix, *decoded(tensor), 0);
    }
  }
}

// Random bytes, with finite halves: every such block is valid.
StoredTensor gguf_tensor(Scheme scheme, size_t cols) {
  const uint64_t elements = kRows * cols;
  const uint64_t bytes = gguf_payload_size(scheme, elements)->data;
  std::mt19937 random(static_cast<unsigned>(cols));
  StoredTensor tensor = {.quantization = {.scheme = scheme}, .elements = elements, .data_bytes = bytes};
  for (size_t i = 0; i < bytes; ++i) tensor.payload.push_back(static_cast<std::byte>(random()));
  for (size_t block = 0; block < bytes; block += layout_of(scheme).bytes) {
    for (const size_t half : halves_of(scheme)) tensor.payload[block + half + 1] &= std::byte{0xBF};
    if (scheme == Scheme::mxfp4) tensor.payload[block] = std::byte{static_cast<uint8_t>(112 + random() % 32)};
  }
  return tensor;
}

TEST(Repacker, KeepsTheValuesOfGgufWithAnyNumberOfThreads) {
  for (const Scheme scheme : gguf_schemes()) {
    for (const size_t cols : {256u, 768u}) {
      SCOPED_TRACE(std::string(name_of(scheme)) + " " + std::to_string(cols));
      const StoredTensor tensor = gguf_tensor(scheme, cols);
      const auto layout = repacked_layout(tensor.quantization, kRows, cols);
      ASSERT_TRUE(layout);
      const std::vector<float> expected = *decoded(tensor);
      // An offset is rounded again when it is moved to the middle, which does not happen in super-blocks.
      const bool moved = layout->has_offsets && !layout->has_super_blocks();
      const float tolerance = moved ? 1e-6F * max_abs(expected) : 0;
      for (const size_t threads : {1u, 3u}) {
        const testing::ThreadCount count(threads);
        for (const size_t piece : {size_t{1}, size_t{1000}, SIZE_MAX}) {
          BlockMatrix matrix(*layout);
          feed(*make_repacker(tensor.quantization, matrix), tensor.payload, piece);
          expect_rows(matrix, expected, tolerance);
          EXPECT_TRUE(matrix.is_finite());
        }
      }
    }
  }
}

TEST(Repacker, FindsExponentsOfMxfp4ThatAreTooLarge) {
  constexpr size_t kCols = 64;
  for (const auto& [exponent, is_finite] : {std::pair(252, true), std::pair(253, false), std::pair(255, false)}) {
    StoredTensor tensor = gguf_tensor(Scheme::mxfp4, kCols);
    tensor.payload[0] = static_cast<std::byte>(exponent);
    BlockMatrix matrix(*repacked_layout(tensor.quantization, kRows, kCols));
    feed(*make_repacker(tensor.quantization, matrix), tensor.payload, SIZE_MAX);
    EXPECT_EQ(matrix.is_finite(), is_finite) << exponent;
  }
}

// `half` is one of halves_of().
void make_infinite(Scheme scheme, size_t half, std::byte* block) {
  block[half + 1] = std::byte{0x7C};
  if (scheme == Scheme::q8_k) {
    block[2] = std::byte{0x80};
    block[3] = std::byte{0x7F};
  }
  if (scheme == Scheme::iq1_m) block[53] = std::byte{0xC0};  // the next four bits
}

TEST(Repacker, FindsInfiniteScalesOfGguf) {
  constexpr size_t kCols = 512;
  for (const Scheme scheme : gguf_schemes()) {
    for (const size_t half : halves_of(scheme)) {
      for (const size_t row : {0u, 5u, 7u, 10u}) {
        SCOPED_TRACE(std::string(name_of(scheme)) + " " + std::to_string(row));
        StoredTensor tensor = gguf_tensor(scheme, kCols);
        const size_t row_end = (row + 1) * (tensor.payload.size() / kRows);
        make_infinite(scheme, half, tensor.payload.data() + row_end - layout_of(scheme).bytes);
        BlockMatrix matrix(*repacked_layout(tensor.quantization, kRows, kCols));
        feed(*make_repacker(tensor.quantization, matrix), tensor.payload, SIZE_MAX);
        EXPECT_FALSE(matrix.is_finite());
      }
    }
  }
}

TEST(Repacker, RejectsPayloadsOfAnotherSize) {
  const Quantization quantization = {.scheme = Scheme::int4_block, .block = 32};
  const StoredTensor tensor = tensor_of(quantization, 64);
  BlockMatrix matrix(*repacked_layout(quantization, kRows, 64));
  const auto repacker = make_repacker(quantization, matrix);
  ASSERT_TRUE(repacker->write(Bytes(tensor.payload).first(tensor.payload.size() - 1)));
  EXPECT_EQ(repacker->finish().error().reason, Reason::truncated);
  ASSERT_TRUE(repacker->write(Bytes(tensor.payload).last(1)));
  EXPECT_TRUE(repacker->finish());
  EXPECT_EQ(repacker->write(Bytes(tensor.payload).first(1)).error().reason, Reason::trailing);
}

TEST(Repacker, RejectsBytesBeyondFourBits) {
  for (const bool affine : {false, true}) {
    const float min = affine ? -1.0F : 0, max = affine ? 14.0F : 0;
    const Quantization quantization = {.scheme = Scheme::qint4, .delta = 1, .min = min, .max = max};
    BlockMatrix matrix(*repacked_layout(quantization, 1, 8));
    const auto repacker = make_repacker(quantization, matrix);
    EXPECT_TRUE(repacker->write(bytes_of_list({0, 7})));
    const Status status = repacker->write(bytes_of_list({100}));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().reason, Reason::limit);
  }
}

}  // namespace
}  // namespace quintet::test
