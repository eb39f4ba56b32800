#include "runtime/embedder_loader.h"

#include <algorithm>
#include <string>

namespace quintet {
namespace {

// Readers have checked that the required keys are there and are numbers.
Result<size_t> metadata_number(const ModelDescription& description, std::string_view key) {
  const Json* value = description.metadata.find(key);
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  constexpr uint64_t kMost = INT32_MAX;
  uint64_t number = 0;
  for (const char digit : text == nullptr ? std::string_view() : *text) {
    const bool is_digit = digit >= '0' && digit <= '9';
    number = is_digit ? std::min(kMost + 1, number * 10 + static_cast<uint64_t>(digit - '0')) : kMost + 1;
  }
  if (number == 0 || number > kMost) {
    return fail({.code = Code::format,
                 .reason = Reason::malformed,
                 .detail = "metadata key " + std::string(key) + " is not a positive number"});
  }
  return static_cast<size_t>(number);
}

Result<bert::Config> config_of_metadata(const ModelDescription& description) {
  bert::Config config;
  QUINTET_TRY(config.vocab_size, metadata_number(description, "vocab_size"));
  QUINTET_TRY(config.hidden, metadata_number(description, "hidden_size"));
  QUINTET_TRY(config.layers, metadata_number(description, "num_layers"));
  QUINTET_TRY(config.heads, metadata_number(description, "num_attention_heads"));
  QUINTET_TRY(config.intermediate, metadata_number(description, "intermediate_size"));
  QUINTET_TRY(config.max_positions, metadata_number(description, "max_position_emb"));
  return config;
}

// A complaint about the whole model is placed at the tensor that it names or, where the file lacks that, at the file's end.
Error placed(Error error, const ModelDescription& description) {
  if (error.code != Code::format || error.offset) return error;
  const TensorInfo* info = description.find_tensor(error.tensor);
  error.offset = info != nullptr ? info->offset : description.file_size.value_or(0);
  return error;
}

Result<WordPieceSpecials> specials_of(const SpecialIds& ids) {
  if (!ids.pad || !ids.unk || !ids.cls || !ids.sep || !ids.mask) {
    return fail({.code = Code::format,
                 .reason = Reason::missing,
                 .detail = "the vocabulary lacks one of [PAD] [UNK] [CLS] [SEP] [MASK]"});
  }
  return WordPieceSpecials{.pad = *ids.pad, .unk = *ids.unk, .cls = *ids.cls, .sep = *ids.sep, .mask = *ids.mask};
}

}  // namespace

EmbedderLoader::EmbedderLoader(size_t attention_heads)
    : attention_heads_(attention_heads), tensors_(weights_) {}

Status EmbedderLoader::begin(const ModelDescription& description) {
  if (description.format != Format::weights) {
    return unsupported_error("a sentence embedder is loaded from a .weights file, this is " +
                             std::string(name_of(description.format)));
  }
  tensors_.announce(description.tensors);
  return {};
}

Result<std::unique_ptr<TensorSink>> EmbedderLoader::tensor(const TensorInfo& info, bool certain) {
  return tensors_.tensor(info, certain);
}

Status EmbedderLoader::end(ModelDescription description) {
  const Status built = build(description);
  return built ? built : fail(placed(built.error(), description));
}

Status EmbedderLoader::build(ModelDescription& description) {
  QUINTET_CHECK(tensors_.finish());
  bert::Config config;
  if (description.metadata.find("hidden_size") != nullptr) {
    QUINTET_TRY(config, config_of_metadata(description));
    if (attention_heads_ != 0 && attention_heads_ != config.heads) {
      return input_error(Reason::mismatch, "attentionHeads " + std::to_string(attention_heads_) +
                                               "; the file says " + std::to_string(config.heads));
    }
  } else {
    config = bert::config_of_shapes(weights_, attention_heads_);
  }
  QUINTET_CHECK(bert::check(config, weights_));
  if (description.tokenizer.tokens.size() != config.vocab_size) {
    return fail({.code = Code::format,
                 .reason = Reason::mismatch,
                 .detail = std::to_string(description.tokenizer.tokens.size()) +
                           " tokens in the vocabulary, " + std::to_string(config.vocab_size) +
                           " rows of word embeddings"});
  }
  QUINTET_TRY(const WordPieceSpecials specials, specials_of(description.tokenizer.special));
  QUINTET_TRY(WordPiece tokenizer, WordPiece::create(std::move(description.tokenizer.tokens), specials));
  model_ = std::make_unique<TextEmbedder::Model>(TextEmbedder::Model{.description = std::move(description),
                                                                     .config = config,
                                                                     .weights = std::move(weights_),
                                                                     .tokenizer = std::move(tokenizer)});
  return {};
}

std::unique_ptr<TextEmbedder> EmbedderLoader::take() {
  return std::make_unique<TextEmbedder>(std::move(model_));
}

}  // namespace quintet
