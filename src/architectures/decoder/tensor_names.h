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
#include "architectures/transformer/tensor_schema.h"
#include "formats/model_description.h"

namespace quintet::decoder {

using transformer::Dim;
using transformer::kExpertTensors;
using transformer::kTensorKinds;
using transformer::TensorKind;
using transformer::TensorRef;
using transformer::TensorSpec;

uint64_t size_of(Dim dim, const DecoderConfig& config, uint64_t layer);

// The traits that determine a size, for messages; null after the last.
using SizeKey = uint64_t DecoderTraits::*;
std::span<const SizeKey> keys_of(Dim dim);

std::vector<uint64_t> shape_of(const TensorRef& ref, const DecoderConfig& config);

// How the rows of a tensor are ordered in its file, where that is not as here.
struct TensorOrder {
  // The first heads, whose rotated rows are interleaved (restore_order()), and the sizes of each.
  uint64_t interleaved_heads = 0, head_rows = 0, rotated_rows = 0;
  // Queries, keys and values as one matrix: each head of keys follows the queries that attend to it, and its values
  // come after it. 0: all queries, all keys, all values.
  uint64_t groups = 0;
  bool is_transposed = false;  // columns in place of rows

  bool is_ours() const { return interleaved_heads == 0 && groups == 0 && !is_transposed; }
};

// The tensor names of a file.
class TensorNames {
 public:
  // From the format and the architecture.
  explicit TensorNames(const ModelDescription& description);

  // Nothing for tensors that the decoder does not use.
  std::optional<TensorRef> ref_of(std::string_view name) const;
  // Hugging Face's name of the tensor, under which it is shown and converted. Unknown names stay.
  std::string huggingface_name(std::string_view name) const;
  // The name of a tensor. One expert of a tensor of all has the name that it has as a tensor of its own.
  std::string huggingface_name(const TensorRef& ref) const;
  // The file's name for a tensor, for messages about missing tensors.
  std::string name_of(const TensorRef& ref) const;

  const Family* family() const { return family_; }
  Format format() const { return format_; }
  TensorOrder order_of(const TensorRef& ref, const DecoderConfig& config) const;

 private:
  // Whether the family, as far as it is known, may call a tensor so.
  bool may_be(const TensorSpec& spec) const;
  // Under the name of tensor_names.h, for a tensor of a folder.
  std::string name_of_folder(std::string_view name) const;

  Format format_;
  bool is_gguf_ = false;
  const Family* family_ = nullptr;  // null: unknown; then no tensor of a GGUF file is known
};

// FORMAT for a tensor of an expert beyond the last.
Failure unknown_expert(const TensorInfo& info, uint64_t experts);

// Whether a decoder of any family has a matrix with this name of Hugging Face's.
bool is_huggingface_matrix(std::string_view name);

std::span<const TensorSpec> tensor_specs();
// The first row of a kind in a naming; null if it has none.
const TensorSpec* spec_of(TensorKind kind, Naming naming);

// The order of rows in the query and key matrices of GGUF files: rotary embedding turns pairs of values. Hugging Face
// pairs the halves of a head, value i with value i + d/2, and so do AMB and ALT. ggml pairs neighbours in some families
// (Family::has_permuted_qk); for these llama.cpp's converter has interleaved the rows of the halves: row 2i + h of a
// head is row i + h * d/2 of Hugging Face's. Where a part of each head is rotated, d is the size of that part.
//
// Puts the rotated rows of heads back into Hugging Face's order. Requires rows.size() to be a multiple of
// heads * row_bytes. A bias has rows of one value.
void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads, size_t rotated_rows);

// FORMAT if the tensor does not have the rows of its order, UNSUPPORTED if they cannot be told apart in its bytes.
Status check_order(const TensorInfo& info, const TensorOrder& order);
// Puts all bytes of a tensor, which check_order() has accepted, into the order in which they are used.
void restore_order(std::vector<std::byte>& payload, const TensorInfo& info, const TensorOrder& order);

}  // namespace quintet::decoder
