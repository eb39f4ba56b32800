// The memory that matrices report in advance, compared with what they hold once they are filled.

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/row_table.h"

namespace quintet {
namespace {

constexpr size_t kRows = 21, kCols = 72, kGroup = 24;

class WholeBytes : public testing::TestWithParam<Storage> {
 protected:
  std::vector<std::byte> data() const { return std::vector<std::byte>(kRows * kCols * element_bytes(GetParam())); }
  bool has_scales() const { return GetParam() == Storage::i8; }
};

TEST_P(WholeBytes, OfAMatrixAreThoseItHoldsInTheEnd) {
  for (const size_t group : {size_t{0}, kGroup}) {
    PackedMatrix matrix(GetParam(), kRows, kCols, group);
    const uint64_t reported = matrix.whole_bytes();
    ASSERT_TRUE(matrix.reserve());
    ASSERT_TRUE(matrix.append_rows(data().data(), kRows));
    if (has_scales()) {
      ASSERT_TRUE(matrix.set_scales(std::vector<float>(kRows * matrix.groups(), 1.0F)));
    }
    EXPECT_EQ(reported, matrix.bytes());
  }
}

TEST_P(WholeBytes, OfATableAreThoseItHoldsInTheEnd) {
  for (const size_t group : {size_t{0}, kGroup}) {
    RowTable table(GetParam(), kRows, kCols, group);
    const uint64_t reported = table.whole_bytes();
    ASSERT_TRUE(table.reserve());
    ASSERT_TRUE(table.append(data().data(), data().size()));
    if (has_scales()) {
      ASSERT_TRUE(table.set_scales(std::vector<float>(kRows * table.groups(), 1.0F)));
    }
    EXPECT_EQ(reported, table.bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, WholeBytes, testing::Values(Storage::f32, Storage::f16, Storage::bf16, Storage::i8));

}  // namespace
}  // namespace quintet
