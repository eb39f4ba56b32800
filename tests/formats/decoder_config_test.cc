// Configs of decoders from AMB, ALT and Hugging Face: defaults, what follows from what, and every wrong value.

#include "architectures/decoder/config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/formats/expected.h"

namespace quintet::test {
namespace {

Json json(std::string_view text) {
  auto parsed = parse_json(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Json();
}

constexpr std::string_view kSmall = R"({"architecture":"llama","n_vocab":16,"n_embd":8,"n_layers":1,"n_heads":1})";

// The small config with one field replaced, or removed where there is no value.
Json changed(std::string_view key, std::string_view value) {
  Json config = json(kSmall);
  config.remove(key);
  if (!value.empty()) config.append(std::string(key), json(value));
  return config;
}

TEST(AmbConfig, HasItsDefaults) {
  const auto config = read_amb_config(json(kSmall));
  ASSERT_TRUE(config) << config.error().detail;
  DecoderConfig expected = {{{.n_vocab = 16,
                              .n_embd = 8,
                              .n_layers = 1,
                              .n_heads = 1,
                              .n_kv_heads = 1,
                              .head_dim = 8,
                              .n_ff = 0,
                              .max_seq_len = 2048,
                              .is_rope = true,
                              .activation = Activation::silu,
                              .rope_freq_base = 10000,
                              .rope_scaling = 1,
                              .rope_dim = 8,
                              .sliding_window = 0,
                              .norm_eps = 1e-5,
                              .tie_embeddings = {}}}};
  expected.architecture = "llama";
  EXPECT_EQ(*config, expected);
}

TEST(AmbConfig, ReadsEveryKey) {
  const auto config = read_amb_config(json(R"({"architecture":"phi","n_vocab":347,"n_embd":32,"n_layers":2,"n_heads":4,
      "n_kv_heads":2,"head_dim":16,"n_ff":64,"max_seq_len":128,"is_rope":true,"activation_fn":"gelu_new",
      "rope_freq_base":500000,"rope_scaling":2.5,"rope_dim":4,"sliding_window":7,"norm_eps":1e-6,"tie_embeddings":true,
      "quant":{"type":"int8"}})"));
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->n_kv_heads, 2u);
  EXPECT_EQ(config->head_dim, 16u);
  EXPECT_EQ(config->n_ff, 64u);
  EXPECT_EQ(config->max_seq_len, 128u);
  EXPECT_EQ(config->activation, Activation::gelu_tanh);
  EXPECT_EQ(config->rope_freq_base, 500000);
  EXPECT_EQ(config->rope_scaling, 2.5);
  EXPECT_EQ(config->rope_dim, 4u);
  EXPECT_EQ(config->sliding_window, 7u);
  EXPECT_EQ(config->norm_eps, 1e-6);
  EXPECT_EQ(config->tie_embeddings, true);
  EXPECT_EQ(*read_amb_config(amb_config(*config)), *config);
}

TEST(AmbConfig, WritesTheKeysOfTheSpecification) {
  const auto config = read_amb_config(json(kSmall));
  EXPECT_EQ(write_json(amb_config(*config)),
            R"({"architecture":"llama","n_vocab":16,"n_embd":8,"n_layers":1,"n_heads":1,"n_kv_heads":1,)"
            R"("max_seq_len":2048,"is_rope":true,"activation_fn":"silu","rope_freq_base":10000.0,"rope_scaling":1.0,)"
            R"("head_dim":8,"norm_eps":0.00001,"rope_dim":8,"sliding_window":0})");
}

TEST(AmbConfig, WithoutPositionsAHeadMayBeOdd) {
  Json config = changed("head_dim", "7");
  EXPECT_FALSE(read_amb_config(config));
  config.append("is_rope", false);
  EXPECT_TRUE(read_amb_config(config));
}

struct Wrong {
  const char* key;
  const char* value;
  Reason reason;
};

TEST(AmbConfig, RejectsWrongValuesAndNamesTheKey) {
  const std::vector<Wrong> cases = {{"architecture", "", Reason::missing},
                                    {"n_vocab", "", Reason::missing},
                                    {"n_embd", "", Reason::missing},
                                    {"n_layers", "", Reason::missing},
                                    {"n_heads", "", Reason::missing},
                                    {"architecture", "5", Reason::malformed},
                                    {"n_heads", "0", Reason::limit},
                                    {"n_heads", "-1", Reason::limit},
                                    {"n_heads", "3", Reason::mismatch},
                                    {"n_embd", "0", Reason::limit},
                                    {"n_embd", "\"8\"", Reason::malformed},
                                    {"n_vocab", "1000000000000000000", Reason::limit},
                                    {"n_vocab", "18446744073709551615", Reason::limit},
                                    {"n_vocab", "18446744073709551616", Reason::malformed},
                                    {"n_vocab", "-16", Reason::limit},
                                    {"n_layers", "1000000000", Reason::limit},
                                    {"n_layers", "1.5", Reason::malformed},
                                    {"n_layers", "null", Reason::malformed},
                                    {"n_layers", "true", Reason::malformed},
                                    {"n_kv_heads", "3", Reason::mismatch},
                                    {"n_kv_heads", "0", Reason::limit},
                                    {"n_kv_heads", "null", Reason::malformed},
                                    {"activation_fn", "\"foo\"", Reason::unknown_value},
                                    {"activation_fn", "3", Reason::malformed},
                                    {"head_dim", "7", Reason::mismatch},
                                    {"head_dim", "0", Reason::limit},
                                    {"rope_dim", "100", Reason::mismatch},
                                    {"rope_dim", "3", Reason::mismatch},
                                    {"rope_dim", "0", Reason::limit},
                                    {"tie_embeddings", "\"yes\"", Reason::malformed},
                                    {"is_rope", "1", Reason::malformed},
                                    {"n_ff", "0", Reason::limit},
                                    {"n_ff", "4294967296", Reason::limit},
                                    {"max_seq_len", "0", Reason::limit},
                                    {"max_seq_len", "2147483648", Reason::limit},
                                    {"sliding_window", "-1", Reason::limit},
                                    {"rope_freq_base", "0", Reason::limit},
                                    {"rope_freq_base", "1e39", Reason::limit},
                                    {"rope_freq_base", "[]", Reason::malformed},
                                    {"rope_scaling", "-2.0", Reason::limit},
                                    {"rope_scaling", "1e-300", Reason::limit},
                                    {"norm_eps", "0", Reason::limit},
                                    {"norm_eps", "1.5", Reason::limit},
                                    {"norm_eps", "\"1e-5\"", Reason::malformed}};
  for (const auto& [key, value, reason] : cases) {
    SCOPED_TRACE(std::string(key) + " " + value);
    const auto config = read_amb_config(changed(key, value));
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().reason, reason) << config.error().detail;
    EXPECT_EQ(config.error().code, reason == Reason::unknown_value ? Code::unsupported : Code::format);
    EXPECT_NE(config.error().detail.find(key), std::string::npos) << config.error().detail;
    EXPECT_EQ(config.error().offset, std::nullopt);
  }
  EXPECT_FALSE(read_amb_config(json("[1]")));
}

constexpr std::string_view kAlt = R"({"hidden_act":"silu","tie_word_embeddings":false,"hidden_size":24,
    "intermediate_size":32,"max_position_embeddings":64,"num_attention_heads":3,"num_hidden_layers":2,
    "num_key_value_heads":1,"sliding_window":5,"rope_theta":10000.0,"rms_norm_eps":0.000009999999747378752,
    "initializer_range":0.02,"head_size":8})";

