// Each filter on rows that can be worked out by hand, and pictures that are too long for them.

#include <gtest/gtest.h>

#include <vector>

#include "image/resize.h"

namespace quintet {
namespace {

constexpr ResizeFilter kAll[] = {ResizeFilter::nearest, ResizeFilter::lanczos, ResizeFilter::bilinear,
                                 ResizeFilter::bicubic, ResizeFilter::box,     ResizeFilter::hamming};

std::vector<uint8_t> row(const std::vector<uint8_t>& samples, uint32_t wanted, ResizeFilter filter) {
  const auto length = static_cast<uint32_t>(samples.size());
  const auto result = resize({samples, length, 1, 1}, {length, wanted, 0, wanted}, {1, 1, 0, 1}, filter);
  return result ? std::vector<uint8_t>(result->data(), result->data() + result->size()) : std::vector<uint8_t>();
}

TEST(Filters, GiveValuesWorkedOutByHand) {
  EXPECT_EQ(row({1, 2, 3, 4, 5}, 2, ResizeFilter::nearest), (std::vector<uint8_t>{2, 4}));  // at 1.25 and 3.75
  EXPECT_EQ(row({7, 9}, 5, ResizeFilter::nearest), (std::vector<uint8_t>{7, 7, 9, 9, 9}));  // at 0.2, 0.6, 1, 1.4, 1.8
  EXPECT_EQ(row({10, 20, 40, 80}, 2, ResizeFilter::box), (std::vector<uint8_t>{15, 60}));
  // 1 - 2.5 x^2 + 1.5 x^3 at the distances 0.25 and 0.75, over their sum. At both ends a negative weight is clamped.
  EXPECT_EQ(row({0, 255}, 4, ResizeFilter::bicubic), (std::vector<uint8_t>{0, 53, 202, 255}));
}

TEST(Filters, LeaveAPictureOfTheRightSizeAsItIs) {
  std::vector<uint8_t> samples(97);
  for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(i * i * 7);
  for (const ResizeFilter filter : kAll) EXPECT_EQ(row(samples, 97, filter), samples);
}

TEST(Filters, KeepAnEvenColor) {
  const std::vector<uint8_t> samples(50, 200);
  for (const ResizeFilter filter : kAll) {
    for (const uint32_t wanted : {1, 7, 49, 51, 333}) {
      EXPECT_EQ(row(samples, wanted, filter), std::vector<uint8_t>(wanted, 200)) << static_cast<int>(filter);
    }
  }
}

TEST(Filters, CutAPartFromTheWhole) {
  std::vector<uint8_t> samples(1000);
  for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(i * i / 3);
  for (const ResizeFilter filter : kAll) {
    const std::vector<uint8_t> whole = row(samples, 777, filter);
    const auto part = resize({samples, 1000, 1, 1}, {1000, 777, 300, 20}, {1, 1, 0, 1}, filter);
    ASSERT_TRUE(part);
    EXPECT_TRUE(std::ranges::equal(part->span(), std::span(whole).subspan(300, 20)));
  }
}

TEST(Filters, RejectLinesThatTakeTooMuchMemory) {
  const std::vector<uint8_t> line(size_t{50} << 20, 128);
  const auto reason = [&](uint32_t width, uint32_t height, uint32_t side, ResizeFilter filter) {
    const auto result = resize({line, width, height, 1}, {width, side, 0, side}, {height, side, 0, side}, filter);
    EXPECT_FALSE(result);
    return result ? Reason::malformed : result.error().reason;
  };
  const uint32_t length = static_cast<uint32_t>(line.size());
  EXPECT_EQ(reason(length, 1, 4096, ResizeFilter::lanczos), Reason::limit);
  EXPECT_EQ(reason(1, length, 4096, ResizeFilter::nearest), Reason::limit);
}

TEST(Filters, NearestOfALongLineTakesConstantTime) {
  const std::vector<uint8_t> line(size_t{16} << 20, 77);
  const uint32_t length = static_cast<uint32_t>(line.size());
  const uint64_t scaled = uint64_t{length} * 4096;
  const auto middle =
      resize({line, 1, length, 1}, {1, 4096, 0, 2}, {length, scaled, scaled / 2, 2}, ResizeFilter::nearest);
  ASSERT_TRUE(middle);
  EXPECT_EQ((*middle)[3], 77);
}

}  // namespace
}  // namespace quintet
