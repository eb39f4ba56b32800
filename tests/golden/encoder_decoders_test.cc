// Decoders as encoders: the families with Llama's blocks, and LFM2 with its short convolutions, against one reference
// in double precision, written from transformers' modeling files.

#include <numbers>

#include "tests/golden/decoder_reference.h"

namespace quintet::test {
namespace {

// Joins the rows of matrices, as Phi-3 has them.
NamedTensors with_fused(NamedTensors tensors) {
  for (size_t layer = 0; layer < kLayers; ++layer) {
    const std::string at = "layers." + std::to_string(layer) + ".";
    const auto fuse = [&](const std::string& name, const std::vector<std::string>& parts) {
      NamedTensor& fused = tensors[at + name] = {.shape = {0, kHidden}, .values = {}};
      for (const std::string& part : parts) {
        const NamedTensor one = std::move(tensors.extract(at + part).mapped());
        fused.shape[0] += one.shape[0];
        fused.values.insert(fused.values.end(), one.values.begin(), one.values.end());
      }
    };
    fuse("self_attn.qkv_proj.weight",
         {"self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight"});
    fuse("mlp.gate_up_proj.weight", {"mlp.gate_proj.weight", "mlp.up_proj.weight"});
  }
  return tensors;
}

constexpr std::string_view kSizes =
    R"("vocab_size":40,"hidden_size":16,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":6,
       "intermediate_size":24,"num_hidden_layers":3,"max_position_embeddings":512)";

std::string config(std::string_view rest) {
  const bool is_lfm2 = rest.find("lfm2") != rest.npos;
  return "{" + std::string(kSizes) + (is_lfm2 ? R"(,"norm_eps":1e-5,)" : R"(,"rms_norm_eps":1e-5,)") +
         std::string(rest) + "}";
}

class DecodersAsEncoders : public EncoderTest {
 protected:
  // Longer than a block of rows, and than a window.
  void expect_reference(const Otherwise& otherwise, const NamedTensors& tensors, std::string_view rest,
                        const NamedTensors& named) {
    const auto model = load_encoder(config(rest), named, "model.");
    ASSERT_TRUE(model) << rest;
    for (const size_t length : {1, 2, 9, 110}) {
      const auto ids = some_ids(length);
      expect_equal(*model, ids, DecoderReference(tensors, otherwise).hidden(ids));
    }
  }
};
QUINTET_FOR_EACH_VARIANT(DecodersAsEncoders);

TEST_P(DecodersAsEncoders, Llama) {
  const Otherwise otherwise;
  const RandomTensors tensors = tensors_for(otherwise, false);
  expect_reference(otherwise, tensors.all(), R"("model_type":"llama","rope_scaling":null)", tensors.all());
  Otherwise both_sides;
  both_sides.is_causal = false;
  expect_reference(both_sides, tensors.all(), R"("model_type":"llama","is_causal":false)", tensors.all());
}

// transformers, modeling_rope_utils.py, for a base of 500 and an original length of 100: pairs turn 15.9, 2 and 0.25
// times within it.
class ScaledPositions : public DecodersAsEncoders {
 protected:
  static constexpr double kBase = 500, kLength = 100, kFactor = 8;

  static Row frequencies() {
    Row all;
    for (size_t i = 0; i < kHeadWidth / 2; ++i) {
      all.push_back(std::pow(kBase, -2.0 * static_cast<double>(i) / static_cast<double>(kHeadWidth)));
    }
    return all;
  }

  void expect_scaled(const Row& frequencies, double scale, std::string_view scaling) {
    Otherwise otherwise;
    otherwise.frequencies = frequencies;
    otherwise.rope_scale = scale;
    const RandomTensors tensors = tensors_for(otherwise, false);
    for (const std::string_view key : {"rope_scaling", "rope_parameters"}) {
      const std::string theta = key == "rope_scaling" ? R"("rope_theta":500,")" : "\"";
      const std::string inner = key == "rope_scaling" ? "" : R"("rope_theta":500,)";
      expect_reference(
          otherwise, tensors.all(),
          R"("model_type":"llama",)" + theta + std::string(key) + "\":{" + inner + std::string(scaling) + "}",
          tensors.all());
    }
  }
};
QUINTET_FOR_EACH_VARIANT(ScaledPositions);

TEST_P(ScaledPositions, Linear) {
  Row all = frequencies();
  for (double& frequency : all) frequency /= kFactor;
  expect_scaled(all, 1, R"("rope_type":"linear","factor":8.0)");
}

// Only beyond max_position_embeddings, which is where a text ends.
TEST_P(ScaledPositions, Dynamic) { expect_scaled(frequencies(), 1, R"("type":"dynamic","factor":8.0)"); }

TEST_P(ScaledPositions, Llama3) {
  constexpr double kLow = 1, kHigh = 4;
  Row all = frequencies();
  for (double& frequency : all) {
    const double wavelength = 2 * std::numbers::pi / frequency;
    if (wavelength < kLength / kHigh) continue;
    const double smooth = (kLength / wavelength - kLow) / (kHigh - kLow);
    frequency =
        wavelength > kLength / kLow ? frequency / kFactor : (1 - smooth) * frequency / kFactor + smooth * frequency;
  }
  expect_scaled(all, 1,
                R"("rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
                   "original_max_position_embeddings":100)");
}

