#include "tensor/packed/block_matrix.h"

#include "tests/kernels/block_operands.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

TEST(BlockMatrix, RowsReadBackAsTheirValues) {
  Random random(1);
  for (const size_t rows : {1, 7, 8, 17, 24}) {
    for_all_layouts(rows, 3, [&](const BlockMatrix::Layout& layout) {
      const PlainBlocks plain = plain_blocks(layout, random);
      const size_t at_once = rows % 2 == 0 ? kPanelRows : static_cast<size_t>(random.integer(1, 8));
      const BlockMatrix matrix = plain.packed(random.integer(0, 1) != 0, at_once);
      ASSERT_EQ(matrix.appended_rows(), rows);
      std::vector<float> values(layout.cols);
      for (size_t r = 0; r < rows; ++r) {
        matrix.read_row(r, values.data());
        for (size_t k = 0; k < layout.cols; ++k) {
          const double expected = plain.value(r, k);
          ASSERT_NEAR(double{values[k]}, expected, std::fabs(expected) * 0x1p-23 + 0x1p-24)
              << text_of(layout) << ", row " << r << ", column " << k;
        }
      }
    });
  }
}

TEST(BlockMatrix, ARecordIsAsSmallAsItsParts) {
  const auto bytes = [](BlockBits bits, Dtype scales, bool offsets) {
    return BlockMatrix({bits, 8, 32, 32, scales, offsets}).record_bytes();
  };
  EXPECT_EQ(bytes(BlockBits::four, Dtype::f16, false), 128u + 16);
  EXPECT_EQ(bytes(BlockBits::five, Dtype::f16, false), 128u + 32 + 16);
  EXPECT_EQ(bytes(BlockBits::eight, Dtype::f32, false), 256u + 32);
  EXPECT_EQ(bytes(BlockBits::four, Dtype::f16, true), 128u + 16 + 32);
}

// Compared with the 144, 176 and 210 bytes of Q4_K, Q5_K and Q6_K for 256 values.
TEST(BlockMatrix, ASuperBlockIsAboutAsSmallAsInAFile) {
  const auto bytes_of_row = [](BlockBits bits, bool offsets) {
    const size_t block = bits == BlockBits::six ? 16 : 32;
    return BlockMatrix({bits, 8, 256, block, Dtype::i8, offsets}).panel_bytes() / 8;
  };
  EXPECT_EQ(bytes_of_row(BlockBits::four, true), 128u + 16 + 4);
  EXPECT_EQ(bytes_of_row(BlockBits::five, true), 160u + 16 + 4);
  EXPECT_EQ(bytes_of_row(BlockBits::six, false), 192u + 16 + 2);
}

TEST(BlockMatrix, RejectsLayoutsAndRowsThatDoNotFit) {
  const std::vector<int8_t> q(64);
  const std::vector<float> scales(2, 1.0f);
  for (const size_t block : {0, 24, 64}) {
    BlockMatrix matrix({.rows = 1, .cols = 64, .block = block});
    EXPECT_FALSE(matrix.reserve()) << block;
    EXPECT_FALSE(matrix.append_row(q, scales)) << block;
  }
  BlockMatrix other_scales({.rows = 1, .cols = 64, .scale_dtype = Dtype::bf16});
  EXPECT_FALSE(other_scales.reserve());
  EXPECT_FALSE(BlockMatrix({.bits = BlockBits::six, .rows = 1, .cols = 64}).reserve());
  for (const size_t cols : {128, 384}) {
    BlockMatrix part({.rows = 1, .cols = cols, .scale_dtype = Dtype::i8});
    EXPECT_FALSE(part.extend(1)) << cols;
  }
  EXPECT_FALSE(BlockMatrix({.rows = 1, .cols = 768, .block = 24, .scale_dtype = Dtype::i8}).reserve());
  EXPECT_FALSE(BlockMatrix({.bits = BlockBits::six, .rows = 1, .cols = 256, .scale_dtype = Dtype::i8}).reserve());
  BlockMatrix super_blocks({.rows = 1, .cols = 256, .scale_dtype = Dtype::i8});
  EXPECT_FALSE(super_blocks.append_row(std::vector<int8_t>(256), std::vector<float>(8)));

  BlockMatrix matrix({.rows = 1, .cols = 64});
  EXPECT_FALSE(matrix.append_row(std::span(q).first(63), scales));
  EXPECT_FALSE(matrix.append_row(q, std::span(scales).first(1)));
  EXPECT_FALSE(matrix.append_row(q, scales, scales));
  EXPECT_TRUE(matrix.append_row(q, scales));
  EXPECT_FALSE(matrix.append_row(q, scales));

  BlockMatrix panels({.rows = 17, .cols = 32});
  const std::vector<int8_t> many(9 * 32);
  EXPECT_FALSE(panels.append_rows(9, many, std::vector<float>(9, 1)));
  EXPECT_TRUE(panels.append_row(std::span(many).first(32), std::span(scales).first(1)));
  EXPECT_FALSE(panels.append_rows(8, std::span(many).first(8 * 32), std::vector<float>(8, 1)));
  EXPECT_TRUE(panels.append_rows(7, std::span(many).first(7 * 32), std::vector<float>(7, 1)));
}

