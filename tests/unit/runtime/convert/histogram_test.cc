// Ranges of activations: what min-max and histogram observers make of known values.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "runtime/convert/calibration/calibrator.h"
#include "runtime/convert/calibration/histogram.h"

namespace quintet {
namespace {

std::vector<float> normal_values(size_t count, uint32_t seed, float deviation = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> values(0, deviation);
  std::vector<float> result(count);
  for (float& value : result) value = values(random);
  return result;
}

ActivationQuantization observed(ObserverKind kind, std::initializer_list<std::vector<float>> batches) {
  const auto observer = make_observer(kind);
  for (const std::vector<float>& batch : batches) observer->add(batch);
  return observer->quantization();
}

// The squared error of quantizing and dequantizing.
double squared_error(const std::vector<float>& values, const ActivationQuantization& q) {
  double error = 0;
  for (const float value : values) {
    const double byte = std::clamp(std::round(double(value) / q.scale) + q.zero_point, 0.0, 255.0);
    error += std::pow((byte - q.zero_point) * q.scale - value, 2);
  }
  return error;
}

TEST(MinMaxObserver, SpreadsTheBytesOverTheRange) {
  const auto both_signs = observed(ObserverKind::min_max, {{-1, 0.5F}, {1.55F, 0}});
  EXPECT_FLOAT_EQ(both_signs.scale, 0.01F);
  EXPECT_EQ(both_signs.zero_point, 100);
  const auto behind_relu = observed(ObserverKind::min_max, {{0, 3}, {51}});
  EXPECT_FLOAT_EQ(behind_relu.scale, 0.2F);
  EXPECT_EQ(behind_relu.zero_point, 0);
}

TEST(MinMaxObserver, RangesHoldZero) {
  const auto positive = observed(ObserverKind::min_max, {{10, 25.5F}});
  EXPECT_FLOAT_EQ(positive.scale, 0.1F);
  EXPECT_EQ(positive.zero_point, 0);
  const auto negative = observed(ObserverKind::min_max, {{-10, -25.5F}});
  EXPECT_FLOAT_EQ(negative.scale, 0.1F);
  EXPECT_EQ(negative.zero_point, 255);
}

class EveryObserver : public ::testing::TestWithParam<ObserverKind> {};

TEST_P(EveryObserver, AlwaysZeroHasTheSmallestScale) {
  for (const auto& quantization : {observed(GetParam(), {{0, 0}, {-0.0F}}), observed(GetParam(), {{}})}) {
    EXPECT_EQ(quantization.scale, std::numeric_limits<float>::epsilon());
    EXPECT_EQ(quantization.zero_point, 0);
  }
}

TEST_P(EveryObserver, TheLargestFloatsGiveFiniteScales) {
  const float max = std::numeric_limits<float>::max();
  const auto quantization = observed(GetParam(), {{1}, {-max, max}});
  EXPECT_TRUE(std::isfinite(quantization.scale));
  EXPECT_EQ(quantization.zero_point, 128);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryObserver, ::testing::Values(ObserverKind::min_max, ObserverKind::histogram));

TEST(Histogram, EvenlySpreadValuesAreNotClipped) {
  std::vector<float> values;
  for (int i = -1000; i <= 3000; ++i) values.push_back(static_cast<float>(i) / 1000);
  Histogram histogram;
  histogram.add(values);
  const ActivationRange best = histogram.best_range();
  EXPECT_NEAR(best.lower, -1, 0.02);
  EXPECT_NEAR(best.upper, 3, 0.02);
}

TEST(Histogram, AFarValueDoesNotCoarsenTheOthers) {
  std::vector<float> values = normal_values(1'000'000, 1);
  values.push_back(40);
  const auto clipped = observed(ObserverKind::histogram, {values});
  const auto whole = observed(ObserverKind::min_max, {values});
  EXPECT_LT(clipped.scale, whole.scale / 2);
  EXPECT_LT(squared_error(values, clipped), squared_error(values, whole));
}

// The least of all ranges that are tried out on the values themselves.
TEST(Histogram, TheRangeIsNearlyTheBest) {
  for (const float deviation : {0.01F, 1.0F, 500.0F}) {
    const std::vector<float> values = normal_values(20'000, 2, deviation);
    const double error = squared_error(values, observed(ObserverKind::histogram, {values}));
    double min = std::numeric_limits<double>::infinity();
    for (float extent = deviation; extent < 5 * deviation; extent *= 1.05F) {
      min = std::min(min, squared_error(values, ActivationRange{-extent, extent}.quantization()));
    }
    EXPECT_LT(error, min * 1.05);
  }
}

TEST(Histogram, ZerosWeighNothing) {
  std::vector<float> values = normal_values(1000, 3);
  Histogram without, with;
  without.add(values);
  values.insert(values.end(), 1'000'000, 0.0F);
  with.add(values);
  EXPECT_EQ(with.best_range().lower, without.best_range().lower);
  EXPECT_EQ(with.best_range().upper, without.best_range().upper);
}

TEST(Histogram, TheOrderOfBatchesHardlyMatters) {
  const std::vector<float> narrow = normal_values(30'000, 4), wide = normal_values(3'000, 5, 6);
  const auto growing = observed(ObserverKind::histogram, {narrow, wide});
  const auto at_once = observed(ObserverKind::histogram, {wide, narrow});
  EXPECT_NEAR(growing.scale, at_once.scale, at_once.scale * 0.03);
  EXPECT_NEAR(growing.zero_point, at_once.zero_point, 3);
}

}  // namespace
}  // namespace quintet
