#pragma once
// The tensors of an encoder: the table of their names in every dialect (tensor_specs.cc), and their shapes.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/encoder/families.h"
#include "architectures/transformer/tensor_order.h"
#include "architectures/transformer/tensor_schema.h"
#include "formats/model_description.h"

namespace quintet::encoder {

using transformer::Dim;
using transformer::kTensorKinds;
using transformer::TensorKind;
using transformer::TensorOrder;
using transformer::TensorRef;
using transformer::TensorSpec;

// With 0 for any size.
std::vector<uint64_t> shape_of(const TensorRef& ref, const EncoderConfig& config);

// The key of a dialect that determines a size, for messages; empty if there is none.
std::string_view key_of(Dim dim, const transformer::TraitKeys& keys);

// More layers than any encoder has, so that a wrong name does not cost memory.
inline constexpr uint32_t kMaxLayers = 512;

// A weight with an adapter has it in place of ".weight".
inline constexpr std::string_view kParametrizedSuffix = ".parametrizations.weight.original";

// The tensor names of a file.
class TensorNames {
 public:
  // The names of a family in a format; safetensors stands for Hugging Face. `has_mlm_head`: only this head counts.
  TensorNames(const Family& family, Format format, bool has_mlm_head = false);
  TensorNames(const ModelDescription& description, const EncoderConfig& config)
      : TensorNames(family_of(config), description.format, config.has_mlm_head) {}

  // Nothing for tensors that the encoder does not use.
  std::optional<TensorRef> ref_of(std::string_view name) const;
  // Uses the shape too: in GGUF, `ffn_up` with twice the rows contains the gate as well.
  std::optional<TensorRef> ref_of(const TensorInfo& info, const EncoderConfig& config) const;
  // The file's name for a tensor, for messages about missing tensors, and its name in .weights files.
  std::string name_of(const TensorSpec& spec, uint32_t layer, bool is_bias) const;

  // The row of a kind; null if the family has no such tensor.
  const TensorSpec* spec_of(TensorKind kind) const;
  TensorOrder order_of(const TensorRef& ref, const EncoderConfig& config) const;
  const Family& family() const { return family_; }
  bool is_gguf() const { return is_gguf_; }
  // The keys of the configuration, for messages.
  transformer::TraitKeys keys() const { return keys_of(family_, format_); }

 private:
  bool has(const TensorSpec& spec) const;
  bool is_bare(const TensorSpec& spec) const;
  std::string_view name_in(const TensorSpec& spec) const { return is_gguf_ ? spec.gguf : spec.huggingface; }
  std::string_view layers_prefix() const;

  const Family& family_;
  Format format_;
  bool is_gguf_;
  bool has_mlm_head_;
};

std::span<const TensorSpec> tensor_specs();

}  // namespace quintet::encoder
