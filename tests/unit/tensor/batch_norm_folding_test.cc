#include "tensor/batch_norm_folding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace quintet::test {
namespace {

TEST(BatchNormFolding, GivesWhatTheConvolutionAndTheNormGive) {
  const std::vector<float> gamma = {2.0F, -0.5F}, beta = {1.0F, 0.25F}, mean = {3.0F, -1.0F},
                           variance = {4.0F, 0.0625F};
  const std::vector<float> weights = {1, 2, 3, 4, 5, 6}, bias = {0.5F, -2.0F}, x = {0.5F, -1.5F, 2.0F};
  std::vector<float> folded_weights = weights, folded_bias = bias;
  fold_batch_norm({gamma, beta, mean, variance}, folded_weights, folded_bias);
  for (size_t channel = 0; channel < 2; ++channel) {
    double plain = bias[channel], folded = folded_bias[channel];
    for (size_t i = 0; i < 3; ++i) {
      plain += double{weights[3 * channel + i]} * x[i];
      folded += double{folded_weights[3 * channel + i]} * x[i];
    }
    plain = (plain - mean[channel]) / std::sqrt(variance[channel] + 1e-5) * gamma[channel] + beta[channel];
    EXPECT_NEAR(folded, plain, 1e-5);
  }
}

TEST(BatchNormFolding, RoundsOnce) {
  std::vector<float> weights = {0.1F}, bias = {0.0F};
  const std::vector<float> gamma = {0.3F}, beta = {0.7F}, mean = {0.9F}, variance = {1.1F};
  fold_batch_norm({gamma, beta, mean, variance}, weights, bias);
  const double factor = double{0.3F} / std::sqrt(double{1.1F} + double{1e-5F});
  EXPECT_EQ(weights[0], static_cast<float>(double{0.1F} * factor));
  EXPECT_EQ(bias[0], static_cast<float>(-double{0.9F} * factor + double{0.7F}));
}

TEST(BatchNormFolding, NoChannelsGiveNothing) {
  std::vector<float> none;
  fold_batch_norm({}, none, none);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace quintet::test
