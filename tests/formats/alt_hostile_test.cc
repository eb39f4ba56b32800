// Broken files that the recipes of tests/fixtures/malformed do not cover.

#include <gtest/gtest.h>

#include <cstring>

#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

// Places in small.alt; layer and projection are those of the first query projection.
constexpr size_t kFirstScore = 337, kFirstType = 341, kSeqLen = 324, kTied = 216, kRopeTheta = 245,
                 kGeneralPadding = 170, kTensorsSize = 488, kTensorCount = 496, kShape = 540, kLayer = 764,
                 kProjection = 768;

template <class T>
File with(size_t at, T value) {
  File file = fixture("alt/small.alt");
  std::memcpy(file.data() + at, &value, sizeof value);
  return file;
}

void expect_refused(const File& file, size_t at, Reason reason) {
  const auto read = read_file(file, {.format = Format::alt});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().offset, at) << read.error().detail;
  EXPECT_EQ(read.error().reason, reason) << read.error().detail;
}

TEST(HostileAlt, EndsEarlyAtEveryByte) {
  const File whole = fixture("alt/small.alt");
  const size_t enough = whole.size() - 4;  // half of the end marker
  for (size_t length = 0; length < whole.size(); ++length) {
    for (const bool known : {true, false}) {
      const auto read =
          read_file(Bytes(whole).first(length), {.format = Format::alt, .chunk = 500, .length_known = known});
      ASSERT_EQ(read.has_value(), length == enough) << length;
      if (read) continue;
      ASSERT_TRUE(read.error().offset);
      ASSERT_LE(*read.error().offset, length);
      ASSERT_EQ(read.error().format, "alt");
    }
  }
}

TEST(HostileAlt, HasInvalidNumbers) {
  expect_refused(with(kFirstScore, uint32_t{0x7FC00000}), kFirstScore, Reason::malformed);
  expect_refused(with(kRopeTheta, uint32_t{0x7F800000}), kRopeTheta, Reason::malformed);
  expect_refused(with(kTied, uint8_t{2}), kTied, Reason::malformed);
  expect_refused(with(kSeqLen, int32_t{-1}), kSeqLen, Reason::limit);
  expect_refused(with(kFirstType, int32_t{8}), kFirstType, Reason::unknown_value);
}

TEST(HostileAlt, HidesBytesBetweenSections) {
  expect_refused(with(kGeneralPadding, uint8_t{1}), kGeneralPadding, Reason::malformed);
}

TEST(HostileAlt, HasTensorsThatContradictTheirNames) {
  expect_refused(with(kProjection, int32_t{2}), kProjection, Reason::mismatch);
  expect_refused(with(kLayer, int32_t{2}), kLayer - 8, Reason::unknown_value);  // the MLP has no query projection
}

TEST(HostileAlt, ClaimsMoreThanItHas) {
  expect_refused(with(kShape, uint64_t{0x7FFFFFFF7FFFFFFF}), kShape, Reason::limit);
  expect_refused(with(kTensorCount, int64_t{1000000}), kTensorCount, Reason::limit);
  expect_refused(with(kTensorsSize, int64_t{1} << 60), kTensorsSize, Reason::limit);
  // If the length is unknown, nothing contradicts the claim before the end.
  const auto read = read_file(with(kShape, uint64_t{0x3FFFFFFF3FFFFFFF}), {.chunk = 100, .length_known = false});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().offset, 2664u);
  EXPECT_EQ(read.error().tensor, "model.embed_tokens.weight");
}

}  // namespace
}  // namespace quintet::test
