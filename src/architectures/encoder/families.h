#pragma once
// The supported families of encoders, and the facts that a file of each implies without stating them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/encoder/config.h"
#include "base/flag_list.h"
#include "formats/known_fields.h"

namespace quintet::encoder {

// Names of the tensors in a Hugging Face folder (tensor_names.h).
enum class Naming : uint8_t {
  bert,
  roberta,
  electra,
  mpnet,
  distilbert,
  nomic,
  nomic_moe,
  jina_v3,
  modernbert,
  jina,
  gte,
  decoder,
  gemma,
  gemma2,
  lfm2,
  deberta
};

struct Family {
  std::string_view title;       // what people call it
  std::string_view model_type;  // Hugging Face's
  std::string_view gguf = {};   // general.architecture and the prefix of the keys; empty: none
  // For a family that config.json calls by the name of another one: that name, and its position_embedding_type, or a
  // field that only this one has.
  std::string_view declared_as = {}, position_type = {}, declared_by = {};
  Naming naming = Naming::bert;
  std::string_view prefix = {};                      // before the names of tensors in models with a head
  std::string_view layers = "encoder.layer.";        // before the number of a layer
  std::span<const transformer::TraitKey> keys = {};  // of config.json, where they are not BERT's

  TransformerTraits traits = {};
  bool has_head_sizes = false;      // fewer heads of keys and values, and the width of a head, as decoders have them
  bool has_norm_offset = false;     // Hugging Face stores w for norms that multiply by 1 + w; GGUF stores 1 + w
  bool has_permuted_qk = false;     // llama.cpp's converter has interleaved the rotated rows of each head
  bool has_biases = true;           // in all linear layers and norms; else each may have one
  bool has_padding_offset = false;  // the position of the first token is the id of the padding token + 1

  bool has_scaled_embeddings = false;    // by sqrt(n_embd)
  uint64_t full_attention_interval = 0;  // one of each group of layers has no window: the last or the first; 0: none
  bool has_full_attention_first = false;
  bool has_window_radius = false;  // window_key is for either side
  bool has_layer_kinds = false;    // layers with a window have other heads: per_layer_config

  ClassificationHead head = {};
  Pooling gguf_head_pooling = Pooling::cls;  // llama.cpp has no other for the family

  std::string_view window_key = {};  // in config.json; empty: no windows
  std::string_view interval_key = {};
  // Defaults of transformers' configuration class, for fields that config.json leaves out.
  uint64_t head_dim = 0;             // 0: n_embd / n_heads
  double query_pre_attn_scalar = 0;  // q . k is divided by its square root; 0: by that of head_dim

  std::span<const FixedField> fixed = {};  // the only values of config.json that are supported
  // Fields of config.json that nothing is computed from, in the form that is_listed() expects.
  std::string_view without_influence = {};
};

// Null if there is none.
const Family* family_of_config(const Json& config);
const Family* family_of_gguf(std::string_view architecture);
// The family of a configuration, whose `model_type` must be in the table.
const Family& family_of(const EncoderConfig& config);

// A configuration with the traits of the family, without sizes.
EncoderConfig config_of(const Family& family);
EncoderConfig bert_config();

// The keys of a dialect in files of the family.
transformer::TraitKeys keys_of(const Family& family, Format format);

// "bert, roberta, ...", for messages.
std::string supported_model_types();
std::string supported_gguf_architectures();

std::span<const Family> families();

}  // namespace quintet::encoder
