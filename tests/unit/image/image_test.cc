// Pictures on their way into a network: resizing against the definition in double precision, cropping, refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "image/prepare.h"
#include "image/resize.h"

namespace quintet {
namespace {

std::vector<uint8_t> random_samples(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> samples(count);
  for (uint8_t& sample : samples) sample = static_cast<uint8_t>(random());
  return samples;
}

// One axis of PIL's Image.resize(BILINEAR) without its integers: the mean of [offset, offset + length x stride) under a
// triangle around the new sample's centre, rounded.
std::vector<uint8_t> resampled(const std::vector<uint8_t>& old, size_t length, size_t wanted) {
  std::vector<uint8_t> result(wanted);
  const double scale = double(length) / double(wanted);
  const double radius = std::max(1.0, scale);
  for (size_t i = 0; i < wanted; ++i) {
    const double center = (double(i) + 0.5) * scale;
    double sum = 0, weights = 0;
    for (size_t s = 0; s < length; ++s) {
      const double weight = std::max(0.0, 1 - std::abs(double(s) + 0.5 - center) / radius);
      sum += weight * old[s];
      weights += weight;
    }
    result[i] = static_cast<uint8_t>(std::floor(sum / weights + 0.5));
  }
  return result;
}

// The whole picture, columns first.
std::vector<uint8_t> resized_plainly(const Pixels& pixels, size_t width, size_t height) {
  const size_t channels = pixels.channels;
  std::vector<uint8_t> narrowed(pixels.height * width * channels);
  for (size_t y = 0; y < pixels.height; ++y) {
    for (size_t c = 0; c < channels; ++c) {
      std::vector<uint8_t> row(pixels.width);
      for (size_t x = 0; x < row.size(); ++x) row[x] = pixels.samples[(y * pixels.width + x) * channels + c];
      row = resampled(row, pixels.width, width);
      for (size_t x = 0; x < width; ++x) narrowed[(y * width + x) * channels + c] = row[x];
    }
  }
  std::vector<uint8_t> result(height * width * channels);
  for (size_t i = 0; i < width * channels; ++i) {
    std::vector<uint8_t> column(pixels.height);
    for (size_t y = 0; y < column.size(); ++y) column[y] = narrowed[y * width * channels + i];
    column = resampled(column, pixels.height, height);
    for (size_t y = 0; y < height; ++y) result[y * width * channels + i] = column[y];
  }
  return result;
}

int largest_difference(std::span<const uint8_t> a, const std::vector<uint8_t>& b) {
  int largest = a.size() == b.size() ? 0 : 256;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Resize, FollowsTheDefinition) {
  struct Case {
    uint32_t width, height, channels, new_width, new_height;
  };
  for (const Case& c : {Case{1, 1, 1, 5, 7}, Case{2, 3, 3, 4, 3}, Case{17, 13, 3, 8, 5}, Case{64, 48, 4, 48, 36},
                        Case{100, 7, 1, 9, 21}, Case{33, 33, 3, 33, 33}, Case{9, 400, 3, 3, 11}}) {
    const auto samples = random_samples(size_t{c.width} * c.height * c.channels, c.width);
    const Pixels pixels{samples, c.width, c.height, c.channels};
    const auto result =
        resize(pixels, {c.width, c.new_width, 0, c.new_width}, {c.height, c.new_height, 0, c.new_height});
    ASSERT_TRUE(result);
    EXPECT_LE(largest_difference(result->span(), resized_plainly(pixels, c.new_width, c.new_height)), 1) << c.width;
  }
}

TEST(Resize, GivesValuesWorkedOutByHand) {
  const auto row = [](std::vector<uint8_t> samples, uint32_t wanted) {
    const auto length = static_cast<uint32_t>(samples.size());
    const auto result = resize({samples, length, 1, 1}, {length, wanted, 0, wanted}, {1, 1, 0, 1});
    return std::vector<uint8_t>(result->data(), result->data() + result->size());
  };
  EXPECT_EQ(row({0, 255}, 4), (std::vector<uint8_t>{0, 64, 191, 255}));  // weights 3/4 and 1/4 between centres
  // Weights 3/4 3/4 1/4, and mirrored, over their sum 7/4.
  EXPECT_EQ(row({0, 100, 200, 100}, 2), (std::vector<uint8_t>{71, 143}));
  EXPECT_EQ(row({7, 7, 7, 7, 7}, 3), (std::vector<uint8_t>{7, 7, 7}));
  EXPECT_EQ(row({1, 2, 250}, 3), (std::vector<uint8_t>{1, 2, 250}));
}

TEST(Resize, APartIsCutFromTheWhole) {
  const auto samples = random_samples(90 * 70 * 3, 5);
  const Pixels pixels{samples, 90, 70, 3};
  const auto whole = resize(pixels, {90, 41, 0, 41}, {70, 33, 0, 33});
  const auto part = resize(pixels, {90, 41, 11, 20}, {70, 33, 30, 3});
  ASSERT_TRUE(whole && part);
  for (size_t y = 0; y < 3; ++y) {
    for (size_t x = 0; x < 20 * 3; ++x) EXPECT_EQ((*part)[y * 60 + x], (*whole)[(y + 30) * 123 + 33 + x]);
  }
}

TEST(PrepareImage, ThumbnailsAreNormalisedAsTheyAre) {
  const auto samples = random_samples(32 * 32 * 3, 9);
  const auto input = prepare_image({samples, 32, 32, 3}, Preparation::for_size(32));
  ASSERT_TRUE(input);
  ASSERT_EQ(input->data.size(), 3072);
  const double mean[] = {0.485, 0.456, 0.406};
  const double deviation[] = {0.229, 0.224, 0.225};
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < 1024; ++i) {
      EXPECT_NEAR(input->data[c * 1024 + i], (samples[i * 3 + c] / 255.0 - mean[c]) / deviation[c], 1e-6);
    }
  }
}

