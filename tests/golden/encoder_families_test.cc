// Every family of encoders computes what its formulas say: a small random network of each, loaded under the names of
// Hugging Face, against a reference in double precision.

#include <gtest/gtest.h>

#include "tests/golden/small_encoders.h"

namespace quintet::test {
namespace {

constexpr size_t kWide = 24;

class EncoderFamilies : public EncoderTest {};
QUINTET_FOR_EACH_VARIANT(EncoderFamilies);

constexpr std::string_view kBertSizes =
    R"("vocab_size":40,"hidden_size":16,"num_hidden_layers":2,"num_attention_heads":2,"intermediate_size":24)";
constexpr ReferenceSizes kSizes = {.hidden = 16, .layers = 2, .heads = 2, .intermediate = kWide, .epsilon = 1e-12};

std::string config(std::string_view rest) { return "{" + std::string(kBertSizes) + "," + std::string(rest) + "}"; }

// The layers of BERT and RoBERTa.
RandomTensors bert_tensors(size_t positions, size_t types) {
  RandomTensors tensors;
  tensors.table("embeddings.word_embeddings", kVocabulary, 16);
  tensors.table("embeddings.position_embeddings", positions, 16);
  tensors.table("embeddings.token_type_embeddings", types, 16);
  tensors.norm("embeddings.LayerNorm", 16);
  for (const std::string at : {"encoder.layer.0.", "encoder.layer.1."}) {
    for (const char* part : {"query", "key", "value"}) tensors.linear(at + "attention.self." + part, 16, 16);
    tensors.linear(at + "attention.output.dense", 16, 16);
    tensors.norm(at + "attention.output.LayerNorm", 16);
    tensors.linear(at + "intermediate.dense", kWide, 16);
    tensors.linear(at + "output.dense", 16, kWide);
    tensors.norm(at + "output.LayerNorm", 16);
  }
  return tensors;
}

TEST_P(EncoderFamilies, Bert) {
  const RandomTensors tensors = bert_tensors(32, 2);
  const auto model =
      load_encoder(config(R"("model_type":"bert","max_position_embeddings":32)"), tensors.all(), "bert.");
  ASSERT_TRUE(model);
  const auto ids = some_ids(9);
  expect_equal(*model, ids, bert_reference(tensors.all(), kSizes, ids, {}, 0));
  const std::vector<uint8_t> types = {0, 0, 0, 1, 1, 1, 1, 1, 1};
  expect_equal(*model, ids, bert_reference(tensors.all(), kSizes, ids, types, 0), types);
}

TEST_P(EncoderFamilies, Roberta) {
  ReferenceSizes sizes = kSizes;
  sizes.epsilon = 1e-5;
  const RandomTensors tensors = bert_tensors(34, 1);
  for (const char* type : {"roberta", "xlm-roberta", "camembert"}) {
    const auto model = load_encoder(
        config(R"("max_position_embeddings":34,"type_vocab_size":1,"pad_token_id":1,"layer_norm_eps":1e-5,)"
               R"("model_type":")" +
               std::string(type) + "\""),
        tensors.all(), "roberta.");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->config.max_tokens(), 32u);
    const auto ids = some_ids(32);
    expect_equal(*model, ids, bert_reference(tensors.all(), sizes, ids, {}, 2));
  }
}

TEST_P(EncoderFamilies, DistilBert) {
  RandomTensors tensors;
  tensors.table("embeddings.word_embeddings", kVocabulary, 16);
  tensors.table("embeddings.position_embeddings", 32, 16);
  tensors.norm("embeddings.LayerNorm", 16);
  for (const std::string at : {"transformer.layer.0.", "transformer.layer.1."}) {
    for (const char* part : {"q_lin", "k_lin", "v_lin", "out_lin"}) tensors.linear(at + "attention." + part, 16, 16);
    tensors.norm(at + "sa_layer_norm", 16);
    tensors.linear(at + "ffn.lin1", kWide, 16);
    tensors.linear(at + "ffn.lin2", 16, kWide);
    tensors.norm(at + "output_layer_norm", 16);
  }
  const auto model = load_encoder(R"({"model_type":"distilbert","vocab_size":40,"dim":16,"n_layers":2,"n_heads":2,
                              "hidden_dim":24,"max_position_embeddings":32,"activation":"gelu"})",
                                  tensors.all(), "distilbert.");
  ASSERT_TRUE(model);
  const auto ids = some_ids(11);
  expect_equal(*model, ids, distilbert_reference(tensors.all(), kSizes, ids));
}

