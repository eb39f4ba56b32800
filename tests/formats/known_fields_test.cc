// Unknown fields of config.json and of GGUF: those that published models have are accepted, and those that might change
// a result are rejected by name.

#include "formats/known_fields.h"

#include <gtest/gtest.h>

#include <string>

#include "architectures/decoder/config.h"
#include "architectures/encoder/config.h"
#include "tests/formats/gguf_builder.h"
#include "tests/formats/published_configs.h"

namespace quintet::test {
namespace {

Json parsed(std::string_view text) {
  auto json = parse_json(text);
  EXPECT_TRUE(json) << text;
  return json ? *std::move(json) : Json();
}

// The object with one more field.
Json with(std::string_view object, std::string_view field) {
  std::string text(object);
  text.insert(1, std::string(field) + ",");
  return parsed(text);
}

TEST(KnownFields, ListsHaveOpenEnds) {
  EXPECT_TRUE(is_listed("b", "a b c"));
  EXPECT_FALSE(is_listed("b", "a bc cb"));
  EXPECT_FALSE(is_listed("", "a b"));
  EXPECT_TRUE(is_listed("torch_dtype", "x torch*"));
  EXPECT_FALSE(is_listed("a_torch", "torch*"));
  EXPECT_TRUE(is_listed("pad_token_id", "*_token_id"));
  EXPECT_FALSE(is_listed("pad_token_ids", "*_token_id"));
  EXPECT_TRUE(is_listed("attention_dropout_prob", "*dropout*"));
}

TEST(KnownFields, DisabledFieldsAreAccepted) {
  for (const char* off : {"null", "false", "0", "0.0", R"("")", "[]", "{}"}) EXPECT_TRUE(is_off(parsed(off))) << off;
  for (const char* on : {"true", "1", "-1", "0.5", R"("none")", "[0]", R"({"a":0})"}) {
    EXPECT_FALSE(is_off(parsed(on))) << on;
  }
}

TEST(KnownFields, EveryFieldOfPublishedDecodersIsKnown) {
  for (const auto& [name, json] : kPublishedDecoders) {
    const auto config = read_huggingface_config(parsed(json));
    EXPECT_TRUE(config) << name << ": " << config.error().detail;
  }
}

TEST(KnownFields, EveryFieldOfPublishedEncodersIsKnown) {
  for (const auto& [name, json] : kPublishedEncoders) {
    const auto config = read_encoder_config_json(parsed(json));
    EXPECT_TRUE(config) << name << ": " << config.error().detail;
  }
}

// Settings of other networks in transformers.
constexpr std::string_view kOfOthers[] = {
    R"("num_experts":8)",           R"("clip_qkv":8.0)",           R"("use_parallel_block":true)",
    R"("is_encoder_decoder":true)", R"("mlp_multipliers":[2])",    R"("rope_pct":0.5)",
    R"("attn_output_gate":true)",   R"("pruned_heads":{"0":[1]})", R"("quantization":{"bits":4})"};

template <class T>
void expect_refused(const Result<T>& config, std::string_view name, std::string_view field) {
  ASSERT_FALSE(config) << name << " with " << field;
  EXPECT_EQ(config.error().code, Code::unsupported);
  const std::string key(field.substr(1, field.find('"', 1) - 1));
  EXPECT_TRUE(config.error().detail.starts_with("config.json: " + key)) << config.error().detail;
}

TEST(KnownFields, OthersOfAnyDecoderAreRejectedByName) {
  for (const auto& [name, json] : kPublishedDecoders) {
    for (const std::string_view field : kOfOthers)
      expect_refused(read_huggingface_config(with(json, field)), name, field);
    for (const std::string_view field : {R"("use_bidirectional_attention":true)", R"("is_causal":false)"}) {
      expect_refused(read_huggingface_config(with(json, field)), name, field);
    }
    EXPECT_TRUE(read_huggingface_config(with(json, R"("some_day":null,"num_experts":0,"is_causal":true)"))) << name;
  }
}

TEST(KnownFields, OthersOfAnyEncoderAreRejectedByName) {
  for (const auto& [name, json] : kPublishedEncoders) {
    for (const std::string_view field : kOfOthers) {
      expect_refused(read_encoder_config_json(with(json, field)), name, field);
    }
    for (const std::string_view field : {R"("is_decoder":true)", R"("add_cross_attention":true)"}) {
      expect_refused(read_encoder_config_json(with(json, field)), name, field);
    }
    EXPECT_TRUE(read_encoder_config_json(with(json, R"("some_day":null,"num_experts":0)"))) << name;
  }
}

TEST(KnownFields, OthersInsideObjectsAreRejectedToo) {
  const std::string_view llama = kPublishedDecoders[0].json;
  const std::string_view gemma = R"({"model_type":"gemma3_text","vocab_size":8,"hidden_size":8,"num_hidden_layers":6,
      "num_attention_heads":1,"head_dim":8,"intermediate_size":8})";
  for (const char* rope :
       {R"({"type":"linear","factor":2.0,"alpha":1000.0})", R"({"rope_type":"default","mixed_b":0.5})",
        R"({"type":"yarn","factor":2.0,"attn_factor":2.0})"}) {
    const auto config = read_huggingface_config(with(llama, R"("rope_parameters":)" + std::string(rope)));
    ASSERT_FALSE(config) << rope;
    EXPECT_EQ(config.error().code, Code::unsupported) << config.error().detail;
  }
  const auto local = [&](std::string_view type) {
    return read_huggingface_config(
        with(gemma, R"("rope_parameters":{"full_attention":{"rope_type":"default","rope_theta":1000000},
             "sliding_attention":{"rope_type":")" +
                        std::string(type) + R"(","rope_theta":5000}})"));
  };
  ASSERT_TRUE(local("default")) << local("default").error().detail;
  EXPECT_EQ(local("default")->local_rope_freq_base, 5000);
  EXPECT_EQ(local("linear").error().code, Code::unsupported);
  EXPECT_EQ(read_encoder_config_json(with(kPublishedEncoders[9].json, R"("rope_parameters":{"beta":2})")).error().code,
            Code::unsupported);
}

