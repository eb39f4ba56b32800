#include "runtime/embedding/embedder_loader.h"

#include <string>

namespace quintet {
namespace {

Result<WordPieceSpecials> specials_of(const SpecialIds& ids, uint64_t file_end) {
  if (!ids.pad || !ids.unk || !ids.cls || !ids.sep || !ids.mask) {
    return format_error(Reason::missing, file_end, "the vocabulary must have [PAD], [UNK], [CLS], [SEP] and [MASK]");
  }
  return WordPieceSpecials{.pad = *ids.pad, .unk = *ids.unk, .cls = *ids.cls, .sep = *ids.sep, .mask = *ids.mask};
}

}  // namespace

EmbedderLoader::EmbedderLoader(size_t attention_heads) : attention_heads_(attention_heads), tensors_(weights_, false) {}

Status EmbedderLoader::begin(const ModelDescription& description) {
  // If the tensors are known beforehand, a model that lacks one is rejected before its data is read.
  if (!description.tensors.empty()) {
    QUINTET_TRY(config_, read_embd_encoder(description, attention_heads_));
  }
  const EncoderConfig config = config_.value_or(EncoderConfig());
  tensors_.begin(encoder::TensorNames(description, config), config);
  tensors_.announce(description.tensors);
  return {};
}

Result<std::unique_ptr<TensorSink>> EmbedderLoader::tensor(const TensorInfo& info, bool certain) {
  return tensors_.tensor(info, certain);
}

Status EmbedderLoader::end(ModelDescription description) {
  QUINTET_CHECK(tensors_.finish());
  if (!config_) {
    QUINTET_TRY(config_, read_embd_encoder(description, attention_heads_));
  }
  const uint64_t end = description.file_size.value_or(0);
  if (description.tokenizer.tokens.size() != config_->vocab_size) {
    return format_error(Reason::mismatch, end,
                        std::to_string(description.tokenizer.tokens.size()) + " tokens in the vocabulary, but " +
                            std::to_string(config_->vocab_size) + " rows of word embeddings");
  }
  QUINTET_TRY(const WordPieceSpecials specials, specials_of(description.tokenizer.special, end));
  QUINTET_TRY(WordPiece tokenizer, WordPiece::create(std::move(description.tokenizer.tokens), specials));
  model_ = std::make_unique<TextEmbedder::Model>(TextEmbedder::Model{.description = std::move(description),
                                                                     .config = *config_,
                                                                     .weights = std::move(weights_),
                                                                     .tokenizer = std::move(tokenizer)});
  return {};
}

std::unique_ptr<TextEmbedder> EmbedderLoader::take() { return std::make_unique<TextEmbedder>(std::move(model_)); }

}  // namespace quintet
