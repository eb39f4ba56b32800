#include "formats/embd/encoder_sizes.h"

#include <algorithm>
#include <optional>
#include <string>

#include "formats/embd/layout.h"
#include "formats/embd/metadata_section.h"
#include "formats/embd/tensor_index.h"

namespace quintet::embd {
namespace {

std::optional<uint32_t> positive_number(std::string_view text) {
  uint64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<uint64_t>(c - '0');
    if (number > UINT32_MAX) return std::nullopt;
  }
  if (number == 0) return std::nullopt;  // also for an empty string
  return static_cast<uint32_t>(number);
}

Status read_number(const Metadata& metadata, std::string_view key, uint32_t& out) {
  const MetadataEntry& entry = *find(metadata, key);
  const auto number = positive_number(entry.value);
  if (!number) {
    return format_error(Reason::malformed, entry.value_offset, "{} is \"{}\", not a positive number", key,
                        entry.value.substr(0, 32));
  }
  out = *number;
  return {};
}

// The evidence for the agreement checks.
struct Evidence {
  const EncoderSizes& sizes;
  const Metadata& metadata;
  const Header& header;
  const StringTable& tokens;
  const std::vector<TensorInfo>& tensors;

  Failure blame_metadata(std::string_view key, std::string detail) const {
    return format_error(Reason::mismatch, find(metadata, key)->value_offset, "{}", detail);
  }
  Failure blame_tensor(size_t tensor, size_t field, std::string detail) const {
    return entry_error(Code::format, Reason::mismatch, descriptor_offset(header, tensor) + field, tensors[tensor].name,
                       "{}", detail);
  }
};

std::string disagreement(std::string_view key, uint64_t told, std::string_view where, uint64_t found) {
  return formatted("{} is {}, {} {}", key, told, where, found);
}

// The index of a tensor that is a matrix; nothing if it is missing.
Result<std::optional<size_t>> find_matrix(const Evidence& evidence, std::string_view name) {
  const auto found = std::ranges::find(evidence.tensors, name, &TensorInfo::name);
  if (found == evidence.tensors.end()) return std::nullopt;
  const auto tensor = static_cast<size_t>(found - evidence.tensors.begin());
  if (found->shape.size() != 2) {
    return evidence.blame_tensor(tensor, descriptor_at::kDimensions,
                                 formatted("{} dimensions, but expected a matrix", found->shape.size()));
  }
  return tensor;
}

Status check_word_embeddings(const Evidence& evidence) {
  const EncoderSizes& sizes = evidence.sizes;
  const bool counted = evidence.header.has(kVocabEmbedded);
  const uint64_t tokens = evidence.tokens.size();
  QUINTET_TRY(const auto tensor, find_matrix(evidence, kWordEmbeddings));
  if (tensor) {
    const uint64_t rows = evidence.tensors[*tensor].shape[0];
    const uint64_t cols = evidence.tensors[*tensor].shape[1];
    // The majority of two against one shows which number is wrong.
    if (rows != sizes.vocab_size) {
      std::string detail = disagreement("vocab_size", sizes.vocab_size, "the rows of the word embeddings", rows);
      if (counted && tokens == sizes.vocab_size) {
        return evidence.blame_tensor(*tensor, descriptor_at::kShape, std::move(detail));
      }
      return evidence.blame_metadata("vocab_size", std::move(detail));
    }
    if (cols != sizes.hidden_size) {
      std::string detail = disagreement("hidden_size", sizes.hidden_size, "the columns of the word embeddings", cols);
      if (sizes.embedding_dim == sizes.hidden_size) {
        return evidence.blame_tensor(*tensor, descriptor_at::kShape + sizeof(uint32_t), std::move(detail));
      }
      return evidence.blame_metadata("hidden_size", std::move(detail));
    }
  }
  if (counted && tokens != sizes.vocab_size) {
    return format_error(Reason::mismatch, evidence.header.vocab_offset, "{}",
                        disagreement("vocab_size", sizes.vocab_size, "the number of tokens", tokens));
  }
  if (sizes.embedding_dim != sizes.hidden_size) {
    return evidence.blame_metadata(
        "embedding_dim", disagreement("embedding_dim", sizes.embedding_dim, "hidden_size", sizes.hidden_size));
  }
  return {};
}

Status check_rows(const Evidence& evidence, std::string_view name, std::string_view key, uint32_t told) {
  QUINTET_TRY(const auto tensor, find_matrix(evidence, name));
  if (!tensor || evidence.tensors[*tensor].shape[0] == told) return {};
  return evidence.blame_metadata(
      key, disagreement(key, told, formatted("the rows of {}", name), evidence.tensors[*tensor].shape[0]));
}

Status check_layers(const Evidence& evidence) {
  uint64_t layers = 0;
  for (const TensorInfo& info : evidence.tensors) {
    if (const auto layer = layer_of(info.name)) layers = std::max<uint64_t>(layers, uint64_t{*layer} + 1);
  }
  const uint32_t told = evidence.sizes.num_layers;
  if (layers == told) return {};
  return evidence.blame_metadata("num_layers", disagreement("num_layers", told, "the layers in the file", layers));
}

}  // namespace