TEST(BlockMatrix, ReportsScalesThatAreNotFinite) {
  const std::vector<int8_t> q(64);
  const std::vector<float> good = {1, 1};
  for (const float broken : {NAN, INFINITY, -INFINITY}) {
    const std::vector<float> bad = {1, broken};
    for (const bool in_offsets : {false, true}) {
      BlockMatrix matrix({.rows = 2, .cols = 64, .has_offsets = true});
      EXPECT_TRUE(matrix.append_row(q, good, good));
      EXPECT_TRUE(matrix.is_finite());
      EXPECT_TRUE(matrix.append_row(q, in_offsets ? good : bad, in_offsets ? bad : good));
      EXPECT_FALSE(matrix.is_finite());
    }
  }
}

TEST(BlockMatrix, AFalseSizeAllocatesNothing) {
  BlockMatrix matrix({.rows = SIZE_MAX / 2, .cols = 32});
  const auto status = matrix.reserve();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::memory);
  EXPECT_TRUE(matrix.append_row(std::vector<int8_t>(32), std::vector<float>(1)));
  EXPECT_LE(matrix.bytes(), 4096u);
}

TEST(PackedMatrix, RowsReadBackAsTheirValues) {
  Random random(2);
  constexpr size_t kRows = 11, kCols = 6;
  const std::vector<float> x = random.numbers(kRows * kCols);
  std::vector<float> row(kCols);

  PackedMatrix floats(Storage::f32, kRows, kCols);
  ASSERT_TRUE(floats.append_rows(bytes_of(x.data()), kRows));
  std::vector<uint16_t> halves(x.size()), brain(x.size());
  for (size_t i = 0; i < x.size(); ++i) halves[i] = f32_to_f16(x[i]), brain[i] = f32_to_bf16(x[i]);
  PackedMatrix f16(Storage::f16, kRows, kCols), bf16(Storage::bf16, kRows, kCols);
  ASSERT_TRUE(f16.append_rows(bytes_of(halves.data()), kRows));
  ASSERT_TRUE(bf16.append_rows(bytes_of(brain.data()), kRows));
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t k = 0; k < kCols; ++k) {
      const size_t i = r * kCols + k;
      floats.read_row(r, row.data());
      EXPECT_EQ(row[k], x[i]);
      f16.read_row(r, row.data());
      EXPECT_EQ(row[k], f16_to_f32(halves[i]));
      bf16.read_row(r, row.data());
      EXPECT_EQ(row[k], bf16_to_f32(brain[i]));
    }
  }

  std::vector<int8_t> integers(x.size());
  for (int8_t& value : integers) value = static_cast<int8_t>(random.integer(-128, 127));
  PackedMatrix i8(Storage::i8, kRows, kCols, 3);
  const std::vector<float> scales = random.numbers(kRows * 2);
  ASSERT_TRUE(i8.append_rows(bytes_of(integers.data()), kRows));
  ASSERT_TRUE(i8.set_scales(scales));
  for (size_t r = 0; r < kRows; ++r) {
    i8.read_row(r, row.data());
    for (size_t k = 0; k < kCols; ++k)
      EXPECT_EQ(row[k], scales[r * 2 + k / 3] * static_cast<float>(integers[r * kCols + k]));
  }
}

}  // namespace
}  // namespace quintet::testing
