// Each row of the table has a payload here whose values were worked out by hand.

#include "tensor/block_types.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "formats/gguf/tensor_index.h"
#include "tensor/packed/repacker.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

// `count` times each byte, one run after another.
struct Run {
  size_t count;
  int byte;
};

std::vector<std::byte> bytes_of_runs(const std::vector<Run>& runs) {
  std::vector<std::byte> bytes;
  for (const Run& run : runs) bytes.insert(bytes.end(), run.count, static_cast<std::byte>(run.byte));
  return bytes;
}

// Two values, or a block whose values are all the same.
struct Vector {
  Quantization quantization;
  std::vector<Run> payload;
  std::vector<float> values;
};

std::vector<float> block_of(size_t count, float value) { return std::vector<float>(count, value); }

// 1 and 2 as FP16 are 00 3c and 00 40, and 2 as FP32 is 00 00 00 40.
std::vector<Vector> vectors() {
  constexpr Dtype kF16 = Dtype::f16;
  return {
      {{.scheme = Scheme::none}, {{3, 0}, {1, 0x40}, {2, 0}, {1, 0x80}, {1, 0xBF}}, {2, -1}},
      {{.scheme = Scheme::int8, .block = 2, .scale_dtype = kF16}, {{1, 0}, {1, 0x40}, {1, 3}, {1, 0xFE}}, {6, -4}},
      {{.scheme = Scheme::int4, .block = 2, .scale_dtype = kF16}, {{1, 0}, {1, 0x40}, {1, 0x91}}, {2, -14}},
      // 15 and -1 are 01111 and 11111.
      {{.scheme = Scheme::int5, .block = 2, .scale_dtype = kF16}, {{1, 0}, {1, 0x40}, {1, 0xEF}, {1, 3}}, {30, -2}},
      {{.scheme = Scheme::int4_block, .block = 2, .scale_dtype = kF16}, {{1, 0}, {1, 0x40}, {1, 0x91}}, {2, -14}},
      {{.scheme = Scheme::int5_block, .block = 2, .scale_dtype = kF16},
       {{1, 0}, {1, 0x40}, {1, 0xEF}, {1, 3}},
       {30, -2}},
      // The code 2 is INT8.
      {{.scheme = Scheme::adaptive, .block = 2, .scale_dtype = kF16},
       {{1, 2}, {1, 0}, {1, 0x40}, {1, 3}, {1, 0xFE}},
       {6, -4}},
      {{.scheme = Scheme::qint8, .delta = 0.5F}, {{1, 3}, {1, 0xFE}}, {1.5F, -1}},
      {{.scheme = Scheme::qint4, .delta = 0.5F}, {{1, 3}, {1, 0xFE}}, {1.5F, -1}},
      {{.scheme = Scheme::qint4_packed, .delta = 0.5F}, {{1, 0x91}}, {0.5F, -3.5F}},
      {{.scheme = Scheme::group_int8, .block = 2}, {{3, 0}, {1, 0x40}, {1, 3}, {1, 0xFE}}, {6, -4}},
      {{.scheme = Scheme::tensor_int8, .scale = 2, .zero_point = 1}, {{1, 3}, {1, 0xFE}}, {4, -6}},
      {{.scheme = Scheme::tensor_int32, .scale = 0.5F}, {{1, 3}, {3, 0}, {1, 0xFE}, {3, 0xFF}}, {1.5F, -1}},
      // (9 - 8) * 2, and 9 * 2 + 1.
      {{.scheme = Scheme::q4_0}, {{1, 0}, {1, 0x40}, {16, 0x99}}, block_of(32, 2)},
      {{.scheme = Scheme::q4_1}, {{1, 0}, {1, 0x40}, {1, 0}, {1, 0x3C}, {16, 0x99}}, block_of(32, 19)},
      // (1 + 16 - 16) * 2, and (1 + 16) * 2 + 1.
      {{.scheme = Scheme::q5_0}, {{1, 0}, {1, 0x40}, {4, 0xFF}, {16, 0x11}}, block_of(32, 2)},
      {{.scheme = Scheme::q5_1}, {{1, 0}, {1, 0x40}, {1, 0}, {1, 0x3C}, {4, 0xFF}, {16, 0x11}}, block_of(32, 35)},
      {{.scheme = Scheme::q8_0}, {{1, 0}, {1, 0x40}, {32, 3}}, block_of(32, 6)},
      // Scales 3 and offsets 5 of all groups: 9 * (2 * 3) - 1 * 5, and (1 + 16) * (2 * 3) - 1 * 5.
      {{.scheme = Scheme::q4_k},
       {{1, 0}, {1, 0x40}, {1, 0}, {1, 0x3C}, {4, 3}, {4, 5}, {4, 0x53}, {128, 0x99}},
       block_of(256, 49)},
      {{.scheme = Scheme::q5_k},
       {{1, 0}, {1, 0x40}, {1, 0}, {1, 0x3C}, {4, 3}, {4, 5}, {4, 0x53}, {32, 0xFF}, {128, 0x11}},
       block_of(256, 97)},
      // (1 + 2 * 16 - 32) * (2 * 3).
      {{.scheme = Scheme::q6_k}, {{128, 0x11}, {64, 0xAA}, {16, 3}, {1, 0}, {1, 0x40}}, block_of(256, 6)},
      // Scales 3 and offsets 5 of all groups: 2 * (2 * 3) - 1 * 5.
      {{.scheme = Scheme::q2_k}, {{16, 0x53}, {64, 0xAA}, {1, 0}, {1, 0x40}, {1, 0}, {1, 0x3C}}, block_of(256, 7)},
      // (2 + 4 - 4) * 2 * (3 + 2 * 16 - 32).
      {{.scheme = Scheme::q3_k}, {{32, 0xFF}, {64, 0xAA}, {8, 0x33}, {4, 0xAA}, {1, 0}, {1, 0x40}}, block_of(256, 12)},
      // The tenth of the integers is 13.
      {{.scheme = Scheme::iq4_nl}, {{1, 0}, {1, 0x40}, {16, 0x99}}, block_of(32, 26)},
      {{.scheme = Scheme::iq4_xs}, {{1, 0}, {1, 0x40}, {2, 0xAA}, {4, 0x33}, {128, 0x99}}, block_of(256, 78)},
      // -0.5 * 2^2.
      {{.scheme = Scheme::mxfp4}, {{1, 129}, {16, 0x99}}, block_of(32, -2)},
      // Points with one coordinate: 8 * 2/8, 8 * 3 * 2/8, -43 * 3 * 2/8, 12 * 2/4, -1 * 7 * 2.
      {{.scheme = Scheme::iq2_xxs}, {{1, 0}, {1, 0x40}, {64, 0}}, block_of(256, 2)},
      {{.scheme = Scheme::iq2_xs}, {{1, 0}, {1, 0x40}, {64, 0}, {8, 0x11}}, block_of(256, 6)},
      {{.scheme = Scheme::iq2_s}, {{1, 0}, {1, 0x40}, {72, 0xFF}, {8, 0x11}}, block_of(256, -32.25F)},
      {{.scheme = Scheme::iq3_xxs}, {{1, 0}, {1, 0x40}, {64, 71}, {32, 0}}, block_of(256, 6)},
      {{.scheme = Scheme::iq3_s}, {{1, 0}, {1, 0x40}, {72, 0}, {32, 0xFF}, {4, 0x33}}, block_of(256, -14)},
      // (1 - 1/8) * 15 * 2, and (1 - 1/8) * 2.
      {{.scheme = Scheme::iq1_s}, {{1, 0}, {1, 0x40}, {48, 0xFF}}, block_of(256, 26.25F)},
      {{.scheme = Scheme::iq1_m}, {{48, 0xFF}, {7, 0}, {1, 0x40}}, block_of(256, 1.75F)},
      {{.scheme = Scheme::q8_1}, {{1, 0}, {1, 0x40}, {2, 0}, {32, 3}}, block_of(32, 6)},
      {{.scheme = Scheme::q8_k}, {{3, 0}, {1, 0x40}, {256, 3}, {32, 0}}, block_of(256, 6)},
  };
}

