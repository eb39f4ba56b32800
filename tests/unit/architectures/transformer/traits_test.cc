// Every trait is read from each dialect that has a key for it, written to AMB, and distinguished from a Llama's.

#include "architectures/transformer/traits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "architectures/decoder/config.h"

namespace quintet::transformer {
namespace {

// A value for each trait that is not the default, by AMB's key or, for encoders alone, GGUF's. All of them together are
// a valid configuration.
const std::map<std::string_view, std::string_view> kValues = {
    {"n_vocab", "320"},
    {"n_embd", "64"},
    {"n_layers", "6"},
    {"n_heads", "4"},
    {"n_kv_heads", "2"},
    {"max_seq_len", "512"},
    {"is_rope", "false"},
    {"activation_fn", "\"gelu_new\""},
    {"rope_freq_base", "50000.0"},
    {"rope_scaling", "4.0"},
    {"n_ff", "96"},
    {"head_dim", "24"},
    {"norm_eps", "0.001"},
    {"rope_dim", "12"},
    {"sliding_window", "32"},
    {"tie_embeddings", "true"},
    {"qk_norm", "\"per_row\""},
    {"local_rope_freq_base", "2500.0"},
    {"embedding_scale", "8.0"},
    {"residual_scale", "0.25"},
    {"attention_scale", "0.125"},
    {"logit_scale", "16.0"},
    {"attention_softcap", "50.0"},
    {"logit_softcap", "30.0"},
    {"attention_temperature", "0.5"},
    {"full_attention_layers", "[3,5]"},
    {"no_rope_layers", "[3]"},
    {"convolution_layers", "[0,2]"},
    {"convolution_length", "3"},
    {"attention_temperature_length", "128"},
    {"local_head_dim", "20"},
    {"local_kv_heads", "1"},
    {"local_rope_dim", "8"},
    {"rope_rotated_pairs", "5"},
    {"keys_as_values", "true"},
    {"n_shared_kv_layers", "1"},
    {"shared_kv_ff", "64"},
    {"layer_input_width", "8"},
    {"layer_input_vocab", "300"},
    {"laurel_rank", "16"},
    {"n_sparse_layers", "2"},
    {"sparse_cutoff", "1.5"},
    {"norm_offset", "true"},
    {"mamba_layers", "[2,4]"},
    {"mlp_layers", "[1]"},
    {"mamba_heads", "6"},
    {"mamba_groups", "3"},
    {"mamba_inner", "48"},
    {"mamba_state", "16"},
    {"mamba_kernel", "4"},
    {"log_mamba_rates", "true"},
    {"mamba_gate_scale", "0.5"},
    {"mamba_x_scale", "2.0"},
    {"mamba_b_scale", "0.25"},
    {"mamba_c_scale", "4.0"},
    {"mamba_time_scale", "0.75"},
    {"attention_output_scale", "1.5"},
    {"mamba_output_scale", "3.0"},
    {"mlp_output_scale", "1.25"},
    {"mlp_gate_scale", "0.125"},
    {"delta_layers", "[0,4]"},
    {"delta_key_heads", "2"},
    {"delta_value_heads", "4"},
    {"delta_key_dim", "16"},
    {"delta_value_dim", "24"},
    {"delta_kernel", "4"},
    {"log_delta_rates", "true"},
    {"tiled_delta_heads", "true"},
    {"position_embeddings", "true"},
    {"parallel_residual", "true"},
    {"xielu", "true"},
    {"n_experts", "8"},
    {"n_experts_used", "2"},
    {"expert_ff", "48"},
    {"shared_ff", "40"},
    {"n_dense_layers", "1"},
    {"router_scale", "2.5"},
    {"normalized_router", "true"},
    {"sigmoid_router", "true"},
    {"attention.causal", "false"},
};

Json value_for(const Trait& trait) {
  const auto found = kValues.find(trait.amb.empty() ? trait.gguf : trait.amb);
  EXPECT_NE(found, kValues.end()) << "no value for the trait " << trait.amb << trait.gguf;
  return found == kValues.end() ? Json() : *parse_json(found->second);
}

struct Dialect {
  Format format;
  Networks networks;
};

TraitKeys keys_of(const Dialect& dialect) {
  return dialect.networks == Networks::encoders ? TraitKeys::of_encoders(dialect.format)
                                                : TraitKeys::of_decoders(dialect.format);
}

// Calls `check(trait, key)` for each trait of a dialect.
template <class Check>
void for_each_trait(const Dialect& dialect, Check check) {
  const TraitKeys keys = keys_of(dialect);
  size_t count = 0;
  for (size_t row = 0; row < keys.rows().size(); ++row) {
    if (keys.at(row).empty()) continue;
    check(*std::ranges::find(traits(), keys.rows()[row].member, &Trait::member), std::string(keys.at(row)));
    ++count;
  }
  EXPECT_GE(count, 6U);
}

Json all_traits(const Dialect& dialect) {
  Json json = Json::object();
  for_each_trait(dialect, [&](const Trait& trait, const std::string& key) { json.append(key, value_for(trait)); });
  return json;
}

Status read(const Dialect& dialect, const Json& json, TransformerConfig& config) {
  const ConfigFields fields(json, "config", ConfigFields::Nulls::refused);
  return read_traits(fields, keys_of(dialect), config);
}

class EachDialect : public testing::TestWithParam<Dialect> {};

TEST_P(EachDialect, IsReadByItsKeys) {
  TransformerConfig config;
  const Status status = read(GetParam(), all_traits(GetParam()), config);
  ASSERT_TRUE(status) << status.error().detail;
  for_each_trait(GetParam(), [&](const Trait& trait, const std::string& key) {
    EXPECT_TRUE(trait.is_set(config)) << key;
    EXPECT_EQ(write_json(trait.value(config)), write_json(value_for(trait))) << key;
  });
}

TEST_P(EachDialect, RejectsAnotherTypeOfValue) {
  for_each_trait(GetParam(), [](const Trait&, const std::string& key) {
    Json json = all_traits(GetParam());
    json.set(key, Json::object());
    TransformerConfig config;
    const Status status = read(GetParam(), json, config);
    ASSERT_FALSE(status) << key;
    EXPECT_NE(status.error().detail.find(key), std::string::npos) << status.error().detail;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Traits, EachDialect,
    testing::Values(Dialect{Format::amb, Networks::decoders}, Dialect{Format::alt, Networks::decoders},
                    Dialect{Format::safetensors, Networks::decoders}, Dialect{Format::gguf, Networks::decoders},
                    Dialect{Format::embd, Networks::encoders}, Dialect{Format::safetensors, Networks::encoders},
                    Dialect{Format::gguf, Networks::encoders}),
    [](const auto& dialect) {
      return std::string(name_of(dialect.param.format)) +
             (dialect.param.networks == Networks::decoders ? "OfDecoders" : "OfEncoders");
    });

TEST(Traits, RequiredOnesMustBePresent) {
  for (const Networks networks : {Networks::decoders, Networks::encoders}) {
    TransformerConfig config;
    EXPECT_FALSE(read({Format::safetensors, networks}, Json::object(), config));
  }
  const Json json = *parse_json(R"({"vocab_size":320,"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4})");
  TransformerConfig decoder, encoder;
  EXPECT_TRUE(read({Format::safetensors, Networks::decoders}, json, decoder));
  const Status status = read({Format::safetensors, Networks::encoders}, json, encoder);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().reason, Reason::missing);
}

TEST(Traits, SurviveAnAmbConfig) {
  Json json = all_traits({Format::amb, Networks::decoders});
  json.append("architecture", "llama");
  const auto config = read_amb_config(json);
  ASSERT_TRUE(config) << config.error().detail;
  const Json written = amb_config(*config);
  for_each_trait({Format::amb, Networks::decoders}, [&](const Trait& trait, const std::string& key) {
    ASSERT_NE(written.find(key), nullptr) << key;
    EXPECT_EQ(write_json(*written.find(key)), write_json(value_for(trait))) << key;
  });
  EXPECT_EQ(*read_amb_config(written), *config);
}

// One at a time, so that no trait hides behind another.
TEST(Traits, AreRejectedByAltIfItLacksThem) {
  size_t refused = 0;
  for (const Trait& trait : traits()) {
    if (trait.alt_lacks.empty()) continue;
    Json json = *parse_json(R"({"architecture":"llama","n_vocab":320,"n_embd":64,"n_layers":6,"n_heads":4,"n_ff":96,
                                "tie_embeddings":true})");
    json.append(std::string(trait.amb), value_for(trait));
    if (trait.amb == "convolution_layers") json.append("convolution_length", Json(3));
    if (trait.amb == "delta_layers") {
      for (const std::string_view key :
           {"delta_key_heads", "delta_value_heads", "delta_key_dim", "delta_value_dim", "delta_kernel"}) {
        json.append(std::string(key), *parse_json(kValues.at(key)));
      }
    }
    if (trait.amb == "mamba_layers") {
      for (const std::string_view key : {"mamba_heads", "mamba_groups", "mamba_inner", "mamba_state", "mamba_kernel"}) {
        json.append(std::string(key), *parse_json(kValues.at(key)));
      }
    }
    if (trait.amb == "n_experts") json.append("n_experts_used", Json(2));
    const auto config = read_amb_config(json);
    ASSERT_TRUE(config) << config.error().detail;
    const auto parameters = alt_parameters(*config);
    ASSERT_FALSE(parameters) << trait.amb;
    EXPECT_NE(parameters.error().detail.find(trait.alt_lacks), std::string::npos) << parameters.error().detail;
    ++refused;
  }
  EXPECT_GT(refused, 10u);
}

}  // namespace
}  // namespace quintet::transformer