// So long that the last bucket is in use.
TEST_P(EncoderFamilies, Mpnet) {
  RandomTensors tensors;
  tensors.table("embeddings.word_embeddings", kVocabulary, 16);
  tensors.table("embeddings.position_embeddings", 202, 16);
  tensors.norm("embeddings.LayerNorm", 16);
  tensors.table("encoder.relative_attention_bias", 32, 2);
  for (const std::string at : {"encoder.layer.0.", "encoder.layer.1."}) {
    for (const char* part : {"q", "k", "v", "o"}) tensors.linear(at + "attention.attn." + part, 16, 16);
    tensors.norm(at + "attention.LayerNorm", 16);
    tensors.linear(at + "intermediate.dense", kWide, 16);
    tensors.linear(at + "output.dense", 16, kWide);
    tensors.norm(at + "output.LayerNorm", 16);
  }
  ReferenceSizes sizes = kSizes;
  sizes.epsilon = 1e-5;
  const auto model = load_encoder(config(R"("model_type":"mpnet","max_position_embeddings":202,"layer_norm_eps":1e-5)"),
                                  tensors.all(), "mpnet.");
  ASSERT_TRUE(model);
  const auto ids = some_ids(200);
  expect_equal(*model, ids, mpnet_reference(tensors.all(), sizes, ids));
}

TEST_P(EncoderFamilies, NomicBert) {
  RandomTensors tensors;
  tensors.table("embeddings.word_embeddings", kVocabulary, 16);
  tensors.table("embeddings.token_type_embeddings", 2, 16);
  tensors.norm("emb_ln", 16);
  for (const std::string at : {"encoder.layers.0.", "encoder.layers.1."}) {
    tensors.linear(at + "attn.Wqkv", 48, 16, false);
    tensors.linear(at + "attn.out_proj", 16, 16, false);
    tensors.norm(at + "norm1", 16);
    tensors.linear(at + "mlp.fc11", kWide, 16, false);
    tensors.linear(at + "mlp.fc12", kWide, 16, false);
    tensors.linear(at + "mlp.fc2", 16, kWide, false);
    tensors.norm(at + "norm2", 16);
  }
  const auto model = load_encoder(R"({"model_type":"nomic_bert","vocab_size":40,"n_embd":16,"n_layer":2,"n_head":2,
                              "n_inner":24,"n_positions":128,"activation_function":"swiglu","rotary_emb_base":1000,
                              "rotary_emb_fraction":1.0,"prenorm":false})",
                                  tensors.all());
  ASSERT_TRUE(model);
  const auto ids = some_ids(100);
  expect_equal(*model, ids, nomic_reference(tensors.all(), kSizes, ids, 1000));
}

// Longer than the window and than a block of rows, with layers of both kinds.
TEST_P(EncoderFamilies, ModernBert) {
  RandomTensors tensors;
  tensors.table("embeddings.tok_embeddings", kVocabulary, 16);
  tensors.norm("embeddings.norm", 16, false);
  tensors.norm("final_norm", 16, false);
  for (size_t layer = 0; layer < 4; ++layer) {
    const std::string at = "layers." + std::to_string(layer) + ".";
    if (layer != 0) tensors.norm(at + "attn_norm", 16, false);
    tensors.linear(at + "attn.Wqkv", 48, 16, false);
    tensors.linear(at + "attn.Wo", 16, 16, false);
    tensors.norm(at + "mlp_norm", 16, false);
    tensors.linear(at + "mlp.Wi", 2 * kWide, 16, false);
    tensors.linear(at + "mlp.Wo", 16, kWide, false);
  }
  const auto model = load_encoder(R"({"model_type":"modernbert","vocab_size":40,"hidden_size":16,"num_hidden_layers":4,
               "num_attention_heads":2,"intermediate_size":24,"max_position_embeddings":512,"local_attention":20,
               "global_attn_every_n_layers":3,"hidden_activation":"gelu"})",
                                  tensors.all(), "model.");
  ASSERT_TRUE(model);
  const ReferenceSizes sizes = {.hidden = 16, .layers = 4, .heads = 2, .intermediate = kWide, .epsilon = 1e-5};
  for (const size_t length : {7, 230}) {
    const auto ids = some_ids(length);
    expect_equal(*model, ids, modernbert_reference(tensors.all(), sizes, ids, 20, 3));
  }
}

