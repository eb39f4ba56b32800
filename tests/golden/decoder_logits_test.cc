// The forward pass against logits that were computed in float64 by independent code (tests/fixtures/amb/README.md), and
// forms that no fixture has against the plain one of tests/golden/plain_forward.h.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/formats/expected.h"
#include "tests/golden/decoder_passes.h"
#include "tests/golden/fixture.h"
#include "tests/golden/plain_forward.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

std::vector<uint32_t> ids_of(const Json& array) {
  const std::vector<uint64_t> wide = numbers(array);
  return {wide.begin(), wide.end()};
}

std::vector<std::string> runnable_fixtures() {
  std::vector<std::string> paths;
  for (const std::string format : {"amb", "alt"}) {
    for (const std::string& file : fixture_files(format + "/runs.json")) paths.push_back(format + "/" + file);
  }
  return paths;
}

class GoldenDecoder : public ::testing::TestWithParam<std::string> {
 protected:
  const Json& run() const {
    const size_t slash = GetParam().find('/');
    return expected_entry(GetParam().substr(0, slash) + "/runs.json", GetParam().substr(slash + 1));
  }
  double tolerance() const { return *run().find("tolerance")->find("abs")->as_double(); }
};

INSTANTIATE_TEST_SUITE_P(Fixtures, GoldenDecoder, ::testing::ValuesIn(runnable_fixtures()),
                         [](const auto& path) { return test_name(path.param); });

void expect_near(const std::vector<float>& actual, const Npy& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.values.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected.values[i], tolerance) << "row " << i / expected.cols << ", " << i % expected.cols;
  }
}

// Quantized fixtures, too: their values are exact as floats.
TEST_P(GoldenDecoder, GivesTheLogitsOfEveryPositionWithEveryKernelVariant) {
  const PlainDecoder plain = read_decoder(GetParam());
  const Npy expected = read_npy(*run().find("logits")->as_string());
  for (const Kernels* kernels : compiled_kernels()) {
    SCOPED_TRACE(kernels->name);
    TestDecoder test(plain, *kernels);
    decoder::KvCache cache = empty_cache(plain.config);
    expect_near(test.all(cache, ids_of(*run().find("ids"))), expected, tolerance());
    EXPECT_EQ(cache.length(), expected.rows);
  }
}

// Activations are rounded to 8 bits where they meet quantized weights.
TEST_P(GoldenDecoder, QuantizedWeightsGiveTheLogitsAndTheSameBitsInAnyCut) {
  const Npy expected = read_npy(*run().find("logits")->as_string());
  const double rounded = *run().find("tolerance")->find("abs_if_activations_are_8bit")->as_double();
  const std::vector<uint32_t> ids = ids_of(*run().find("ids"));
  const DecoderConfig config = read_decoder(GetParam()).config;
  for (const Kernels* kernels : compiled_kernels()) {
    SCOPED_TRACE(kernels->name);
    TestDecoder test(config, loaded_weights(GetParam()), *kernels);
    decoder::KvCache whole = empty_cache(config), cut = empty_cache(config), last = empty_cache(config);
    const std::vector<float> logits = test.all(whole, ids);
    expect_near(logits, expected, rounded);
    EXPECT_TRUE(testing::same_bits(test.all(cut, ids, std::vector<size_t>{2, 1, 3}), logits));
    EXPECT_TRUE(
        testing::same_bits(test.last(last, ids), {logits.end() - static_cast<ptrdiff_t>(expected.cols), logits.end()}));
  }
}

TEST_P(GoldenDecoder, ContinuesGreedilyAsExpected) {
  const PlainDecoder plain = read_decoder(GetParam());
  TestDecoder test(plain, active_kernels());
  decoder::KvCache cache = empty_cache(plain.config);
  std::vector<float> logits = test.last(cache, ids_of(*run().find("ids")));
  for (const uint32_t expected : ids_of(*run().find("greedy"))) {
    const uint32_t next = greatest(logits);
    ASSERT_EQ(next, expected);
    logits = test.last(cache, {&next, 1});
  }
}

