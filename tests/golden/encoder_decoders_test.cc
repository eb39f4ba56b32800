// Decoders as encoders: the families with Llama's blocks, and LFM2 with its short convolutions, against one reference
// in double precision, written from transformers' modeling files.

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
