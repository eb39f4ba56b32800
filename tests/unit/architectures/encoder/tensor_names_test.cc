// The tensors of an encoder, and the errors if they contradict its configuration.

#include "architectures/encoder/tensor_names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "architectures/encoder/tensor_check.h"
#include "base/json.h"
#include "formats/huggingface/folder.h"

namespace quintet::test {
namespace {

EncoderConfig small_config() {
  EncoderConfig config = encoder::bert_config();
  config.n_vocab = 50;
  config.n_embd = config.embedding_width = 8;
  config.n_layers = 2;
  config.n_heads = config.n_kv_heads = 2;
  config.head_dim = config.rope_dim = 4;
  config.n_ff = 16;
  config.max_seq_len = 32;
  return config;
}
const EncoderConfig kConfig = small_config();

using Shape = std::vector<uint64_t>;

// Written down a second time, as Hugging Face's BertModel names them.
std::vector<TensorInfo> tensors() {
  std::vector<TensorInfo> list;
  const auto add = [&](std::string name, Shape shape) {
    TensorInfo info;
    info.name = std::move(name);
    info.shape = std::move(shape);
    list.push_back(std::move(info));
  };
  const auto norm = [&](const std::string& name) {
    add(name + ".weight", {8});
    add(name + ".bias", {8});
  };
  const auto linear = [&](const std::string& name, uint64_t rows, uint64_t columns) {
    add(name + ".weight", {rows, columns});
    add(name + ".bias", {rows});
  };
  add("embeddings.word_embeddings.weight", {50, 8});
  add("embeddings.position_embeddings.weight", {32, 8});
  add("embeddings.token_type_embeddings.weight", {2, 8});
  norm("embeddings.LayerNorm");
  for (const std::string layer : {"encoder.layer.0.", "encoder.layer.1."}) {
    linear(layer + "attention.self.query", 8, 8);
    linear(layer + "attention.self.key", 8, 8);
    linear(layer + "attention.self.value", 8, 8);
    linear(layer + "attention.output.dense", 8, 8);
    norm(layer + "attention.output.LayerNorm");
    linear(layer + "intermediate.dense", 16, 8);
    linear(layer + "output.dense", 8, 16);
    norm(layer + "output.LayerNorm");
  }
  return list;
}

TensorInfo& named(std::vector<TensorInfo>& list, std::string_view name) {
  return *std::ranges::find(list, name, &TensorInfo::name);
}

encoder::TensorNames names(Format format = Format::embd) { return {encoder::family_of(kConfig), format}; }

Status check(const std::vector<TensorInfo>& list, Format format = Format::embd) {
  return check_encoder_tensors(kConfig, names(format), list);
}

TEST(EncoderParts, AllAreNeededInTheirShape) {
  ASSERT_TRUE(check(tensors()));
  const std::vector<TensorInfo> all = tensors();
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<TensorInfo> list = tensors();
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    const Status missing = check(list);
    ASSERT_FALSE(missing) << all[i].name;
    EXPECT_EQ(missing.error().reason, Reason::missing);
    EXPECT_EQ(missing.error().tensor, all[i].name);

    for (size_t dimension = 0; dimension < all[i].shape.size(); ++dimension) {
      list = tensors();
      ++list[i].shape[dimension];
      const bool any = all[i].name == "embeddings.token_type_embeddings.weight" && dimension == 0;
      const Status other = check(list);
      ASSERT_EQ(other.has_value(), any) << all[i].name;
      if (any) continue;
      EXPECT_EQ(other.error().reason, Reason::mismatch);
      EXPECT_EQ(other.error().tensor, all[i].name);
    }
    list = tensors();
    list[i].shape.push_back(1);
    EXPECT_FALSE(check(list)) << all[i].name;
  }
}

TEST(EncoderParts, AnErrorNamesShapesAndKeysOfTheDialect) {
  std::vector<TensorInfo> list = tensors();
  named(list, "embeddings.position_embeddings.weight").shape = {31, 8};
  EXPECT_EQ(check(list).error().detail, "shape [31, 8], expected [32, 8] from max_position_emb and hidden_size");
  EXPECT_EQ(check(list, Format::safetensors).error().detail,
            "shape [31, 8], expected [32, 8] from max_position_embeddings and hidden_size");
  list = tensors();
  named(list, "encoder.layer.1.attention.self.key.bias").shape = {7};
  EXPECT_EQ(check(list).error().detail, "shape [7], expected [8] from hidden_size");
}

TEST(EncoderParts, ALayerTooManyIsRejected) {
  std::vector<TensorInfo> list = tensors();
  list.push_back(named(list, "encoder.layer.1.output.dense.bias"));
  list.back().name = "encoder.layer.2.output.dense.bias";
  const Status status = check(list, Format::safetensors);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().tensor, list.back().name);
  EXPECT_EQ(status.error().detail, "a layer beyond the last: num_hidden_layers is 2");
}