TEST_P(ScaledPositions, Yarn) {
  constexpr double kFast = 4, kSlow = 1, kWidth = kHeadWidth;
  const auto place_of = [](double turns) {
    return kWidth * std::log(kLength / (turns * 2 * std::numbers::pi)) / (2 * std::log(kBase));
  };
  const double low = std::max(std::floor(place_of(kFast)), 0.0);
  const double high = std::min(std::ceil(place_of(kSlow)), kWidth - 1);
  Row all = frequencies();
  for (size_t i = 0; i < all.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    all[i] = all[i] / kFactor * ramp + all[i] * (1 - ramp);
  }
  const std::string scaling = R"("rope_type":"yarn","factor":8.0,"beta_fast":4.0,"beta_slow":1.0,
                                 "original_max_position_embeddings":100)";
  expect_scaled(all, 0.1 * std::log(kFactor) + 1, scaling);
  expect_scaled(all, 1.25, scaling + R"(,"attention_factor":1.25)");
}

TEST_P(DecodersAsEncoders, MistralSeesAWindow) {
  Otherwise otherwise;
  otherwise.window = 5;
  const RandomTensors tensors = tensors_for(otherwise, false);
  expect_reference(otherwise, tensors.all(), R"("model_type":"mistral","sliding_window":5)", tensors.all());
  otherwise.window = 0;
  expect_reference(otherwise, tensors.all(), R"("model_type":"mistral","sliding_window":null)", tensors.all());
}

TEST_P(DecodersAsEncoders, Qwen2HasBiases) {
  const Otherwise otherwise = {.base = 1e6};
  const RandomTensors tensors = tensors_for(otherwise, true);
  expect_reference(otherwise, tensors.all(),
                   R"("model_type":"qwen2","rope_theta":1000000,"sliding_window":4,"use_sliding_window":false)",
                   tensors.all());
}

TEST_P(DecodersAsEncoders, Phi3HasFusedMatrices) {
  const Otherwise otherwise;
  const RandomTensors tensors = tensors_for(otherwise, false);
  expect_reference(otherwise, tensors.all(), R"("model_type":"phi3","partial_rotary_factor":1.0)",
                   with_fused(tensors.all()));
}

TEST_P(DecodersAsEncoders, GemmaScalesItsEmbeddings) {
  const Otherwise otherwise = {.has_gelu = true, .scales_embeddings = true, .norm_offset = 1};
  const RandomTensors tensors = tensors_for(otherwise, false);
  expect_reference(otherwise, tensors.all(), R"("model_type":"gemma","hidden_act":"gelu")", tensors.all());
}

// The kernel of a bidirectional one is centered: padding of L // 2, and the outputs of the first tokens.
TEST_P(DecodersAsEncoders, Lfm2) {
  Otherwise otherwise = {.has_qk_norm = true, .base = 1e6, .convolutions = {0, 2}};
  const std::string layers =
      R"("layer_types":["conv","full_attention","conv"],"conv_bias":false,"block_auto_adjust_ff_dim":false)";
  for (const size_t kernel : {3, 4}) {
    otherwise.kernel = kernel;
    const RandomTensors tensors = tensors_for(otherwise, false);
    const NamedTensors named = with_names_of_lfm2(tensors.all());
    const std::string rest = layers + R"(,"conv_L_cache":)" + std::to_string(kernel) + ",";
    otherwise.is_causal = true;
    otherwise.seen_before = kernel - 1;
    expect_reference(otherwise, tensors.all(), rest + R"("model_type":"lfm2","architectures":["Lfm2Model"])", named);
    otherwise.is_causal = false;
    otherwise.seen_before = kernel / 2;
    expect_reference(otherwise, tensors.all(),
                     rest + R"("model_type":"lfm2","architectures":["Lfm2BidirectionalModel"])", named);
    expect_reference(otherwise, tensors.all(), rest + R"("model_type":"lfm2_bidirectional")", named);
  }
}

// 2/3 of the width, rounded up to a multiple; older files list the layers with attention.
TEST(DecodersAsEncodersConfig, Lfm2AdjustsTheWidthOfItsMlp) {
  const auto read = [](std::string_view rest) {
    std::string json = config(R"("model_type":"lfm2","full_attn_idxs":[1],"conv_L_cache":3,)" + std::string(rest));
    json.replace(json.find("24"), 2, "6656");  // intermediate_size
    return read_encoder_config_json(*parse_json(json));
  };
  const auto adjusted = read(R"("block_multiple_of":256,"block_ffn_dim_multiplier":1.0)");
  ASSERT_TRUE(adjusted) << adjusted.error().detail;
  EXPECT_EQ(adjusted->n_ff, 4608U);  // of LFM2-350M
  EXPECT_EQ(adjusted->convolution_layers, (LayerSet{true, false, true}));
  EXPECT_FALSE(read(R"("block_ffn_dim_multiplier":1.5)"));
  EXPECT_FALSE(read(R"("conv_bias":true)"));
  EXPECT_FALSE(read(R"("conv_zero_padding":true)"));
}

}  // namespace
}  // namespace quintet::test