// With six heads, which is not a power of two.
TEST_P(EncoderFamilies, JinaBertV2) {
  for (const bool of_code : {false, true}) {
    RandomTensors tensors;
    tensors.table("embeddings.word_embeddings", kVocabulary, 24);
    tensors.table("embeddings.token_type_embeddings", 2, 24);
    tensors.norm("embeddings.LayerNorm", 24);
    for (const std::string at : {"encoder.layer.0.", "encoder.layer.1."}) {
      for (const char* part : {"query", "key", "value"}) tensors.linear(at + "attention.self." + part, 24, 24);
      if (of_code) tensors.norm(at + "attention.self.layer_norm_q", 24);
      if (of_code) tensors.norm(at + "attention.self.layer_norm_k", 24);
      tensors.linear(at + "attention.output.dense", 24, 24);
      tensors.norm(at + "attention.output.LayerNorm", 24);
      if (of_code) tensors.norm(at + "layer_norm_1", 24);
      tensors.linear(at + (of_code ? "mlp.up_gated_layer" : "mlp.gated_layers"), 2 * kWide, 24, false);
      tensors.linear(at + (of_code ? "mlp.down_layer" : "mlp.wo"), 24, kWide);
      tensors.norm(at + (of_code ? "layer_norm_2" : "mlp.layernorm"), 24);
    }
    const auto model =
        load_encoder(R"({"model_type":"bert","position_embedding_type":"alibi","feed_forward_type":"geglu",
                                "vocab_size":40,"hidden_size":24,"num_hidden_layers":2,"num_attention_heads":6,
                                "intermediate_size":24,"max_position_embeddings":8192})",
                     tensors.all());
    ASSERT_TRUE(model);
    const ReferenceSizes sizes = {.hidden = 24, .layers = 2, .heads = 6, .intermediate = kWide, .epsilon = 1e-12};
    const auto ids = some_ids(110);
    expect_equal(*model, ids, jina_reference(tensors.all(), sizes, ids, of_code));
  }
}

TEST_P(EncoderFamilies, Gte) {
  RandomTensors tensors;
  tensors.table("embeddings.word_embeddings", kVocabulary, 16);
  tensors.norm("embeddings.LayerNorm", 16);
  for (const std::string at : {"encoder.layer.0.", "encoder.layer.1."}) {
    tensors.linear(at + "attention.qkv_proj", 48, 16);
    tensors.linear(at + "attention.o_proj", 16, 16);
    tensors.norm(at + "attn_ln", 16);
    tensors.linear(at + "mlp.up_gate_proj", 2 * kWide, 16, false);
    tensors.linear(at + "mlp.down_proj", 16, kWide);
    tensors.norm(at + "mlp_ln", 16);
  }
  const auto model =
      load_encoder(config(R"("model_type":"new","max_position_embeddings":512,"type_vocab_size":0,"rope_theta":20000,
                     "rope_scaling":{"type":"ntk","factor":8.0},"position_embedding_type":"rope")"),
                   tensors.all(), "new.");
  ASSERT_TRUE(model);
  const auto ids = some_ids(60);
  expect_equal(*model, ids, gte_reference(tensors.all(), kSizes, ids, 20000, 8));
}

// The part that all decoders have. Heads are wider than hidden / heads, and four of queries share two of keys.
RandomTensors decoder_tensors(size_t layers, float norms) {
  RandomTensors tensors;
  tensors.table("embed_tokens", kVocabulary, 16);
  tensors.scale("norm", 16, norms);
  for (size_t layer = 0; layer < layers; ++layer) {
    const std::string at = "layers." + std::to_string(layer) + ".";
    tensors.scale(at + "input_layernorm", 16, norms);
    tensors.linear(at + "self_attn.q_proj", 48, 16, false);
    tensors.linear(at + "self_attn.k_proj", 24, 16, false);
    tensors.linear(at + "self_attn.v_proj", 24, 16, false);
    tensors.linear(at + "self_attn.o_proj", 16, 48, false);
    for (const char* norm : {"q_norm", "k_norm"}) tensors.scale(at + "self_attn." + norm, 12, norms);
    tensors.scale(at + "post_attention_layernorm", 16, norms);
    for (const char* part : {"gate_proj", "up_proj"}) tensors.linear(at + "mlp." + part, kWide, 16, false);
    tensors.linear(at + "mlp.down_proj", 16, kWide, false);
  }
  return tensors;
}
constexpr std::string_view kDecoderSizes =
    R"("vocab_size":40,"hidden_size":16,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":12,
       "intermediate_size":24,"max_position_embeddings":512,"rms_norm_eps":1e-5)";