ModelDescription alt_model() {
  ModelDescription description;
  description.format = Format::alt;
  description.architecture = "mistral";
  description.config = json(kAlt);
  TensorInfo& embedding = description.tensors.emplace_back();
  embedding.name = "model.embed_tokens.weight";
  embedding.shape = {345, 24};
  return description;
}

TEST(AltParameters, BecomeADecodersConfig) {
  const auto config = read_decoder_config(alt_model());
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->architecture, "mistral");
  EXPECT_EQ(config->n_vocab, 345u);
  EXPECT_EQ(config->n_embd, 24u);
  EXPECT_EQ(config->n_layers, 2u);
  EXPECT_EQ(config->n_heads, 3u);
  EXPECT_EQ(config->n_kv_heads, 1u);
  EXPECT_EQ(config->head_dim, 8u);
  EXPECT_EQ(config->n_ff, 32u);
  EXPECT_EQ(config->max_seq_len, 64u);
  EXPECT_EQ(config->sliding_window, 5u);
  EXPECT_EQ(config->norm_eps, 0.000009999999747378752);
  EXPECT_EQ(config->tie_embeddings, false);
}

TEST(AltParameters, WithoutTensorsTheVocabularySizeIsTheTokenizers) {
  ModelDescription description = alt_model();
  description.tensors.clear();
  EXPECT_FALSE(read_decoder_config(description));
  ASSERT_TRUE(description.tokenizer.tokens.add("a"));
  EXPECT_EQ(read_decoder_config(description)->n_vocab, 1u);
}

