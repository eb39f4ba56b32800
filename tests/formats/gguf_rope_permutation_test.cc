// The order of rows for rotary embedding, against the permutation of llama.cpp's converter, written out by indices:
// reshape(heads, 2, d / 2, columns), then the second and third axes change places.

#include <gtest/gtest.h>

#include "architectures/decoder/tensor_names.h"
#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

// Rows as the converter stores them. Every byte of a row is its number.
std::vector<std::byte> interleaved(size_t heads, size_t head_rows, size_t row_bytes) {
  std::vector<std::byte> rows(heads * head_rows * row_bytes);
  size_t place = 0;
  for (size_t head = 0; head < heads; ++head) {
    for (size_t pair = 0; pair < head_rows / 2; ++pair) {
      for (size_t half = 0; half < 2; ++half) {
        const size_t row = (head * 2 + half) * (head_rows / 2) + pair;
        std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(place), row_bytes, static_cast<std::byte>(row));
        place += row_bytes;
      }
    }
  }
  return rows;
}

TEST(GgufRopePermutation, RowsComeBackInOrder) {
  for (const size_t heads : {1u, 2u, 3u}) {
    for (const size_t head_rows : {2u, 4u, 6u, 16u}) {
      for (const size_t row_bytes : {1u, 4u, 34u}) {
        std::vector<std::byte> rows = interleaved(heads, head_rows, row_bytes);
        transformer::deinterleave_rows(rows, row_bytes, heads, head_rows);
        for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], static_cast<std::byte>(i / row_bytes));
      }
    }
  }
}

TEST(GgufRopePermutation, AHeadAsWrittenByHand) {
  std::vector<std::byte> rows;
  for (const int row : {0, 3, 1, 4, 2, 5}) rows.push_back(static_cast<std::byte>(row));
  transformer::deinterleave_rows(rows, 1, 1, 6);
  EXPECT_EQ(rows, counting_bytes(6));
}

TEST(GgufRopePermutation, ConcernsQueriesAndKeysOfLlama) {
  const auto read = read_file(tiny_gguf_llama().build());
  ASSERT_TRUE(read);
  ModelDescription description = read->description;
  const auto config = read_decoder_config(description);
  ASSERT_TRUE(config);
  const auto heads = [&](std::string_view name) {
    const decoder::TensorNames names(description);
    const auto ref = names.ref_of(name);
    EXPECT_TRUE(ref) << name;
    return ref ? names.order_of(*ref, *config).interleaved_heads : 0;
  };
  for (const TensorInfo& info : description.tensors) {
    const bool q = info.name == "blk.0.attn_q.weight";
    const bool k = info.name == "blk.0.attn_k.weight";
    EXPECT_EQ(heads(info.name), q ? 4 : k ? 2 : 0) << info.name;
  }
  EXPECT_EQ(heads("blk.7.attn_k.bias"), 2);
  for (const char* other : {"phi2", "qwen2", "qwen3"}) {
    description.architecture = other;
    EXPECT_EQ(heads("blk.7.attn_k.bias"), 0) << other;
  }
}

}  // namespace
}  // namespace quintet::test