const Vector* vector_of(const std::vector<Vector>& vectors, Scheme scheme) {
  const auto found = std::ranges::find(vectors, scheme, [](const Vector& one) { return one.quantization.scheme; });
  return found == vectors.end() ? nullptr : &*found;
}

std::vector<float> repacked(const Vector& vector) {
  const size_t cols = vector.values.size();
  const auto layout = repacked_layout(vector.quantization, 1, cols);
  if (!layout) return {};
  BlockMatrix matrix(*layout);
  const auto repacker = make_repacker(vector.quantization, matrix);
  if (!repacker->write(bytes_of_runs(vector.payload)) || !repacker->finish()) return {};
  std::vector<float> values(cols);
  matrix.read_row(0, values.data());
  return values;
}

TEST(BlockTypes, AreDecoded) {
  const std::vector<Vector> all = vectors();
  for (const BlockType& row : kBlockTypes) {
    if (row.codec == Codec::none) continue;
    SCOPED_TRACE(row.name);
    const Vector* const vector = vector_of(all, row.scheme);
    ASSERT_NE(vector, nullptr);
    const std::vector<std::byte> payload = bytes_of_runs(vector->payload);
    const uint64_t elements = vector->values.size();
    const auto size = payload_size(Dtype::f32, vector->quantization, elements);
    ASSERT_TRUE(size);
    const uint64_t data_bytes = payload.size() - size->scales;
    if (row.scheme != Scheme::adaptive) {
      EXPECT_EQ(size->data, data_bytes);
    }
    expect_decoded({.name = std::string(row.name),
                    .quantization = vector->quantization,
                    .elements = elements,
                    .data_bytes = data_bytes,
                    .payload = payload},
                   vector->values);
  }
}