TEST(AltParameters, AreWrittenInTheTablesOrder) {
  const auto config = read_decoder_config(alt_model());
  const auto written = alt_parameters(*config);
  ASSERT_TRUE(written) << written.error().detail;
  EXPECT_EQ(write_json(*written), write_json(json(kAlt)));
}

TEST(AltParameters, RejectWrongValues) {
  const std::vector<Wrong> cases = {{"hidden_size", "0", Reason::limit},
                                    {"hidden_size", "-4", Reason::limit},
                                    {"hidden_size", "2147483647", Reason::limit},
                                    {"intermediate_size", "0", Reason::limit},
                                    {"intermediate_size", "-1", Reason::limit},
                                    {"max_position_embeddings", "-1", Reason::limit},
                                    {"num_attention_heads", "0", Reason::limit},
                                    {"num_attention_heads", "-2", Reason::limit},
                                    {"num_hidden_layers", "0", Reason::limit},
                                    {"num_hidden_layers", "2147483647", Reason::limit},
                                    {"num_key_value_heads", "2", Reason::mismatch},
                                    {"hidden_act", "\"sinc\"", Reason::unknown_value},
                                    {"hidden_size", "", Reason::missing}};
  for (const auto& [key, value, reason] : cases) {
    SCOPED_TRACE(std::string(key) + " " + value);
    ModelDescription description = alt_model();
    description.config.remove(key);
    if (*value) description.config.append(key, json(value));
    const auto config = read_decoder_config(description);
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().reason, reason) << config.error().detail;
  }
}

TEST(AltParameters, CannotExpressEverything) {
  const DecoderConfig good = *read_decoder_config(alt_model());
  const auto refused = [&](auto change) {
    DecoderConfig config = good;
    change(config);
    EXPECT_FALSE(alt_parameters(config));
  };
  refused([](DecoderConfig& config) { config.is_rope = false; });
  refused([](DecoderConfig& config) { config.rope_scaling = 2; });
  refused([](DecoderConfig& config) { config.rope_dim = 4; });
  refused([](DecoderConfig& config) { config.n_embd = 48; });
  refused([](DecoderConfig& config) { config.n_ff = 0; });
  refused([](DecoderConfig& config) { config.tie_embeddings.reset(); });
}

TEST(DecoderConfig, ComesFromTheFormatsThatHoldDecoders) {
  ModelDescription description;
  description.config = json(kSmall);
  description.format = Format::amb;
  EXPECT_TRUE(read_decoder_config(description));
  description.format = Format::safetensors;
  description.config =
      json(R"({"model_type":"llama","vocab_size":16,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":1})");
  EXPECT_TRUE(read_decoder_config(description));
  for (const Format format : {Format::embd, Format::tinyruntime}) {
    description.format = format;
    EXPECT_EQ(read_decoder_config(description).error().code, Code::input);
  }
}

TEST(DecoderConfig, OfEveryFixtureIsRead) {
  for (const Json& fixture : *json_fixture("huggingface/decoders.json").as_array()) {
    SCOPED_TRACE(*fixture.find("id")->as_string());
    const Json* config = fixture.find("config");
    if (!config) continue;
    EXPECT_TRUE(read_amb_config(*config));
  }
}

}  // namespace
}  // namespace quintet::test