// Keys and values are rounded to 11, 8 or 4 bits; what that does to logits of this size was bounded by the square root
// of the mean square error over the spread of the logits.
TEST_P(GoldenDecoder, QuantizedCachesStayClose) {
  const PlainDecoder plain = read_decoder(GetParam());
  const Npy expected = read_npy(*run().find("logits")->as_string());
  double spread = 0;
  for (const float logit : expected.values) spread += logit * logit;
  struct Bound {
    KvType type;
    double relative;
  };
  for (const Bound bound : {Bound{KvType::f32, 1e-5}, {KvType::f16, 1e-3}, {KvType::int8, 2e-2}, {KvType::int4, 0.4}}) {
    TestDecoder test(plain, active_kernels());
    decoder::KvCache cache = empty_cache(plain.config, bound.type);
    const std::vector<float> logits = test.all(cache, ids_of(*run().find("ids")));
    double error = 0;
    for (size_t i = 0; i < logits.size(); ++i) error += std::pow(logits[i] - expected.values[i], 2);
    EXPECT_LT(std::sqrt(error / spread), bound.relative) << static_cast<int>(bound.type);
  }
}

struct Form {
  const char* name;
  DecoderConfig config;
  BlockForm form;
};

DecoderConfig small_config() {
  DecoderConfig config;
  config.n_vocab = 61;
  config.n_embd = 24;
  config.n_layers = 3;
  config.n_heads = 6;
  config.n_kv_heads = 2;
  config.head_dim = 10;
  config.rope_dim = 10;
  config.n_ff = 40;
  return config;
}

std::vector<Form> forms() {
  std::vector<Form> forms;
  const auto add = [&](const char* name, const BlockForm& form, auto change) {
    forms.push_back({name, small_config(), form});
    change(forms.back().config);
  };
  add("HeadsWiderThanTheModel", {}, [](DecoderConfig&) {});
  add("Biases", {.has_biases = true}, [](DecoderConfig&) {});
  add("FusedBiases", {.is_fused = true, .has_biases = true}, [](DecoderConfig&) {});
  add("LayerNorms", {.has_layer_norms = true}, [](DecoderConfig& config) { config.norm_eps = 0.1; });
  add("Tied", {.has_output = false}, [](DecoderConfig&) {});
  add("ScaledPositions", {}, [](DecoderConfig& config) {
    config.rope_scaling = 3.5;
    config.rope_freq_base = 500;
  });
  add("PartlyRotated", {.is_fused = true}, [](DecoderConfig& config) { config.rope_dim = 4; });
  add("NoPositions", {}, [](DecoderConfig& config) { config.is_rope = false; });
  add("Relu", {}, [](DecoderConfig& config) { config.activation = Activation::relu; });
  add("ReluSquared", {}, [](DecoderConfig& config) { config.activation = Activation::relu_squared; });
  add("Gelu", {}, [](DecoderConfig& config) { config.activation = Activation::gelu_erf; });
  add("GeluNew", {.is_fused = true}, [](DecoderConfig& config) { config.activation = Activation::gelu_tanh; });
  add("Parallel", {.is_parallel = true, .has_biases = true, .has_layer_norms = true}, [](DecoderConfig& config) {
    config.activation = Activation::gelu_erf;
    config.rope_dim = 6;
  });
  add("ParallelFused", {.is_parallel = true, .is_fused = true}, [](DecoderConfig&) {});
  add("OneHeadOfKeys", {}, [](DecoderConfig& config) { config.n_kv_heads = 1; });
  add("NoGroups", {}, [](DecoderConfig& config) { config.n_kv_heads = 6; });
  add("WindowOfOne", {}, [](DecoderConfig& config) { config.sliding_window = 1; });
  add("Window", {}, [](DecoderConfig& config) { config.sliding_window = 45; });
  return forms;
}

class DecoderForm : public ::testing::TestWithParam<Form> {};

INSTANTIATE_TEST_SUITE_P(Each, DecoderForm, ::testing::ValuesIn(forms()),
                         [](const auto& form) { return std::string(form.param.name); });

// 150 tokens: more than two passes, and five pages of the cache.
TEST_P(DecoderForm, GivesTheReferenceLogits) {
  const PlainDecoder plain = random_decoder(GetParam().config, GetParam().form, 20260);
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < 150; ++i) ids.push_back((i * i + 7 * i + 3) % static_cast<uint32_t>(plain.config.n_vocab));
  const std::vector<std::vector<double>> expected = plain_logits(plain, ids);
  for (const Kernels* kernels : compiled_kernels()) {
    SCOPED_TRACE(kernels->name);
    TestDecoder test(plain, *kernels);
    decoder::KvCache cache = empty_cache(plain.config);
    const std::vector<float> actual = test.all(cache, ids);
    ASSERT_EQ(actual.size(), ids.size() * plain.config.n_vocab);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i / plain.config.n_vocab][i % plain.config.n_vocab], 2e-4)
          << "position " << i / plain.config.n_vocab;
    }
  }
}

}  // namespace
}  // namespace quintet::test