TEST(BlockTypes, AreRepacked) {
  const std::vector<Vector> all = vectors();
  for (const BlockType& row : kBlockTypes) {
    const bool for_decoders = row.codec == Codec::amb || row.codec == Codec::alt || row.codec == Codec::gguf;
    if (!for_decoders || row.scheme == Scheme::adaptive) continue;
    const Vector* const vector = vector_of(all, row.scheme);
    ASSERT_NE(vector, nullptr) << row.name;
    EXPECT_EQ(repacked(*vector), vector->values) << row.name;
  }
}

TEST(BlockTypes, OfGgufAreFoundByTheirNumbers) {
  for (const BlockType& row : kBlockTypes) {
    if (row.ggml == kNoNumber) continue;
    const auto type = gguf::ggml_type(static_cast<uint32_t>(row.ggml));
    if (row.codec != Codec::none) {
      ASSERT_TRUE(type) << row.name;
      EXPECT_EQ(type->scheme, row.scheme);
      EXPECT_EQ(type->block, row.blocks.values);
      continue;
    }
    ASSERT_FALSE(type) << row.name;
    EXPECT_EQ(type.error().code, Code::unsupported);
    const std::string& detail = type.error().detail;
    EXPECT_NE(detail.find("(" + std::string(row.name) + ")"), std::string::npos) << detail;
    EXPECT_NE(detail.find("F32, F16"), std::string::npos) << detail;
    EXPECT_NE(detail.find("Q4_0, Q4_1"), std::string::npos) << detail;
  }
}

TEST(BlockTypes, HaveUniqueNumbers) {
  std::set<int> ggml, amb;
  for (const BlockType& row : kBlockTypes) {
    if (row.ggml != kNoNumber) {
      EXPECT_TRUE(ggml.insert(row.ggml).second) << row.name;
    }
    if (row.amb != kNoNumber) {
      EXPECT_TRUE(amb.insert(row.amb).second) << row.name;
    }
    EXPECT_EQ(row.amb != kNoNumber, row.codec == Codec::amb) << row.name;
    EXPECT_EQ(row.decode_block != nullptr, row.codec == Codec::gguf) << row.name;
    EXPECT_EQ(row.name.empty(), row.codec == Codec::plain);
  }
  EXPECT_EQ(amb, (std::set<int>{3, 4, 5, 6, 7, 8}));  // docs/formats/amb.md, "Weights"
}

}  // namespace
}  // namespace quintet::test
