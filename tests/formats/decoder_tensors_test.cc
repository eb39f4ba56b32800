// The tensors of every decoder among the fixtures fit their configs, and nothing that is changed does.

#include "architectures/decoder/tensor_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "architectures/decoder/decoder.h"
#include "tests/formats/expected.h"

namespace quintet::test {
namespace {

TensorInfo tensor_of(std::string name, std::vector<uint64_t> shape) {
  TensorInfo info;
  info.name = std::move(name);
  info.shape = std::move(shape);
  info.offset = 1000;
  return info;
}

struct Model {
  DecoderConfig config;
  std::vector<TensorInfo> tensors;

  TensorInfo& tensor(std::string_view name) { return *std::ranges::find(tensors, name, &TensorInfo::name); }
  Status check() const {
    DecoderConfig copy = config;
    return check_decoder_tensors(copy, decoder::TensorNames(ModelDescription()), tensors);
  }
};

Model model_of(const Json& fixture) {
  ModelDescription description;
  for (const Json& tensor : *fixture.find("tensors")->as_array()) {
    const Json::Array& pair = *tensor.as_array();
    description.tensors.push_back(tensor_of(*pair[0].as_string(), numbers(pair[1])));
  }
  const Json* config = fixture.find("config");
  description.format = config ? Format::amb : Format::alt;
  description.config = *(config ? config : fixture.find("parameters"));
  const auto decoder = read_decoder_config(description);
  EXPECT_TRUE(decoder) << decoder.error().detail;
  return {*decoder, description.tensors};
}

Model model(std::string_view id) {
  for (const Json& fixture : *json_fixture("huggingface/decoders.json").as_array()) {
    if (*fixture.find("id")->as_string() == id) return model_of(fixture);
  }
  ADD_FAILURE() << id;
  return {};
}

TEST(DecoderTensors, AWrongShapeIsReportedWithTheKeysItContradicts) {
  struct Case {
    Format format;
    const char *embeddings, *keys;
  };
  for (const auto& [format, embeddings, keys] :
       {Case{Format::amb, "n_vocab and n_embd", "n_kv_heads and head_dim and n_embd"},
        Case{Format::safetensors, "vocab_size and hidden_size", "num_key_value_heads and head_dim and hidden_size"},
        Case{Format::alt, "hidden_size", "num_key_value_heads and head_size and hidden_size"}}) {
    ModelDescription description;
    description.format = format;
    const auto detail_with_wrong = [&](std::string_view name) {
      Model wrong = model_of(json_fixture("huggingface/decoders.json").as_array()->front());
      ++wrong.tensor(name).shape[1];
      const Status status = check_decoder_tensors(wrong.config, decoder::TensorNames(description), wrong.tensors);
      return status ? std::string() : status.error().detail;
    };
    EXPECT_TRUE(detail_with_wrong("model.embed_tokens.weight").ends_with(std::string("] from ") + embeddings));
    EXPECT_TRUE(detail_with_wrong("model.layers.0.self_attn.k_proj.weight").ends_with(std::string("] from ") + keys));
  }
}

TEST(DecoderTensors, FitInEveryFixture) {
  const Json::Array& fixtures = *json_fixture("huggingface/decoders.json").as_array();
  EXPECT_EQ(fixtures.size(), 32u);
  for (const Json& fixture : fixtures) {
    SCOPED_TRACE(*fixture.find("id")->as_string());
    const Status status = model_of(fixture).check();
    EXPECT_TRUE(status) << status.error().detail << " " << status.error().tensor;
  }
}

TEST(DecoderTensors, FillInWhatTheConfigLeavesOut) {
  for (const auto& [id, n_ff, tied] : {std::tuple{"amb-llama-f32", 48u, false},
                                       {"amb-phi3-fused", 48u, false},
                                       {"amb-phi2-parallel", 64u, false},
                                       {"amb-llama-tied", 20u, true}}) {
    SCOPED_TRACE(id);
    Model of = model(id);
    of.config.n_ff = 0;
    of.config.tie_embeddings.reset();
    ASSERT_TRUE(check_decoder_tensors(of.config, decoder::TensorNames(ModelDescription()), of.tensors));
    EXPECT_EQ(of.config.n_ff, n_ff);
    EXPECT_EQ(of.config.tie_embeddings, tied);
  }
}

// Every tensor but the biases, which are not demanded, in every form of block.
TEST(DecoderTensors, NoneMayBeMissingOrOfAnotherShape) {
  for (const char* id : {"amb-llama-f32", "amb-phi3-fused", "amb-phi2-parallel", "alt-f32"}) {
    const Model whole = model(id);
    for (size_t i = 0; i < whole.tensors.size(); ++i) {
      SCOPED_TRACE(std::string(id) + " " + whole.tensors[i].name);
      Model without = whole;
      without.config.tie_embeddings = false;
      without.tensors.erase(without.tensors.begin() + static_cast<std::ptrdiff_t>(i));
      const Status missing = without.check();
      if (whole.tensors[i].name.ends_with(".bias")) {
        EXPECT_TRUE(missing);
      } else {
        ASSERT_FALSE(missing);
        EXPECT_TRUE(missing.error().reason == Reason::missing || missing.error().reason == Reason::mismatch);
        EXPECT_FALSE(missing.error().tensor.empty());
      }
      Model other = whole;
      other.tensors[i].shape.back() += 1;
      const Status mismatch = other.check();
      ASSERT_FALSE(mismatch);
      EXPECT_EQ(mismatch.error().reason, Reason::mismatch);
      EXPECT_EQ(mismatch.error().offset, 1000u);
    }
  }
}

TEST(DecoderTensors, MustFitTheConfig) {
  const auto refused = [](auto change) {
    Model of = model("amb-llama-f32");
    change(of.config);
    const Status status = of.check();
    ASSERT_FALSE(status);
    EXPECT_FALSE(status.error().tensor.empty());
  };
  refused([](DecoderConfig& config) { config.n_vocab = 65; });
  refused([](DecoderConfig& config) { config.n_embd = 33; });
  refused([](DecoderConfig& config) { config.n_layers = 3; });
  refused([](DecoderConfig& config) { config.n_layers = 1'000'000'000; });
  refused([](DecoderConfig& config) { config.n_ff = 47; });
  refused([](DecoderConfig& config) { config.n_kv_heads = 1; });
  refused([](DecoderConfig& config) { config.head_dim = 7; });
}

TEST(DecoderTensors, ATiedModelHasNoUseForAnOutputMatrix) {
  Model of = model("amb-llama-f32");
  of.tensor("lm_head.weight").shape = {1};
  EXPECT_FALSE(of.check());
  of.config.tie_embeddings = true;
  EXPECT_TRUE(of.check());
}

TEST(DecoderTensors, UnknownTensorsAreAllowed) {
  Model of = model("amb-llama-f32");
  of.tensors.push_back(tensor_of("model.layers.0.self_attn.rotary_emb.inv_freq", {4}));
  of.tensors.push_back(tensor_of("model.layers.7.mlp.up_proj.weight", {1, 2, 3}));
  EXPECT_TRUE(of.check());
}

TEST(DecoderTensors, AnyLinearLayerMayHaveABias) {
  Model of = model("amb-llama-f32");
  of.tensors.push_back(tensor_of("model.layers.1.mlp.up_proj.bias", {48}));
  of.tensors.push_back(tensor_of("model.layers.0.input_layernorm.bias", {32}));
  of.tensors.push_back(tensor_of("lm_head.bias", {64}));
  EXPECT_TRUE(of.check());
  of.tensors.back().shape = {63};
  EXPECT_FALSE(of.check());
}

TEST(DecoderTensors, AFeedForwardWidthBeyondAllModelsIsRejected) {
  for (const uint64_t width : {uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0}}) {
    Model of = model("amb-phi3-fused");
    of.tensor("model.layers.0.mlp.down_proj.weight").shape[1] = width;
    of.config.n_ff = 0;
    EXPECT_EQ(of.check().error().reason, Reason::mismatch);
  }
}

TEST(DecoderTensors, MatricesAreKnownByTheirNames) {
  for (const char* name : {"model.embed_tokens.weight", "lm_head.weight", "model.layers.0.mlp.fc1.weight",
                           "model.layers.31.self_attn.qkv_proj.weight", "model.layers.2.feed_forward.w1.weight",
                           "model.layers.0.conv.in_proj.weight"}) {
    EXPECT_TRUE(decoder::is_huggingface_matrix(name)) << name;
  }
  for (const char* name :
       {"model.embed_tokens", "model.norm.scale", "model.norm.weight", "model.final_layernorm.bias",
        "model.layers.0.mlp.fc1.bias", "model.layers.0.conv.conv.weight", "model.layers.mlp.fc1.bias", "model.layers.0",
        "model.layers.x.mlp.fc1.weight", "model.layers.0.mlp.fc3.weight", ".weight", "",
        "model.layers.0.self_attn.rotary_emb.inv_freq", "lm_head.weight.scale"}) {
    EXPECT_FALSE(decoder::is_huggingface_matrix(name)) << name;
  }
  for (const Json& fixture : *json_fixture("huggingface/decoders.json").as_array()) {
    if (*fixture.find("id")->as_string() == "amb-zoo") continue;  // holds more than its model
    for (const TensorInfo& info : model_of(fixture).tensors) {
      EXPECT_EQ(decoder::is_huggingface_matrix(info.name), info.shape.size() == 2) << info.name;
    }
  }
}

TEST(DecoderTensorNames, OfGgufHaveTheirNamesAtHuggingFace) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"llama", "token_embd.weight", "model.embed_tokens.weight"},
      {"llama", "output_norm.weight", "model.norm.weight"},
      {"llama", "output.weight", "lm_head.weight"},
      {"llama", "blk.0.attn_norm.weight", "model.layers.0.input_layernorm.weight"},
      {"llama", "blk.1.attn_q.weight", "model.layers.1.self_attn.q_proj.weight"},
      {"llama", "blk.12.attn_k.bias", "model.layers.12.self_attn.k_proj.bias"},
      {"llama", "blk.2.attn_v.weight", "model.layers.2.self_attn.v_proj.weight"},
      {"llama", "blk.3.attn_output.weight", "model.layers.3.self_attn.o_proj.weight"},
      {"llama", "blk.4.ffn_norm.weight", "model.layers.4.post_attention_layernorm.weight"},
      {"llama", "blk.5.ffn_gate.weight", "model.layers.5.mlp.gate_proj.weight"},
      {"llama", "blk.6.ffn_up.weight", "model.layers.6.mlp.up_proj.weight"},
      {"llama", "blk.7.ffn_down.weight", "model.layers.7.mlp.down_proj.weight"},
      {"llama", "rope_freqs.weight", "rope_freqs.weight"},
      {"llama", "blk.0.attn_rot_embd", "blk.0.attn_rot_embd"},
      {"llama", "blk.x.attn_q.weight", "blk.x.attn_q.weight"},
      {"phi2", "output_norm.bias", "model.final_layernorm.bias"},
      {"phi2", "output.bias", "lm_head.bias"},
      {"phi2", "blk.0.attn_norm.bias", "model.layers.0.input_layernorm.bias"},
      {"phi2", "blk.0.attn_qkv.bias", "model.layers.0.self_attn.qkv_proj.bias"},
      {"phi2", "blk.0.attn_q.weight", "model.layers.0.self_attn.q_proj.weight"},
      {"phi2", "blk.0.attn_output.bias", "model.layers.0.self_attn.dense.bias"},
      {"phi2", "blk.0.ffn_up.weight", "model.layers.0.mlp.fc1.weight"},
      {"phi2", "blk.0.ffn_down.bias", "model.layers.0.mlp.fc2.bias"},
      {"phi3", "output_norm.weight", "model.norm.weight"},
      {"phi3", "blk.0.attn_qkv.weight", "model.layers.0.self_attn.qkv_proj.weight"},
      {"phi3", "blk.0.attn_output.weight", "model.layers.0.self_attn.o_proj.weight"},
      {"phi3", "blk.0.ffn_up.weight", "model.layers.0.mlp.gate_up_proj.weight"},
      {"phi3", "blk.0.ffn_down.weight", "model.layers.0.mlp.down_proj.weight"},
      {"phi3", "rope_factors_long.weight", "rope_factors_long.weight"},
      {"bert", "token_embd.weight", "token_embd.weight"},
      {"qwen2", "blk.0.attn_q.bias", "model.layers.0.self_attn.q_proj.bias"},
      {"qwen3", "blk.0.attn_q_norm.weight", "model.layers.0.self_attn.q_norm.weight"},
      {"other", "blk.0.attn_q.weight", "blk.0.attn_q.weight"},
      {"gemma", "blk.0.ffn_norm.weight", "model.layers.0.post_attention_layernorm.weight"},
      {"gemma2", "blk.0.ffn_norm.weight", "model.layers.0.pre_feedforward_layernorm.weight"},
      {"gemma3", "blk.0.post_attention_norm.weight", "model.layers.0.post_attention_layernorm.weight"},
  };
  for (const auto& [architecture, from, to] : cases) {
    ModelDescription description;
    description.format = Format::gguf;
    description.architecture = architecture;
    EXPECT_EQ(decoder::TensorNames(description).huggingface_name(from), to) << architecture << " " << from;
  }
}

}  // namespace
}  // namespace quintet::test
