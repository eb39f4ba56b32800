// The order of rows for rotary embedding, against the permutation of llama.cpp's converter, written out by indices:
// reshape(heads, 2, d / 2, columns), then the second and third axes change places.

#include "formats/gguf/rope_permutation.h"

#include <gtest/gtest.h>

#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

// As the converter stores them. A row holds its number in every byte.
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
        gguf::deinterleave_rows(rows, row_bytes, heads);
        for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], static_cast<std::byte>(i / row_bytes));
      }
    }
  }
}

TEST(GgufRopePermutation, AHeadAsWrittenByHand) {
  std::vector<std::byte> rows;
  for (const int row : {0, 3, 1, 4, 2, 5}) rows.push_back(static_cast<std::byte>(row));
  gguf::deinterleave_rows(rows, 1, 1);
  EXPECT_EQ(rows, counting_bytes(6));
}

TEST(GgufRopePermutation, ConcernsQueriesAndKeysOfLlama) {
  const auto read = read_file(tiny_gguf_llama().build());
  ASSERT_TRUE(read);
  ModelDescription description = read->description;
  for (const TensorInfo& info : description.tensors) {
    const bool q = info.name == "model.layers.0.self_attn.q_proj.weight";
    const bool k = info.name == "model.layers.0.self_attn.k_proj.weight";
    EXPECT_EQ(gguf::interleaved_heads(description, info), q ? 4 : k ? 2 : 0) << info.name;
  }
  TensorInfo bias;
  bias.name = "model.layers.7.self_attn.k_proj.bias";
  EXPECT_EQ(gguf::interleaved_heads(description, bias), 2);
  description.architecture = "phi2";
  EXPECT_EQ(gguf::interleaved_heads(description, bias), 0);
}

}  // namespace
}  // namespace quintet::test