std::optional<uint32_t> layer_of(std::string_view name) {
  if (!name.starts_with(kLayerPrefix)) return std::nullopt;
  name.remove_prefix(kLayerPrefix.size());
  constexpr size_t kMaxDigits = 6;
  const size_t dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos || dot > kMaxDigits) return std::nullopt;
  // "07" would be a second name for layer 7.
  if (name[0] == '0' && dot > 1) return std::nullopt;
  uint32_t layer = 0;
  for (const char digit : name.substr(0, dot)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    layer = layer * 10 + static_cast<uint32_t>(digit - '0');
  }
  return layer;
}

Result<EncoderSizes> read_encoder_sizes(const Metadata& metadata, uint64_t metadata_offset) {
  for (const std::string_view key : kRequiredKeys) {
    if (find(metadata, key)) continue;
    return format_error(Reason::missing, metadata_offset, "metadata key {} is missing", key);
  }
  EncoderSizes sizes;
  QUINTET_CHECK(read_number(metadata, "embedding_dim", sizes.embedding_dim));
  QUINTET_CHECK(read_number(metadata, "vocab_size", sizes.vocab_size));
  QUINTET_CHECK(read_number(metadata, "num_layers", sizes.num_layers));
  QUINTET_CHECK(read_number(metadata, "num_attention_heads", sizes.num_attention_heads));
  QUINTET_CHECK(read_number(metadata, "hidden_size", sizes.hidden_size));
  QUINTET_CHECK(read_number(metadata, "intermediate_size", sizes.intermediate_size));
  QUINTET_CHECK(read_number(metadata, "max_position_emb", sizes.max_position_emb));
  if (sizes.hidden_size % sizes.num_attention_heads != 0) {
    return format_error(Reason::mismatch, find(metadata, "num_attention_heads")->value_offset,
                        "{} attention heads do not divide {}", sizes.num_attention_heads, sizes.hidden_size);
  }
  return sizes;
}

Status check_encoder_sizes(const EncoderSizes& sizes, const Metadata& metadata, const Header& header,
                           const StringTable& tokens, const std::vector<TensorInfo>& tensors) {
  const Evidence evidence{.sizes = sizes, .metadata = metadata, .header = header, .tokens = tokens, .tensors = tensors};
  QUINTET_CHECK(check_word_embeddings(evidence));
  QUINTET_CHECK(check_rows(evidence, kPositionEmbeddings, "max_position_emb", sizes.max_position_emb));
  QUINTET_CHECK(check_rows(evidence, kFirstIntermediate, "intermediate_size", sizes.intermediate_size));
  return check_layers(evidence);
}

}  // namespace quintet::embd
