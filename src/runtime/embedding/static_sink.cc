#include "runtime/embedding/static_sink.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "architectures/encoder/static_embedding.h"
#include "base/utf8.h"
#include "runtime/embedding/dense.h"

namespace quintet {
namespace {

// The limit of model2vec's encode().
constexpr uint64_t kModel2VecTokens = 512;

// In characters. For an even number of tokens, the mean of the middle two, rounded down.
size_t median_length(const StringTable& tokens) {
  if (tokens.size() == 0) return 0;
  std::vector<size_t> counts;  // of the tokens of each length
  for (size_t i = 0; i < tokens.size(); ++i) {
    const size_t length = count_characters(tokens[i]);
    if (length >= counts.size()) counts.resize(length + 1);
    ++counts[length];
  }
  const auto length_at = [&](size_t place) {
    size_t length = 0;
    for (size_t end = counts[0]; end <= place; end += counts[length]) ++length;
    return length;
  };
  return (length_at((tokens.size() - 1) / 2) + length_at(tokens.size() / 2)) / 2;
}

}  // namespace

void StaticSink::describe(ModelDescription description, SentenceConfig sentence, bool is_model2vec) {
  description_ = std::move(description);
  sentence_ = std::move(sentence);
  is_model2vec_ = is_model2vec;
}

Status StaticSink::begin(const ModelDescription& description) {
  QUINTET_TRY(config_, encoder::read_static_config(description.tensors, description_.tokenizer.size()));
  description_.tensors = description.tensors;
  return check_dense_widths(sentence_.dense, config_.hidden_size(), "/config.json: in_features is ");
}

Result<std::unique_ptr<ByteSink>> StaticSink::tensor(const TensorArrival& tensor) { return loader_.tensor(tensor); }

Result<std::unique_ptr<TextEmbedder::Model>> StaticSink::finish() {
  QUINTET_CHECK(loader_.finish());
  auto model = std::make_unique<TextEmbedder::Model>();
  if (is_model2vec_) {
    sentence_.max_tokens = kModel2VecTokens;
    model->dropped_token = description_.tokenizer.special.unk;
    model->token_characters = median_length(description_.tokenizer.tokens);
  }
  QUINTET_TRY(model->codec, TextCodec::create(description_));
  model->frame.single = {{.kind = FramePart::Kind::first}};  // no special tokens
  model->description = std::move(description_);
  model->config = config_;
  model->sentence = std::move(sentence_);
  model->weights = std::move(weights_);
  return model;
}

}  // namespace quintet