// "sliding_attention" without a window, or in a family that has none.
TEST(KnownFields, UnsupportedLayersAreRejected) {
  const std::string_view llama = R"({"model_type":"llama","vocab_size":8,"hidden_size":8,"num_hidden_layers":2,
      "num_attention_heads":1,"intermediate_size":8})";
  EXPECT_TRUE(read_huggingface_config(with(llama, R"("layer_types":["full_attention","full_attention"])")));
  expect_refused(read_huggingface_config(with(llama, R"("layer_types":["full_attention","sliding_attention"])")),
                 "llama", R"("layer_types")");
  const std::string_view bert = R"({"model_type":"bert","vocab_size":8,"hidden_size":8,"num_hidden_layers":2,
      "num_attention_heads":1,"intermediate_size":8,"max_position_embeddings":8})";
  EXPECT_TRUE(read_encoder_config_json(with(bert, R"("layer_types":["full_attention","full_attention"])")));
  expect_refused(read_encoder_config_json(with(bert, R"("layer_types":["full_attention","sliding_attention"])")),
                 "bert", R"("layer_types")");
}

// Qwen3 as pplx-embed and voyage-4-nano have it.
TEST(KnownFields, Qwen3SeesBothSidesIfItsConfigSaysSo) {
  const std::string_view qwen3 = kPublishedEncoders[10].json;
  const auto is_causal = [&](std::string_view fields) {
    const auto config = read_encoder_config_json(with(qwen3, fields));
    EXPECT_TRUE(config) << config.error().detail;
    return config && config->is_causal;
  };
  EXPECT_TRUE(is_causal(R"("use_bidirectional_attention":false)"));
  EXPECT_TRUE(is_causal(R"("is_causal":true)"));
  EXPECT_FALSE(is_causal(R"("use_bidirectional_attention":true)"));
  EXPECT_FALSE(is_causal(R"("is_causal":false)"));
}

TEST(KnownFields, TheFieldsOfGgufAreCheckedToo) {
  const auto file = [](const std::string& architecture) {
    GgufBuilder builder;
    builder.text("general.architecture", architecture).u32(architecture + ".block_count", 2);
    builder.u32(architecture + ".embedding_length", 64).u32(architecture + ".attention.head_count", 4);
    builder.u32(architecture + ".feed_forward_length", 96).u32(architecture + ".context_length", 128);
    builder.u32(architecture + ".vocab_size", 10);
    return builder.f32(architecture + ".attention.layer_norm_rms_epsilon", 0.5F);
  };
  const auto description = [](const GgufBuilder& builder) {
    return std::move(read_file(builder.build())->description);
  };
  const auto decoder = [&](const GgufBuilder& builder) { return read_gguf_config(description(builder)); };
  EXPECT_TRUE(decoder(file("llama"))) << decoder(file("llama")).error().detail;
  EXPECT_TRUE(decoder(file("llama").u32("llama.pooling_type", 3).u32("llama.expert_count", 0)));
  const GgufBytes no = GgufBytes().number(uint8_t{0});
  for (const GgufBuilder& builder :
       {file("llama").f32("llama.attention.clamp_kqv", 8), file("llama").u32("llama.expert_used_count", 2),
        file("llama").f32("llama.rope.scaling.alpha", 1000),
        file("llama").value("llama.attention.causal", kGgufBool, no)}) {
    EXPECT_EQ(decoder(builder).error().code, Code::unsupported);
  }
  const auto encoder = [&](const GgufBuilder& builder) { return read_encoder_gguf(description(builder)); };
  EXPECT_TRUE(encoder(file("bert"))) << encoder(file("bert")).error().detail;
  EXPECT_EQ(encoder(file("bert").f32("bert.attention.max_alibi_bias", 8)).error().code, Code::unsupported);
  EXPECT_EQ(encoder(file("qwen3").f32("qwen3.attn_logit_softcapping", 50)).error().code, Code::unsupported);
  EXPECT_FALSE(encoder(file("qwen3").value("qwen3.attention.causal", kGgufBool, no))->is_causal);
}

}  // namespace
}  // namespace quintet::test