TEST(EncoderParts, ThatManyLayersAreNotSupported) {
  EncoderConfig config = kConfig;
  config.n_layers = encoder::kMaxLayers + 1;
  EXPECT_EQ(check_encoder_tensors(config, names(), tensors()).error().detail,
            "num_layers is 513, at most 512 are supported");
}

TEST(EncoderParts, MatricesMayBeInt8AndVectorsMayNot) {
  std::vector<TensorInfo> list = tensors();
  named(list, "encoder.layer.0.output.dense.weight").dtype = Dtype::i8;
  EXPECT_EQ(check(list).error().tensor, "encoder.layer.0.output.dense.weight.scale");
  list.emplace_back().name = "encoder.layer.0.output.dense.weight.scale";
  EXPECT_TRUE(check(list));
  named(list, "encoder.layer.0.output.dense.bias").dtype = Dtype::i8;
  EXPECT_EQ(check(list).error().code, Code::unsupported);
}

TEST(EncoderParts, UnusedPartsMayBeAnything) {
  std::vector<TensorInfo> list = tensors();
  for (const char* name : {"pooler.dense.weight", "embeddings.position_ids", "encoder.layer.0.gate.weight"}) {
    TensorInfo info;
    info.name = name;
    info.dtype = Dtype::i32;
    list.push_back(info);
  }
  EXPECT_TRUE(check(list));
}

TEST(EncoderParts, AreFoundByTheirNames) {
  size_t quantized = 0;
  for (const TensorInfo& info : tensors()) {
    const auto ref = names().ref_of(info.name);
    ASSERT_TRUE(ref) << info.name;
    EXPECT_EQ(ref->is_bias, info.name.ends_with(".bias"));
    EXPECT_EQ(ref->layer, info.name.starts_with("encoder.layer.1.") ? 1u : 0u);
    EXPECT_EQ(names().name_of(*ref->spec, ref->layer, ref->is_bias), info.name);
    quantized += ref->is_quantized();
  }
  EXPECT_EQ(quantized, 1u + 2 * 6);  // word embeddings, and the linear layers
  EXPECT_EQ(names().ref_of("encoder.layer.11.attention.self.value.weight")->kind(), encoder::TensorKind::value);
  EXPECT_EQ(names().ref_of("pooler.dense.bias")->kind(), encoder::TensorKind::head_dense);
  // A layer under a second name would take the place of the first.
  for (const char* name :
       {"", "encoder.layer.", "encoder.layer.00.output.dense.weight", "encoder.layer.x.output.dense.weight",
        "encoder.layer.512.output.dense.weight", "encoder.layer.0.output.dense", "output.dense.weight",
        "encoder.layer.0.pooler.dense.weight", "embeddings.LayerNorm.gamma"}) {
    EXPECT_FALSE(names().ref_of(name)) << name;
  }
}

Result<EncoderConfig> config_json(std::string_view sizes) {
  return read_encoder_config_json(*parse_json("{" + std::string(sizes) + "}"));
}

