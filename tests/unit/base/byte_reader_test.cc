#include "base/byte_reader.h"

#include <gtest/gtest.h>

#include "base/byte_writer.h"
#include "base/checked.h"

namespace quintet {
namespace {

TEST(ByteReader, ReadsWhatTheWriterWrote) {
  ByteWriter out;
  out.put(uint16_t{0x1234});
  out.put(uint32_t{0});
  out.put(1.5F);
  out.put_text("ab");
  out.put_zeros(2);
  out.set(2, uint32_t{0xDEADBEEF});
  const std::vector<std::byte> bytes = out.take();
  ASSERT_EQ(bytes.size(), 14u);
  EXPECT_EQ(bytes[0], std::byte{0x34});
  EXPECT_EQ(out.size(), 0u);

  ByteReader in(bytes, 100);
  EXPECT_EQ(*in.read<uint16_t>(), 0x1234);
  EXPECT_EQ(*in.read<uint32_t>(), 0xDEADBEEF);
  EXPECT_EQ(*in.read<float>(), 1.5F);
  EXPECT_EQ(in.offset(), 110u);
  EXPECT_EQ(as_text(*in.bytes(2)), "ab");
  EXPECT_EQ(in.remaining(), 2u);
  EXPECT_EQ(load_le<uint16_t>(bytes, 12), 0);
}

TEST(ByteReader, AFailedReadDoesNotMove) {
  const std::byte bytes[3] = {};
  ByteReader in(bytes, 10);
  EXPECT_TRUE(in.read<uint8_t>());
  const auto failed = in.read<uint32_t>();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().reason, Reason::truncated);
  EXPECT_EQ(failed.error().offset, 11u);
  EXPECT_FALSE(in.bytes(UINT64_MAX));
  EXPECT_EQ(in.remaining(), 2u);
  EXPECT_TRUE(in.read<uint16_t>());
}

TEST(Checked, OverflowGivesNoResult) {
  EXPECT_EQ(checked_add(UINT64_MAX - 1, 1), UINT64_MAX);
  EXPECT_EQ(checked_add(UINT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checked_mul(1ull << 32, 1ull << 31), 1ull << 63);
  EXPECT_EQ(checked_mul(1ull << 32, 1ull << 32), std::nullopt);
  EXPECT_TRUE(fits(10, 5, 15));
  EXPECT_FALSE(fits(10, 6, 15));
  EXPECT_FALSE(fits(UINT64_MAX, 1, UINT64_MAX));
  EXPECT_TRUE(fits(15, 0, 15));
  EXPECT_FALSE(fits(16, 0, 15));
  EXPECT_EQ(align_up(65, 64), 128u);
  EXPECT_EQ(align_up(64, 64), 64u);
}

}  // namespace
}  // namespace quintet
