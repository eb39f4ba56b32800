#pragma once
// The tensors of a decoder: the table of their names in every dialect (tensor_specs.cc), and their shapes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/families.h"
#include "architectures/transformer/tensor_order.h"
#include "architectures/transformer/tensor_schema.h"
#include "formats/model_description.h"

namespace quintet::decoder {

using transformer::Dim;
using transformer::kExpertTensors;
using transformer::kTensorKinds;
using transformer::TensorKind;
using transformer::TensorOrder;
using transformer::TensorRef;
using transformer::TensorSpec;

uint64_t size_of(Dim dim, const DecoderConfig& config, uint64_t layer);

// The traits that determine a size, for messages; null after the last.
using SizeKey = uint64_t TransformerTraits::*;
std::span<const SizeKey> keys_of(Dim dim);

std::vector<uint64_t> shape_of(const TensorRef& ref, const DecoderConfig& config);

// The tensor names of a file.
class TensorNames {
 public:
  // From the format and the architecture.
  explicit TensorNames(const ModelDescription& description);

  // Nothing for tensors that the decoder does not use.
  std::optional<TensorRef> ref_of(std::string_view name) const;
  // Hugging Face's name of the tensor, under which it is shown and converted. Unknown names stay.
  std::string huggingface_name(std::string_view name) const;
  // The name of a tensor. One expert of a tensor of all has the name that it has as a separate tensor.
  std::string huggingface_name(const TensorRef& ref) const;
  // The file's name for a tensor, for messages about missing tensors.
  std::string name_of(const TensorRef& ref) const;

  const Family* family() const { return family_; }
  Format format() const { return format_; }
  TensorOrder order_of(const TensorRef& ref, const DecoderConfig& config) const;

 private:
  // Whether the family, as far as it is known, may use this name for a tensor.
  bool may_be(const TensorSpec& spec) const;
  // Under the name of tensor_specs.cc, for a tensor of a folder.
  std::string name_of_folder(std::string_view name) const;

  Format format_;
  bool is_gguf_ = false;
  const Family* family_ = nullptr;  // null: unknown; then no tensor of a GGUF file is known
};

// Whether a decoder of any family has a matrix with this name of Hugging Face's.
bool is_huggingface_matrix(std::string_view name);

std::span<const TensorSpec> tensor_specs();
// The first row of a kind in a naming; null if it has none.
const TensorSpec* spec_of(TensorKind kind, Naming naming);

}  // namespace quintet::decoder
