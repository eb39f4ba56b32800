// The report against its definition, written in another way, and against numbers of the reference.
#include "runtime/kv/quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/golden/cache_files.h"

namespace quintet::test {
namespace {

using decoder::KvCache;
using kv::Quality;

constexpr size_t kLayers = 3, kHeads = 2, kHeadDim = 8, kPositions = 40;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// [layer][key, value][position][head][i]
using Tensors = std::vector<std::vector<float>>;

Tensors tensors_of(const std::function<float()>& next, size_t layers = kLayers, size_t positions = kPositions) {
  Tensors tensors(2 * layers, std::vector<float>(positions * kHeads * kHeadDim));
  for (std::vector<float>& tensor : tensors) std::ranges::generate(tensor, next);
  return tensors;
}

Tensors random_tensors(unsigned seed, float mean = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(mean, 1);
  return tensors_of([&] { return normal(random); });
}

// `error` is added to each value.
Tensors with_errors(Tensors tensors, const std::function<float()>& error) {
  for (std::vector<float>& tensor : tensors) {
    for (float& value : tensor) value += error();
  }
  return tensors;
}

KvCache cache_of(const Tensors& tensors) {
  const size_t width = kHeads * kHeadDim;
  KvCache cache(
      {.layers = tensors.size() / 2, .kv_heads = kHeads, .row = kv_row_layout(KvType::f32, kHeadDim).value()});
  const size_t positions = tensors.empty() ? 0 : tensors[0].size() / width;
  EXPECT_TRUE(cache.extend(positions));
  for (size_t position = 0; position < positions; ++position) {
    for (size_t layer = 0; layer < tensors.size() / 2; ++layer) {
      const float *keys = &tensors[2 * layer][position * width], *values = &tensors[2 * layer + 1][position * width];
      EXPECT_TRUE(cache.write(layer, position, keys, values));
    }
  }
  cache.commit(positions);
  return cache;
}

double mean_of(const std::vector<float>& values, const std::function<double(size_t)>& of) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += of(i);
  return sum / static_cast<double>(values.size());
}

// Straight from the definition, in as many passes as it has terms.
Quality plain_quality(const Tensors& a, const Tensors& b) {
  Quality quality;
  for (size_t t = 0; t < a.size(); ++t) {
    const std::vector<float>&x = a[t], &y = b[t];
    const double mean = mean_of(x, [&](size_t i) { return x[i]; });
    const double variance = mean_of(x, [&](size_t i) { return std::pow(x[i] - mean, 2); });
    const double mse = mean_of(x, [&](size_t i) { return std::pow(double{x[i]} - y[i], 2); });
    const double xx = mean_of(x, [&](size_t i) { return double{x[i]} * x[i]; });
    const double yy = mean_of(x, [&](size_t i) { return double{y[i]} * y[i]; });
    const double xy = mean_of(x, [&](size_t i) { return double{x[i]} * y[i]; });
    for (size_t i = 0; i < x.size(); ++i)
      quality.max_error = std::fmax(quality.max_error, std::fabs(double{x[i]} - y[i]));
    quality.rmse += std::sqrt(mse) / a.size();
    quality.snr_db += 10 * std::log10(variance / mse) / a.size();
    quality.cosine_similarity += xy / std::sqrt(xx * yy) / a.size();
  }
  return quality;
}

void expect_near(const Quality& actual, const Quality& expected, double relative) {
  EXPECT_NEAR(actual.rmse, expected.rmse, relative * expected.rmse);
  EXPECT_NEAR(actual.snr_db, expected.snr_db, relative * std::fabs(expected.snr_db));
  EXPECT_NEAR(actual.cosine_similarity, expected.cosine_similarity, relative);
  EXPECT_NEAR(actual.max_error, expected.max_error, relative * expected.max_error);
}

TEST(KvQuality, IsItsDefinition) {
  for (const float mean : {0.0F, 3.0F, -5000.0F}) {
    for (const float deviation : {0.001F, 0.1F, 2.0F}) {
      std::mt19937 random(7);
      std::normal_distribution<float> error(0, deviation);
      const Tensors a = random_tensors(1, mean);
      const Tensors b = with_errors(a, [&] { return error(random); });
      const auto quality = kv::compare(cache_of(a), cache_of(b));
      ASSERT_TRUE(quality);
      expect_near(*quality, plain_quality(a, b), 1e-6);
    }
  }
}

TEST(KvQuality, WithoutAnErrorSnrIsInfinite) {
  const KvCache cache = cache_of(random_tensors(2));
  const auto quality = kv::compare(cache, cache);
  ASSERT_TRUE(quality);
  EXPECT_EQ(quality->rmse, 0);
  EXPECT_EQ(quality->max_error, 0);
  EXPECT_EQ(quality->snr_db, kInfinite);
  EXPECT_NEAR(quality->cosine_similarity, 1, 1e-12);
  EXPECT_TRUE(quality->violations().empty());
  EXPECT_EQ(quality->level(), "EXCELLENT");
}

TEST(KvQuality, ZerosAreSimilarOnlyToZeros) {
  const KvCache zeros = cache_of(tensors_of([] { return 0.0F; })), ones = cache_of(tensors_of([] { return 1.0F; }));
  EXPECT_EQ(kv::compare(zeros, zeros)->cosine_similarity, 1);
  EXPECT_EQ(kv::compare(zeros, ones)->cosine_similarity, 0);
  EXPECT_EQ(kv::compare(ones, zeros)->cosine_similarity, 0);
}

TEST(KvQuality, AConstantTensorHasNoPowerAgainstAnError) {
  const auto quality =
      kv::compare(cache_of(tensors_of([] { return 2.0F; })), cache_of(tensors_of([] { return 2.001F; })));
  ASSERT_TRUE(quality);
  EXPECT_TRUE(std::isfinite(quality->snr_db));
  EXPECT_LT(quality->snr_db, -1000);
  EXPECT_EQ(quality->violations().size(), 1U);
  EXPECT_EQ(quality->level(), "POOR");
}

TEST(KvQuality, AnEmptyCacheHasNoError) {
  const Tensors empty(2 * kLayers);
  const auto quality = kv::compare(cache_of(empty), cache_of(empty));
  ASSERT_TRUE(quality);
  EXPECT_EQ(quality->rmse, 0);
  EXPECT_EQ(quality->cosine_similarity, 1);
  EXPECT_TRUE(quality->violations().empty());
}

TEST(KvQuality, StatesAloneAreRejected) {
  const KvCache cache(
      {.layers = 1, .row = {}, .recurrent_layers = {true}, .layers_without_rows = {true}, .state = {.layers = 1}});
  EXPECT_EQ(kv::compare(cache, cache).error().reason, Reason::missing);
}

TEST(KvQuality, OtherShapesAreRejected) {
  const auto one = [] { return 1.0F; };
  const KvCache cache = cache_of(tensors_of(one));
  for (const KvCache& other :
       {cache_of(tensors_of(one, kLayers - 1)), cache_of(tensors_of(one, kLayers, kPositions - 1))}) {
    const auto quality = kv::compare(cache, other);
    ASSERT_FALSE(quality);
    EXPECT_EQ(quality.error().code, Code::input);
    EXPECT_EQ(quality.error().reason, Reason::mismatch);
  }
  const auto row = [](size_t head_dim) { return kv_row_layout(KvType::f32, head_dim).value(); };
  KvCache::Shape shape = {
      .layers = 2, .kv_heads = 1, .row = row(8), .local_kv_heads = 1, .local_row = row(16), .local_layers = {0, 1}};
  const KvCache two_kinds(shape);
  EXPECT_TRUE(kv::compare(two_kinds, two_kinds));
  shape.local_kv_heads = 2;
  EXPECT_FALSE(kv::compare(two_kinds, KvCache(shape)));
}

TEST(KvQuality, LimitsMustBeKeptStrictly) {
  const Quality good = {.rmse = 0.0999, .snr_db = 18.001, .cosine_similarity = 0.9901, .max_error = 0.4999};
  EXPECT_TRUE(good.violations().empty());
  const Quality at = {.rmse = 0.1, .snr_db = 18, .cosine_similarity = 0.99, .max_error = 0.5};
  EXPECT_EQ(at.violations(), (std::vector<std::string>{"RMSE 0.1 >= 0.1", "max error 0.5 >= 0.5",
                                                       "cosine similarity 0.99 <= 0.99", "SNR in dB 18.0 <= 18.0"}));
  Quality bad = good;
  bad.rmse = 0.120351;
  EXPECT_EQ(bad.violations(), std::vector<std::string>{"RMSE 0.1204 >= 0.1"});
  bad.rmse = 0.100001;
  EXPECT_EQ(bad.violations(), std::vector<std::string>{"RMSE 0.1001 >= 0.1"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ((Quality{nan, nan, nan, nan}.violations().size()), 4U);
}

TEST(KvQuality, LevelsAreByRmseAndSnr) {
  const auto level = [](double rmse, double snr) { return Quality{.rmse = rmse, .snr_db = snr}.level(); };
  EXPECT_EQ(level(0.0099, 40.1), "EXCELLENT");
  EXPECT_EQ(level(0.01, 50), "GOOD");
  EXPECT_EQ(level(0.001, 40), "GOOD");
  EXPECT_EQ(level(0.05, 50), "ACCEPTABLE");
  EXPECT_EQ(level(0.04, 30), "ACCEPTABLE");
  EXPECT_EQ(level(0.1, 50), "POOR");
  EXPECT_EQ(level(0.001, 18), "POOR");
}

TEST(KvQuality, OfTheFixturesIsAsRecorded) {
  for (const Json& entry : *json_fixture("safetensors/kv_quality.json").as_array()) {
    const auto cache = [&](const char* name) {
      return read_cache_content(fixture("safetensors/" + *entry.find(name)->as_string())).cache;
    };
    const auto quality = kv::compare(cache("source"), cache("file"));
    ASSERT_TRUE(quality) << *entry.find("file")->as_string();
    const auto metric = [&](const char* name) { return entry.find("metrics")->find(name)->as_double().value(); };
    expect_near(*quality,
                {.rmse = metric("rmse"),
                 .snr_db = metric("snr_db"),
                 .cosine_similarity = metric("cosine_similarity"),
                 .max_error = metric("max_error")},
                entry.find("tolerance")->as_double().value());
    EXPECT_TRUE(quality->violations().empty());
    EXPECT_EQ(quality->level(), "ACCEPTABLE");
  }
}

}  // namespace
}  // namespace quintet::test