TEST(EncoderConfigJson, HasEverySize) {
  constexpr std::string_view kSizes =
      R"("vocab_size":50,"hidden_size":8,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":16,
      "max_position_embeddings":32)";
  const auto config = config_json(kSizes);
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->n_vocab, 50u);
  EXPECT_EQ(config->n_embd, 8u);
  EXPECT_EQ(config->n_layers, 2u);
  EXPECT_EQ(config->n_heads, 4u);
  EXPECT_EQ(config->n_ff, 16u);
  EXPECT_EQ(config->max_seq_len, 32u);
  for (const std::string key : {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
                                "intermediate_size", "max_position_embeddings"}) {
    for (const char* value : {"0", "-1", "1.5", "\"8\"", "null", "4294967296"}) {
      std::string text(kSizes);
      const size_t at = text.find(':', text.find("\"" + key + "\"")) + 1;
      text.replace(at, std::min(text.find(',', at), text.size()) - at, value);
      const auto wrong = config_json(text);
      ASSERT_FALSE(wrong) << text;
      EXPECT_TRUE(wrong.error().detail.starts_with("config.json: " + key + " is ")) << wrong.error().detail;
    }
  }
}

// The folder's own list of encoders is that of the table. Families with sizes of heads are decoders to a folder.
TEST(EncoderFamilyTable, AreEncodersInFolders) {
  for (const encoder::Family& family : encoder::families()) {
    const std::string type(family.declared_as.empty() ? family.model_type : family.declared_as);
    huggingface::Folder folder;
    ASSERT_TRUE(folder.add("config.json", "{\"model_type\":\"" + type + "\"}"));
    EXPECT_EQ(folder.encoder_config() == nullptr, family.has_head_sizes) << type;
  }
}

constexpr std::string_view kDecoder =
    R"("vocab_size":50,"hidden_size":8,"num_hidden_layers":4,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":6,
    "intermediate_size":16,"max_position_embeddings":32,)";
constexpr std::string_view kQwen3 = R"("model_type":"qwen3")";
constexpr std::string_view kGemma = R"("model_type":"gemma3_text","use_bidirectional_attention":true)";

Result<EncoderConfig> decoder_json(std::string_view family, std::string_view rest) {
  return config_json(std::string(kDecoder) + std::string(family) + std::string(rest));
}

TEST(EncoderConfigJson, HeadsOfDecodersHaveTheirOwnSizes) {
  const auto config = decoder_json(kQwen3, "");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->query_width(), 24u);
  EXPECT_EQ(config->key_width(), 12u);
  EXPECT_EQ(config->qkv_width(), 48u);
  EXPECT_TRUE(config->is_causal);
  const auto gemma = decoder_json(kGemma, R"(,"sliding_window_pattern":3)");
  ASSERT_TRUE(gemma) << gemma.error().detail;
  EXPECT_FALSE(gemma->is_causal);
  EXPECT_EQ(gemma->sliding_window, 4096u);
  EXPECT_EQ(gemma->window_of(1), 4096u);
  EXPECT_EQ(gemma->window_of(2), 0u);
  EXPECT_EQ(gemma->attention_scale, 1.0 / 16);
  const auto causal = decoder_json(R"("model_type":"gemma3_text")", "");
  ASSERT_TRUE(causal) << causal.error().detail;
  EXPECT_TRUE(causal->is_causal);
}

// Gemma's layers with a window are not scaled. YaRN's original length is that of the model, if the file has none.
TEST(EncoderConfigJson, ScaledPositionsAreRead) {
  for (const std::string_view scaling :
       {R"(,"rope_scaling":{"rope_type":"linear","factor":8.0})",
        R"(,"rope_parameters":{"full_attention":{"rope_type":"linear","factor":8.0,"rope_theta":1000000},
                               "sliding_attention":{"rope_type":"default","rope_theta":10000}})"}) {
    const auto gemma = decoder_json(kGemma, scaling);
    ASSERT_TRUE(gemma) << gemma.error().detail;
    EXPECT_EQ(gemma->rope_scaling, 8);
    EXPECT_EQ(gemma->rope_freq_base, 1000000);
    EXPECT_EQ(gemma->local_rope_freq_base, 10000);
  }
  const auto qwen = decoder_json(kQwen3, R"(,"rope_scaling":{"rope_type":"yarn","factor":4.0})");
  ASSERT_TRUE(qwen) << qwen.error().detail;
  EXPECT_EQ(qwen->yarn_rope->original_max_seq_len, qwen->max_seq_len);
  EXPECT_FALSE(decoder_json(kQwen3, R"(,"rope_scaling":{"rope_type":"yarn"})"));
  EXPECT_FALSE(decoder_json(kQwen3, R"(,"rope_scaling":3)"));
}

