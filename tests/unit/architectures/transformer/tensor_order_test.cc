// The order of rows in files, by hand.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "architectures/transformer/tensor_order.h"

namespace quintet::transformer {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TensorInfo bytes_tensor(std::vector<uint64_t> shape) {
  TensorInfo info;
  info.name = "t";
  info.shape = std::move(shape);
  info.dtype = Dtype::i8;
  info.bytes = info.elements();
  return info;
}

TEST(TensorOrder, ColumnsBecomeRows) {
  std::vector<std::byte> payload = bytes_of({1, 2, 3, 4, 5, 6});
  restore_order(payload, bytes_tensor({2, 3}), {.is_transposed = true});
  EXPECT_EQ(payload, bytes_of({1, 4, 2, 5, 3, 6}));
}

// Two groups of two heads of queries (1, 2 and 5, 6), one of keys (3 and 7) and one of values (4 and 8).
TEST(TensorOrder, GroupsBecomeQueriesKeysAndValues) {
  std::vector<std::byte> payload = bytes_of({1, 2, 3, 4, 5, 6, 7, 8});
  const TensorOrder order = {.head_rows = 1, .groups = 2};
  ASSERT_TRUE(check_order(bytes_tensor({8}), order));
  restore_order(payload, bytes_tensor({8}), order);
  EXPECT_EQ(payload, bytes_of({1, 2, 5, 6, 3, 7, 4, 8}));
}

TEST(TensorOrder, OnlyTheRotatedPartOfAHeadIsInterleaved) {
  std::vector<std::byte> payload = bytes_of({0, 2, 1, 3, 4, 5, 10, 12, 11, 13, 14, 15, 20});
  const TensorOrder order = {.interleaved_heads = 2, .head_rows = 6, .rotated_rows = 4};
  EXPECT_FALSE(check_order(bytes_tensor({13}), order)) << "not whole heads";
  payload.resize(12);
  ASSERT_TRUE(check_order(bytes_tensor({12}), order));
  restore_order(payload, bytes_tensor({12}), order);
  EXPECT_EQ(payload, bytes_of({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}));
}

TEST(TensorOrder, MissingRowsAreRejected) {
  const TensorOrder grouped = {.head_rows = 2, .groups = 2};
  for (const uint64_t rows : {0, 1, 4, 7, 8, 14}) {
    EXPECT_EQ(check_order(bytes_tensor({rows, 3}), grouped).error().reason, Reason::mismatch) << rows;
  }
  const TensorOrder interleaved = {.interleaved_heads = 3, .head_rows = 4, .rotated_rows = 4};
  for (const uint64_t rows : {0, 4, 8, 13}) EXPECT_FALSE(check_order(bytes_tensor({rows, 3}), interleaved)) << rows;
  EXPECT_FALSE(check_order(bytes_tensor({0, 3}), {.is_transposed = true}));
  EXPECT_FALSE(check_order(bytes_tensor({3}), {.is_transposed = true}));
  TensorInfo quantized = bytes_tensor({12, 32});
  quantized.quantization = {.scheme = Scheme::int8, .block = 32};
  EXPECT_EQ(check_order(quantized, interleaved).error().code, Code::unsupported);
}

}  // namespace
}  // namespace quintet::transformer
