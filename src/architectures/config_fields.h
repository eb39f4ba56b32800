#pragma once
// Reads the values of a model's configuration by type, for any architecture.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/known_fields.h"
#include "tensor/activation.h"

namespace quintet {

// Fields of config.json that never affect a model's results, in any family: names, numbers of special tokens, dropout
// and other training settings, settings for generation that generation_config.json has today, implementations of the
// same computation, and biases, which follow from the tensors (transformers, configuration_utils.py and the
// configuration classes of its models).
inline constexpr std::string_view kWithoutInfluence =
    "_* architectures model_type auto_map transformers* unsloth* torch* dtype tokenizer* *_token *_token_id "
    "*_token_index *_bias use_bias *dropout* *pdrop *initializer* gradient_checkpointing use_cache *_implementation "
    "use_flash* fused_* unpad* use_memory_efficient_attention *2label *2id num_labels problem_type finetuning_task "
    "summary_* return_dict output_* pretraining_tp pad_vocab_size_multiple use_xentropy tie_* matryoshka_dimensions "
    "max_length max_seq* model_max_length seq_length do_sample num_beam* num_return_sequences temperature top_* "
    "typical_p *_penalty sentence_transformers sbert_*";

// Fields of GGUF of this kind, without the architecture as prefix, and fields that follow from the tensors, or that
// only one of several readers needs: the two epsilons, and how an embedder pools.
inline constexpr std::string_view kWithoutInfluenceInGguf =
    "vocab_size context_length block_count feed_forward_length attention.layer_norm_epsilon "
    "attention.layer_norm_rms_epsilon rope.dimension_count rope.scaling.finetuned "
    "rope.scaling.original_context_length pooling_type classifier.output_labels dense_* "
    "embedding_length_out tensor_data_layout";

// An absent field leaves the value unchanged.
class ConfigFields {
 public:
  enum class Nulls : uint8_t { refused, absent };

  // `where` is the prefix of every error message. The config must outlive this object.
  ConfigFields(const Json& config, std::string where, Nulls nulls)
      : config_(config), where_(std::move(where)), nulls_(nulls) {}

  // Null if the field is absent.
  const Json* find(std::string_view key) const;
  Status natural(std::string_view key, uint64_t min, uint64_t max, uint64_t& value) const;
  // Greater than 0 and at most `max`.
  Status positive(std::string_view key, double max, double& value) const;
  struct Positive {
    std::string_view key;
    double& value;
  };
  // All of these, up to kMaxReal.
  Status positive(std::initializer_list<Positive> fields) const;
  Status flag(std::string_view key, bool& value) const;
  Status text(std::string_view key, std::string& value) const;
  // A list of numbers, each greater than 0.
  Status positives(std::string_view key, std::vector<double>& values) const;
  // The elements of an array; null if the field is absent.
  Result<const std::vector<Json>*> list(std::string_view key) const;
  Status activation(std::string_view key, Activation& activation) const;

  // UNSUPPORTED for a field with another value than those of its row.
  Status check_fixed(std::span<const FixedField> fixed) const;
  // UNSUPPORTED if "layer_types" lists another type of layer than this, given as JSON.
  Status check_layers_alike(std::string_view type = R"("full_attention")") const;
  // Must be called last. UNSUPPORTED for a field that was not looked up, is not off, and is in none of the lists.
  Status check_all_known(std::initializer_list<std::string_view> lists) const;

  template <class... Values>
  QUINTET_INLINE Failure wrong(Reason reason, std::string_view key, Pattern<sizeof...(Values)> problem,
                               const Values&... values) const {
    return wrong_field(Code::format, reason, key, problem.text, std::initializer_list<FieldValue>{values...}.begin());
  }
  template <class... Values>
  QUINTET_INLINE Failure unsupported(std::string_view key, Pattern<sizeof...(Values)> problem,
                                     const Values&... values) const {
    return wrong_field(Code::unsupported, Reason::unknown_value, key, problem.text,
                       std::initializer_list<FieldValue>{values...}.begin());
  }

 private:
  Failure wrong_field(Code code, Reason reason, std::string_view key, const char* pattern,
                      const FieldValue* values) const;

  const Json& config_;
  std::string where_;
  Nulls nulls_;
  mutable std::vector<const Json*> found_;  // the values that were looked up
};

// The fields of the architecture in a GGUF file, without its name as prefix.
Json gguf_fields(const Json& metadata, std::string_view architecture);

// As AMB spells it: "silu", "gelu", "gelu_new", "relu", "relu2".
std::string_view name_of(Activation activation);

}  // namespace quintet
