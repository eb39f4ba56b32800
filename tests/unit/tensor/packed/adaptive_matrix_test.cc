#include "tensor/packed/adaptive_matrix.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/half.h"

namespace quintet::testing {
namespace {

// Matrices of random blocks, and their values.
class RandomMatrix {
 public:
  RandomMatrix(size_t rows, size_t blocks, size_t block) : matrix(rows, blocks * block, block), block_(block) {}

  void append(BlockCode code) { code == BlockCode::fp16 ? append_halves() : append_integers(code); }

  std::mt19937 random{20261121};
  AdaptiveMatrix matrix;
  std::vector<float> values;

 private:
  void append_integers(BlockCode code) {
    const int limit = code == BlockCode::int4 ? 8 : code == BlockCode::int5 ? 16 : 128;
    const float scale = static_cast<float>(random() % 1000) * 0.01F;
    std::vector<int8_t> q(block_);
    for (int8_t& value : q) value = static_cast<int8_t>(static_cast<int>(random() % (2u * limit)) - limit);
    ASSERT_TRUE(matrix.append_block(code, q, scale));
    for (const int8_t value : q) values.push_back(value * scale);
  }
  void append_halves() {
    std::vector<uint16_t> halves(block_);
    for (uint16_t& half : halves) half = static_cast<uint16_t>(random() % 0x7c00);
    ASSERT_TRUE(matrix.append_halves(halves));
    for (const uint16_t half : halves) values.push_back(f16_to_f32(half));
  }

  size_t block_;
};

void expect_rows(const RandomMatrix& random) {
  const size_t cols = random.matrix.cols();
  for (size_t row = 0; row < random.matrix.rows(); ++row) {
    std::vector<float> out(cols + 1, 7);
    random.matrix.read_row(row, out.data());
    const auto begin = random.values.begin() + static_cast<ptrdiff_t>(row * cols);
    EXPECT_EQ(std::vector<float>(out.begin(), out.end() - 1),
              std::vector<float>(begin, begin + static_cast<ptrdiff_t>(cols)));
    EXPECT_EQ(out[cols], 7);
  }
}

TEST(AdaptiveMatrix, GivesBackMixedBlocksOfAnySize) {
  for (const size_t block : {1, 2, 5, 8, 15, 16, 31, 32}) {
    for (const size_t blocks : {1, 2, 7, 20}) {
      RandomMatrix random(5, blocks, block);
      for (size_t i = 0; i < 5 * blocks; ++i) random.append(static_cast<BlockCode>(random.random() % 4));
      expect_rows(random);
    }
  }
}

TEST(AdaptiveMatrix, GivesBackBlocksOfOneCode) {
  for (const auto code : {BlockCode::int4, BlockCode::int5, BlockCode::int8, BlockCode::fp16}) {
    RandomMatrix random(3, 4, 32);
    for (size_t i = 0; i < 12; ++i) random.append(code);
    expect_rows(random);
  }
}

TEST(AdaptiveMatrix, RowsListTheirBlocksByCode) {
  AdaptiveMatrix matrix(1, 64, 16);
  const std::vector<int8_t> q(16, 3);
  ASSERT_TRUE(matrix.append_block(BlockCode::int8, q, 1));
  ASSERT_TRUE(matrix.append_block(BlockCode::int4, q, 1));
  ASSERT_TRUE(matrix.append_halves(std::vector<uint16_t>(16)));
  ASSERT_TRUE(matrix.append_block(BlockCode::int4, q, 1));
  const AdaptiveMatrix::Row row = matrix.row(0);
  EXPECT_EQ(row[0].count, 2);
  EXPECT_EQ(row[0].positions[0], 1);
  EXPECT_EQ(row[0].positions[1], 3);
  EXPECT_EQ(row[1].count, 0);
  EXPECT_EQ(row[2].count, 1);
  EXPECT_EQ(row[2].positions[0], 0);
  EXPECT_EQ(row[3].count, 1);
  EXPECT_EQ(row[3].positions[0], 2);
  EXPECT_EQ(row[3].records - row[0].records, 2 * (4 + 8) + (4 + 16));
}

// Four bytes of scale, 16 of values and two of the position; the matrix as a whole adds little.
TEST(AdaptiveMatrix, HasTheSizeOfItsBlocks) {
  RandomMatrix random(100, 64, 32);
  for (size_t i = 0; i < 100 * 64; ++i) random.append(BlockCode::int4);
  EXPECT_GE(random.matrix.bytes(), 6400 * 22);
  EXPECT_LE(random.matrix.bytes(), 6400 * 22 + 100 * 16);
}

TEST(AdaptiveMatrix, RejectsTooMuchDataAndOtherSizes) {
  AdaptiveMatrix matrix(1, 8, 8);
  EXPECT_FALSE(matrix.append_block(BlockCode::int4, std::vector<int8_t>(7), 1));
  EXPECT_FALSE(matrix.append_halves(std::vector<uint16_t>(9)));
  EXPECT_TRUE(matrix.append_block(BlockCode::int4, std::vector<int8_t>(8), 1));
  EXPECT_FALSE(matrix.append_block(BlockCode::int4, std::vector<int8_t>(8), 1));
}

TEST(AdaptiveMatrix, RejectsTooManyBlocks) {
  AdaptiveMatrix matrix(1, 65536, 1);
  const Status status = matrix.append_block(BlockCode::int4, std::vector<int8_t>(1), 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::unsupported);
}

}  // namespace
}  // namespace quintet::testing