TEST(EncoderConfigJson, UnsupportedFeaturesAreRejected) {
  struct Case {
    std::string_view family, rest, key;
  };
  for (const Case& wrong : {
           Case{kQwen3, R"(,"rope_scaling":{"rope_type":"longrope","factor":4.0})", "rope_scaling"},
           Case{kQwen3, R"(,"rope_scaling":{"rope_type":"yarn","factor":4.0,"truncate":false})", "truncate"},
           Case{kQwen3, R"(,"rope_scaling":{"rope_type":"yarn","factor":4.0,"mscale":1.5})", "mscale"},
           Case{kQwen3, R"(,"rope_parameters":{"partial_rotary_factor":0.5})", "partial_rotary_factor"},
           Case{kGemma, R"(,"rope_parameters":{"sliding_attention":{"rope_type":"linear","factor":8.0}})", "rope_type"},
           Case{kQwen3, R"(,"use_sliding_window":true)", "use_sliding_window"},
           Case{kGemma, R"(,"attn_logit_softcapping":50.0)", "attn_logit_softcapping"},
           Case{kGemma, R"(,"layer_types":["full_attention","sliding_attention","chunked_attention","full_attention"])",
                "layer_types"},
       }) {
    const auto config = decoder_json(wrong.family, wrong.rest);
    ASSERT_FALSE(config) << wrong.rest;
    EXPECT_EQ(config.error().code, Code::unsupported) << wrong.rest;
    EXPECT_NE(config.error().detail.find(wrong.key), std::string::npos) << config.error().detail;
  }
  std::string shared(kDecoder);
  shared.replace(shared.find("key_value_heads\":2") + 17, 1, "3");
  EXPECT_EQ(config_json(shared + std::string(kQwen3)).error().detail,
            "4 attention heads cannot share 3 of keys and values");
}

Result<EncoderConfig> gemma_gguf(std::string_view rest) {
  ModelDescription description;
  description.format = Format::gguf;
  description.architecture = "gemma-embedding";
  const std::string keys = R"({"vocab_size":50,"context_length":32,"embedding_length":8,"block_count":4,
      "feed_forward_length":16,"attention.head_count":4,"attention.head_count_kv":2,"attention.key_length":6,
      "attention.value_length":6,"attention.layer_norm_rms_epsilon":1e-6,"attention.sliding_window":16)";
  const auto fields = parse_json(keys + std::string(rest) + "}");
  for (const Json::Member& field : *fields->as_object()) {
    description.metadata.append("gemma-embedding." + field.name, field.value);
  }
  return read_encoder_gguf(description);
}

TEST(EncoderGguf, LayersWithAWindowAreANumberOrAList) {
  const auto usual = gemma_gguf("");
  ASSERT_TRUE(usual) << usual.error().detail;
  EXPECT_EQ(usual->window_of(3), 16u);
  for (const char* pattern : {"2", "[true,false,false,false]", "[true,false,true,false]"}) {
    const auto config = gemma_gguf(std::string(",\"attention.sliding_window_pattern\":") + pattern);
    ASSERT_TRUE(config) << config.error().detail;
    EXPECT_EQ(config->window_of(0), 16u);
    EXPECT_EQ(config->window_of(1), 0u);
    EXPECT_EQ(config->window_of(3), 0u);
  }
  for (const char* wrong :
       {R"(,"attention.sliding_window_pattern":[true,false,0,true])",
        R"(,"attention.sliding_window_pattern":[true,1,true,true])", R"(,"rope.scaling.type":"linear")"}) {
    const auto config = gemma_gguf(wrong);
    ASSERT_FALSE(config) << wrong;
    EXPECT_EQ(config.error().code, Code::unsupported) << wrong;
  }
}

}  // namespace
}  // namespace quintet::test
