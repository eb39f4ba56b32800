#pragma once
// The configuration of a decoder in typed form, from any kind of file: that of a transformer, and how it rotates.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "architectures/transformer/config.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// longrope (Ding et al. 2024, arXiv:2402.13753): the frequency of each pair is divided by its own factor. There is
// one list for contexts up to the original length and one for longer ones.
struct LongRope {
  std::vector<double> short_factors, long_factors;  // [rope_dim / 2]; empty: in tensors
  uint64_t original_max_seq_len = 0;
  double attention_factor = 1;  // of cosines and sines
  bool is_long = false;         // which list is in use: the length of the context decides when a model is loaded

  bool operator==(const LongRope&) const = default;
};

// The activation xIELU of a layer (Huang and Schlag 2024, arXiv:2411.13010): quadratic above zero, and below it the
// integral of an ELU. The weights of both parts are softplus(alpha); beta is added to the second.
struct Xielu {
  double positive = 0, negative = 0;  // alpha
  double beta = 0.5, eps = -1e-6;

  bool operator==(const Xielu&) const = default;
};

struct DecoderConfig : TransformerConfig {
  std::string architecture = {};  // Hugging Face's model_type
  std::optional<LongRope> long_rope = {};
  std::vector<Xielu> xielu = {};  // of each layer; empty: in tensors

  // The layer whose keys and values a layer reads; nullopt if there is none of its kind.
  std::optional<size_t> kv_source_of(size_t layer) const;

  bool operator==(const DecoderConfig&) const = default;
};

// One parser per dialect. Missing fields, wrong types and impossible values are errors without an offset; features that
// are not implemented are UNSUPPORTED.
Result<DecoderConfig> read_amb_config(const Json& config);                       // docs/formats/amb.md
Result<DecoderConfig> read_alt_parameters(const ModelDescription& description);  // docs/formats/alt.md
Result<DecoderConfig> read_huggingface_config(const Json& config);               // config.json
Result<DecoderConfig> read_gguf_config(const ModelDescription& description);     // docs/formats/gguf.md
// The parameters of an ALT file do not contain `n_vocab`: it comes from the embedding or, before that is known, from
// the tokenizer.
Status infer_alt_vocabulary(DecoderConfig& config, const ModelDescription& description);
// Chooses one of these by the format of the description, which is safetensors for Hugging Face folders.
Result<DecoderConfig> read_decoder_config(const ModelDescription& description);

// Writers of AMB configs and ALT parameters (without `seq_len`). Default values are written too. ALT requires n_ff and
// tie_embeddings, which check_decoder_tensors() fills in; what ALT cannot express is UNSUPPORTED.
Json amb_config(const DecoderConfig& config);
Result<Json> alt_parameters(const DecoderConfig& config);

}  // namespace quintet
