#include "tensor/packed/packed_matrix.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/random.h"

namespace quintet::testing {
namespace {

std::vector<std::byte> random_bytes(size_t count, Random& random) {
  std::vector<std::byte> bytes(count);
  for (std::byte& value : bytes) value = static_cast<std::byte>(random.integer(0, 255));
  return bytes;
}

// Appends rows in pieces of random length, from addresses that are not aligned.
void append(PackedMatrix& matrix, const std::vector<std::byte>& source, size_t row_bytes, Random& random) {
  std::vector<std::byte> shifted(source.size() + 1);
  std::copy(source.begin(), source.end(), shifted.begin() + 1);
  for (size_t row = 0; row < matrix.rows();) {
    const size_t count = std::min<size_t>(static_cast<size_t>(random.integer(0, 20)), matrix.rows() - row);
    ASSERT_TRUE(matrix.append_rows(shifted.data() + 1 + row * row_bytes, count));
    row += count;
    ASSERT_EQ(matrix.appended_rows(), row);
  }
}

template <class T>
T element(const std::vector<std::byte>& source, size_t index) {
  T value;
  std::memcpy(&value, source.data() + index * sizeof(T), sizeof(T));
  return value;
}

constexpr size_t kRowCounts[] = {0, 1, 7, 8, 9, 16, 40, 45};

TEST(PackedMatrix, PanelsOfWholeElements) {
  Random random(1);
  for (const bool reserved : {false, true}) {
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16}) {
      const size_t size = storage == Storage::f32 ? 4 : 2;
      for (const size_t rows : kRowCounts) {
        for (const size_t cols : {0, 1, 5, 32}) {
          const auto source = random_bytes(rows * cols * size, random);
          PackedMatrix matrix(storage, rows, cols);
          if (reserved) {
            ASSERT_TRUE(matrix.reserve());
          }
          append(matrix, source, cols * size, random);
          for (size_t r = 0; r < matrix.panels() * 8; ++r) {
            for (size_t i = 0; i < cols; ++i) {
              const size_t at = i * 8 + r % 8;
              if (size == 4) {
                uint32_t got;
                std::memcpy(&got, matrix.panel_f32(r / 8) + at, 4);
                ASSERT_EQ(got, r < rows ? element<uint32_t>(source, r * cols + i) : 0);
              } else {
                ASSERT_EQ(matrix.panel_half(r / 8)[at], r < rows ? element<uint16_t>(source, r * cols + i) : 0);
              }
            }
          }
        }
      }
    }
  }
}

TEST(PackedMatrix, QuadsScalesAndZeroTermsOfInt8) {
  Random random(2);
  for (const size_t rows : kRowCounts) {
    for (const size_t group : {1, 4, 6, 32}) {
      for (const size_t groups : {1, 3}) {
        const size_t cols = group * groups;
        const auto source = random_bytes(rows * cols, random);
        const std::vector<float> scales = random.numbers(rows * groups);
        PackedMatrix matrix(Storage::i8, rows, cols, groups == 1 ? 0 : group);
        append(matrix, source, cols, random);
        ASSERT_TRUE(matrix.set_scales(scales));
        ASSERT_EQ(matrix.groups(), groups);
        ASSERT_EQ(matrix.group_quads(), (group + 3) / 4);
        for (size_t r = 0; r < matrix.panels() * 8; ++r) {
          for (size_t g = 0; g < groups; ++g) {
            int32_t sum = 0;
            for (size_t i = 0; i < matrix.group_quads() * 4; ++i) {
              const size_t quad = g * matrix.group_quads() + i / 4;
              const int8_t got = matrix.panel_i8(r / 8)[(quad * 8 + r % 8) * 4 + i % 4];
              const bool present = r < rows && i < group;
              ASSERT_EQ(got, present ? element<int8_t>(source, r * cols + g * group + i) : 0);
              sum += got;
            }
            EXPECT_EQ(matrix.zero_terms(r / 8)[g * 8 + r % 8], 64 * sum);
            EXPECT_EQ(matrix.scales(r / 8)[g * 8 + r % 8], r < rows ? scales[r * groups + g] : 0);
          }
        }
      }
    }
  }
}

TEST(PackedMatrix, MemoryGrowsWithTheRowsThatArrive) {
  constexpr size_t kCols = 100;
  PackedMatrix matrix(Storage::f32, SIZE_MAX / 1024, kCols);  // a lie about the number of rows
  const std::vector<std::byte> rows(64 * kCols * 4);
  EXPECT_EQ(matrix.bytes(), 0u);
  for (size_t i = 1; i <= 50; ++i) {
    ASSERT_TRUE(matrix.append_rows(rows.data(), 64));
    EXPECT_LE(matrix.bytes(), 2 * i * rows.size());
  }
}

TEST(PackedMatrix, AKnownNumberOfRowsTakesNoExtraMemory) {
  PackedMatrix matrix(Storage::i8, 48, 100);
  const std::vector<std::byte> row(100);
  for (size_t i = 0; i < 48; ++i) ASSERT_TRUE(matrix.append_rows(row.data(), 1));
  ASSERT_TRUE(matrix.set_scales(std::vector<float>(48, 1)));
  // Per row: values, a scale and a zero term. Per panel: starts, and centers and squares of three blocks.
  EXPECT_EQ(matrix.bytes(), 48u * (100 + 2 * 4) + 6 * (32 + 3 * 16 + 16));
}

TEST(PackedMatrix, ImpossibleShapesAreRejected) {
  const std::vector<std::byte> bytes(1000);
  PackedMatrix impossible(Storage::f32, SIZE_MAX, SIZE_MAX);
  const Status refused = impossible.reserve();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::memory);

  PackedMatrix full(Storage::f32, 2, 1);
  EXPECT_TRUE(full.append_rows(bytes.data(), 2));
  EXPECT_FALSE(full.append_rows(bytes.data(), 1));

  PackedMatrix uneven(Storage::i8, 2, 10, 4);
  EXPECT_EQ(uneven.append_rows(bytes.data(), 1).error().reason, Reason::mismatch);

  PackedMatrix wide(Storage::i8, 1, kMaxGroupColumns + 1);
  EXPECT_EQ(wide.reserve().error().code, Code::unsupported);

  PackedMatrix incomplete(Storage::i8, 2, 4);
  ASSERT_TRUE(incomplete.append_rows(bytes.data(), 1));
  EXPECT_FALSE(incomplete.set_scales(std::vector<float>(2)));
  ASSERT_TRUE(incomplete.append_rows(bytes.data(), 1));
  EXPECT_FALSE(incomplete.set_scales(std::vector<float>(3)));
  EXPECT_TRUE(incomplete.set_scales(std::vector<float>(2)));
}

}  // namespace
}  // namespace quintet::testing
