// Sizes, crops, borders and normalization of a prepared picture, and options that nothing can be prepared with.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "image/prepare.h"

namespace quintet {
namespace {

// Neither scaled, nor cropped, nor normalized: values are samples.
Preparation plain() {
  Preparation preparation;
  preparation.rescale_factor = 1;
  preparation.mean = {};
  preparation.standard_deviation = {1, 1, 1};
  return preparation;
}

Preparation cropping(uint32_t height, uint32_t width, Crop::Centering centering) {
  Preparation preparation = plain();
  preparation.crop = Crop{.size = {height, width}, .centering = centering, .pads = true, .border = {101, 102, 103}};
  return preparation;
}

// The red samples of a row of gray pixels.
std::vector<float> row(const std::vector<uint8_t>& samples, const Preparation& preparation) {
  const auto image = prepare_image({samples, static_cast<uint32_t>(samples.size()), 1, 1}, preparation);
  if (!image) return {};
  return {image->data.data(), image->data.data() + image->width};
}

TEST(PreparedSize, FollowsTheScaling) {
  struct Case {
    Scaling scaling;
    ImageSize picture, expected;
  };
  using Kind = Scaling::Kind;
  for (const Case& c : {
           Case{{}, {30, 40}, {30, 40}}, Case{Scaling::to_shorter_side(10), {30, 40}, {10, 13}},  // 13.3
           Case{Scaling::to_shorter_side(10), {400, 30}, {133, 10}},
           Case{Scaling::to_shorter_side(10, 13), {30, 40}, {10, 13}},  // 9.75 x 13
           Case{Scaling::to_shorter_side(800, 1333), {480, 1000}, {640, 1333}},
           Case{Scaling::to_shorter_side(100, 200), {300, 100}, {200, 67}},
           Case{{.kind = Kind::exact, .size = {7, 9}}, {30, 40}, {7, 9}},
           Case{{.kind = Kind::cover, .size = {20, 10}}, {30, 40}, {20, 27}},
           Case{{.kind = Kind::fit, .size = {20, 10}}, {30, 40}, {8, 10}},  // 7.5 to the even one
           Case{{.kind = Kind::fit, .size = {20, 10}}, {26, 40}, {6, 10}},  // 6.5
       }) {
    Preparation preparation;
    preparation.scaling = c.scaling;
    const auto size = prepared_size(c.picture, preparation);
    ASSERT_TRUE(size);
    EXPECT_EQ(size->height, c.expected.height);
    EXPECT_EQ(size->width, c.expected.width);
  }
}

TEST(PreparedSize, IsKnownInAdvanceOfACropAndOfAnExactSize) {
  Preparation preparation;
  EXPECT_EQ(preparation.fixed_size(), std::nullopt);
  preparation.scaling = Scaling::to_shorter_side(10);
  EXPECT_EQ(preparation.fixed_size(), std::nullopt);
  preparation.scaling = {.kind = Scaling::Kind::exact, .size = {3, 4}};
  EXPECT_EQ(preparation.fixed_size(), (ImageSize{3, 4}));
  preparation.crop = Crop{.size = {1, 2}};
  EXPECT_EQ(preparation.fixed_size(), (ImageSize{1, 2}));
}

TEST(PrepareImage, CentersLikeTheLibraries) {
  const std::vector<uint8_t> samples = {0, 1, 2, 3, 4, 5, 6};
  using enum Crop::Centering;
  // A margin of 3 is halved to 1 or 2, one of 5 to 2 in either way.
  EXPECT_EQ(row(samples, cropping(1, 4, down)), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(row(samples, cropping(1, 4, half_to_even)), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(row(samples, cropping(1, 2, down)), (std::vector<float>{2, 3}));
  EXPECT_EQ(row(samples, cropping(1, 2, half_to_even)), (std::vector<float>{2, 3}));
  // A border of 3.
  EXPECT_EQ(row({7, 8}, cropping(1, 5, down)), (std::vector<float>{101, 101, 7, 8, 101}));
  EXPECT_EQ(row({7, 8}, cropping(1, 5, half_to_even)), (std::vector<float>{101, 7, 8, 101, 101}));
}

TEST(PrepareImage, CropsOneSideAndPadsTheOther) {
  const std::vector<uint8_t> samples = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // 1 x 4 pixels of RGB
  const auto image = prepare_image({samples, 4, 1, 3}, cropping(3, 2, Crop::Centering::down));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->height, 3);
  EXPECT_EQ(image->width, 2);
  const std::vector<float> expected = {101, 101, 4, 7, 101, 101, 102, 102, 5, 8, 102, 102, 103, 103, 6, 9, 103, 103};
  EXPECT_EQ(std::vector<float>(image->data.data(), image->data.data() + image->data.size()), expected);
}

TEST(PrepareImage, RescalesNormalisesAndDividesTwice) {
  Preparation preparation = plain();
  preparation.rescale_factor = 1 / 127.5;
  preparation.rescale_offset = 1;
  EXPECT_EQ(row({0, 255}, preparation), (std::vector<float>{-1, 1}));
  preparation.mean = {0.5F, 0, 0};
  preparation.standard_deviation = {0.25F, 1, 1};
  EXPECT_EQ(row({0, 255}, preparation), (std::vector<float>{-6, 2}));
  preparation.divides_twice = true;
  EXPECT_EQ(row({0, 255}, preparation), (std::vector<float>{-24, 8}));
}

TEST(PrepareImage, RescalesByDividingBy255) {
  const Preparation preparation;
  for (size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(static_cast<float>(static_cast<double>(i) * preparation.rescale_factor), static_cast<float>(i) / 255.0F);
  }
}

TEST(PrepareImage, RejectsInvalidSizes) {
  const std::vector<uint8_t> samples(48);
  const auto reason = [&](const Preparation& preparation) {
    const auto image = prepare_image({samples, 4, 4, 3}, preparation);
    EXPECT_FALSE(image);
    if (image) return Reason::malformed;
    EXPECT_EQ(image.error().code, Code::input);
    EXPECT_EQ(prepared_size({4, 4}, preparation).error().detail, image.error().detail);
    return image.error().reason;
  };
  constexpr uint32_t kWrong[] = {0, kMaxInputSide + 1, UINT32_MAX};
  for (const uint32_t wrong : kWrong) {
    EXPECT_EQ(reason(cropping(wrong, 4, {})), Reason::out_of_range);
    EXPECT_EQ(reason(cropping(4, wrong, {})), Reason::out_of_range);
    for (const auto kind :
         {Scaling::Kind::shorter_side, Scaling::Kind::exact, Scaling::Kind::cover, Scaling::Kind::fit}) {
      Preparation preparation;
      preparation.scaling = {.kind = kind, .size = {wrong, 4}};
      EXPECT_EQ(reason(preparation), Reason::out_of_range);
      preparation.scaling.size = {4, wrong};
      EXPECT_EQ(reason(preparation), Reason::out_of_range);
    }
  }
  Preparation larger = cropping(4, 5, {});
  larger.crop->pads = false;
  EXPECT_EQ(reason(larger), Reason::out_of_range);
}

TEST(PrepareImage, RejectsPicturesThatBecomeTooThinOrTooLong) {
  Preparation preparation;
  preparation.scaling = Scaling::to_shorter_side(100);
  EXPECT_TRUE(prepared_size({1, 40}, preparation));
  EXPECT_EQ(prepared_size({1, 41}, preparation).error().reason, Reason::limit);
  EXPECT_EQ(prepared_size({UINT32_MAX, 1}, preparation).error().reason, Reason::limit);
  preparation.scaling = Scaling::to_shorter_side(100, 200);
  EXPECT_EQ(prepared_size({1, 1000}, preparation).error().reason, Reason::out_of_range);
  preparation.scaling = {.kind = Scaling::Kind::fit, .size = {10, 10}};
  EXPECT_EQ(prepared_size({1000, 1}, preparation).error().reason, Reason::out_of_range);
  preparation.scaling = {.kind = Scaling::Kind::cover, .size = {1, 4096}};
  EXPECT_EQ(prepared_size({1000, 1}, preparation).error().reason, Reason::limit);
  EXPECT_EQ(prepared_size({0, 1}, preparation).error().reason, Reason::out_of_range);
}

TEST(PrepareImage, RejectsInvalidFactors) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {std::nan(""), kInfinity, 0.0, -1.0}) {
    Preparation preparation;
    preparation.rescale_factor = wrong;
    EXPECT_EQ(prepared_size({4, 4}, preparation).error().reason, Reason::out_of_range);
  }
  for (const float wrong : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    Preparation preparation;
    preparation.rescale_offset = wrong;
    EXPECT_EQ(prepared_size({4, 4}, preparation).error().reason, Reason::out_of_range);
  }
}

}  // namespace
}  // namespace quintet