// Longer than a block of rows. Under the names of the base model and of the causal language model.
TEST_P(EncoderFamilies, Qwen3) {
  const RandomTensors tensors = decoder_tensors(2, 1);
  const ReferenceSizes sizes = {
      .hidden = 16, .layers = 2, .heads = 4, .intermediate = kWide, .epsilon = 1e-5, .head_width = 12, .key_heads = 2};
  for (const char* prefix : {"", "model."}) {
    const auto model =
        load_encoder("{" + std::string(kDecoderSizes) +
                         R"(,"model_type":"qwen3","num_hidden_layers":2,"rope_theta":1000000,"rope_scaling":null,
                                "hidden_act":"silu","use_sliding_window":false})",
                     tensors.all(), prefix);
    ASSERT_TRUE(model);
    for (const size_t length : {1, 8, 110}) {
      const auto ids = some_ids(length);
      expect_equal(*model, ids, qwen3_reference(tensors.all(), sizes, ids, 1e6));
    }
  }
}

TEST_P(EncoderFamilies, Qwen3ThatSeesBothSides) {
  const RandomTensors tensors = decoder_tensors(2, 1);
  const ReferenceSizes sizes = {
      .hidden = 16, .layers = 2, .heads = 4, .intermediate = kWide, .epsilon = 1e-5, .head_width = 12, .key_heads = 2};
  const auto model = load_encoder("{" + std::string(kDecoderSizes) +
                                      R"(,"model_type":"qwen3","num_hidden_layers":2,"rope_theta":1000000,
                              "use_bidirectional_attention":true,"is_causal":false})",
                                  tensors.all());
  ASSERT_TRUE(model);
  const auto ids = some_ids(110);
  expect_equal(*model, ids, qwen3_reference(tensors.all(), sizes, ids, 1e6, false));
}

// With layers of both kinds, longer than the window and than a block of rows.
TEST_P(EncoderFamilies, EmbeddingGemma) {
  RandomTensors tensors = decoder_tensors(4, 0);
  for (size_t layer = 0; layer < 4; ++layer) {
    const std::string at = "layers." + std::to_string(layer) + ".";
    for (const char* norm : {"pre_feedforward_layernorm", "post_feedforward_layernorm"})
      tensors.scale(at + norm, 16, 0);
  }
  const ReferenceSizes sizes = {
      .hidden = 16, .layers = 4, .heads = 4, .intermediate = kWide, .epsilon = 1e-5, .head_width = 12, .key_heads = 2};
  const std::string common = "{" + std::string(kDecoderSizes) +
                             R"(,"model_type":"gemma3_text","num_hidden_layers":4,"use_bidirectional_attention":true,
                             "hidden_activation":"gelu_pytorch_tanh","sliding_window":20,"query_pre_attn_scalar":10)";
  for (const char* layers :
       {R"("sliding_window_pattern":2,"rope_theta":1000000,"rope_local_base_freq":10000.0})",
        R"("layer_types":["sliding_attention","full_attention","sliding_attention","full_attention"],
           "rope_parameters":{"full_attention":{"rope_theta":1000000,"rope_type":"default"},
                              "sliding_attention":{"rope_theta":10000,"rope_type":"default"}}})"}) {
    const auto model = load_encoder(common + "," + layers, tensors.all());
    ASSERT_TRUE(model);
    for (const size_t length : {7, 230}) {
      const auto ids = some_ids(length);
      expect_equal(*model, ids, embedding_gemma_reference(tensors.all(), sizes, ids, 20, 2, 10));
    }
  }
}

}  // namespace
}  // namespace quintet::test