TEST(PrepareImage, TheMiddleOfTheScaledPictureIsCutOut) {
  const auto samples = random_samples(300 * 200 * 3, 10);
  const Pixels pixels{samples, 300, 200, 3};
  const Preparation preparation = Preparation::for_size(224);
  EXPECT_EQ(preparation.scaling.size.height, 256);
  const auto input = prepare_image(pixels, preparation);
  ASSERT_TRUE(input);
  const auto whole = resized_plainly(pixels, 384, 256);  // 300 x 256/200
  for (size_t y = 0; y < 224; ++y) {
    for (size_t x = 0; x < 224; ++x) {
      const double green = (whole[((y + 16) * 384 + x + 80) * 3 + 1] / 255.0 - 0.456) / 0.224;
      ASSERT_NEAR(input->data[224 * 224 + y * 224 + x], green, 1.01 / 255 / 0.224);
    }
  }
}

TEST(PrepareImage, GrayIsRepeatedAndAlphaDropped) {
  const auto gray = random_samples(40 * 50, 11);
  std::vector<uint8_t> rgb, rgba;
  for (const uint8_t sample : gray) {
    rgb.insert(rgb.end(), 3, sample);
    rgba.insert(rgba.end(), 3, sample);
    rgba.push_back(static_cast<uint8_t>(sample * 3));
  }
  const Preparation preparation = Preparation::for_size(28);
  const auto expected = prepare_image({rgb, 40, 50, 3}, preparation);
  ASSERT_TRUE(expected);
  const auto equals_expected = [&](const Pixels& pixels) {
    const auto input = prepare_image(pixels, preparation);
    return input && std::ranges::equal(input->data.span(), expected->data.span());
  };
  EXPECT_TRUE(equals_expected({gray, 40, 50, 1}));
  EXPECT_TRUE(equals_expected({rgba, 40, 50, 4}));
}

TEST(PrepareImage, LongThinPicturesTakeOnlyTheMemoryOfTheirMiddle) {
  const std::vector<uint8_t> line(size_t{16} << 20, 128);
  const auto input = prepare_image({line, 1, 16 << 20, 1}, Preparation::for_size(224));  // scaled: 256 x 2^32
  ASSERT_TRUE(input);
  EXPECT_FLOAT_EQ(input->data[0], (128 / 255.0F - 0.485F) / 0.229F);
}

TEST(PrepareImage, RejectsInvalidPictures) {
  const std::vector<uint8_t> samples(48);
  const auto refused = [&](uint32_t width, uint32_t height, uint32_t channels, Reason reason) {
    const auto input = prepare_image({samples, width, height, channels}, Preparation::for_size(32));
    return !input && input.error().code == Code::input && input.error().reason == reason;
  };
  EXPECT_TRUE(refused(0, 4, 3, Reason::out_of_range));
  EXPECT_TRUE(refused(4, 0, 3, Reason::out_of_range));
  EXPECT_TRUE(refused(4, 6, 2, Reason::out_of_range));
  EXPECT_TRUE(refused(4, 4, 0, Reason::out_of_range));
  EXPECT_TRUE(refused(4, 5, 3, Reason::mismatch));
  EXPECT_TRUE(refused(4, 3, 3, Reason::mismatch));
  EXPECT_TRUE(refused(8193, 8192, 3, Reason::limit));
  EXPECT_TRUE(refused(UINT32_MAX, UINT32_MAX, 4, Reason::limit));
  for (const Preparation& preparation :
       {Preparation::for_size(0), Preparation::for_size(UINT32_MAX), Preparation::cropped(33, 32)}) {
    EXPECT_EQ(prepare_image({samples, 4, 4, 3}, preparation).error().code, Code::input);
  }
}

TEST(PrepareImage, RejectsInvalidMeansAndDeviations) {
  const std::vector<uint8_t> samples(48);
  const auto refused = [&](const Preparation& preparation) {
    const auto input = prepare_image({samples, 4, 4, 3}, preparation);
    return !input && input.error().code == Code::input;
  };
  Preparation preparation = Preparation::for_size(4);
  EXPECT_FALSE(refused(preparation));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float wrong : {std::nanf(""), kInfinity, -kInfinity}) {
    preparation.mean[1] = wrong;
    EXPECT_TRUE(refused(preparation)) << wrong;
  }
  preparation.mean[1] = 0;
  for (const float wrong : {std::nanf(""), kInfinity, -1.0F, 0.0F, -0.0F}) {
    preparation.standard_deviation[2] = wrong;
    EXPECT_TRUE(refused(preparation)) << wrong;
  }
}

}  // namespace
}  // namespace quintet
