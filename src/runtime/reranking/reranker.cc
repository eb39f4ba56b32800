#include "runtime/reranking/reranker.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "runtime/embedding/classify.h"
#include "runtime/embedding/pooling.h"
#include "runtime/tokenize/text_frame.h"

namespace quintet {
namespace {

constexpr EncodeOptions kPart = {.add_bos = false, .parse_special = true};  // of a pair

// Before the query only, as sentence-transformers does it (base/modality.py, prepend_prompt_to_texts).
std::string_view default_prompt(const SentenceConfig& sentence) {
  const Json* prompt = sentence.default_prompt ? sentence.prompts.find(*sentence.default_prompt) : nullptr;
  return prompt ? std::string_view(*prompt->as_string()) : std::string_view();
}

}  // namespace

Reranker::Reranker(std::unique_ptr<const Model> model)
    : model_(std::move(model)), queue_(model_->config, model_->weights), prompt_(prompt_of(model_->description)) {}

size_t Reranker::max_length() const {
  const uint64_t max = model_->sentence.max_tokens.value_or(max_positions());
  return static_cast<size_t>(std::min<uint64_t>(max, max_positions()));
}

Status Reranker::set_query(std::string_view utf8) {
  query_text_.assign(default_prompt(model_->sentence)).append(utf8);
  if (prompt_) return {};
  QUINTET_TRY(query_, model_->codec.encode(query_text_, kPart));
  return {};
}

Result<size_t> Reranker::queue_text(std::string_view utf8, size_t max_length) {
  if (max_length == 0 || max_length > max_positions()) {
    return input_error(Reason::out_of_range, "maxLength {}; the model supports 1 to {} tokens", max_length,
                       max_positions());
  }
  if (prompt_) return queue_prompt(utf8, max_length);
  QUINTET_TRY(const std::vector<uint32_t> text, model_->codec.encode(utf8, kPart));
  QUINTET_TRY(const TextPair pair, frame_pair(model_->frame, query_, text, max_length));
  QUINTET_CHECK(queue_ids(pair.ids, pair.types));
  QUINTET_TRY(const TextPair frame, frame_pair(model_->frame, {}, {}, 0));
  return query_.size() + text.size() + frame.ids.size();
}

// The text is the last thing of the prompt that may be cut.
Result<size_t> Reranker::queue_prompt(std::string_view utf8, size_t max_length) {
  QUINTET_TRY(const std::vector<uint32_t> ahead, model_->codec.encode(prompt_->ahead, kPart));
  QUINTET_TRY(const std::vector<uint32_t> behind, model_->codec.encode(prompt_->behind, kPart));
  QUINTET_TRY(const std::vector<uint32_t> content,
              model_->codec.encode(prompt_->content(query_text_, utf8), {.add_bos = false, .parse_special = false}));
  const size_t around = ahead.size() + behind.size();
  if (max_length <= around) {
    return input_error(Reason::out_of_range, "maxLength {}; a pair of texts gets {} tokens", max_length, around);
  }
  std::vector<uint32_t> ids = ahead;
  const auto kept = std::span(content).first(std::min(content.size(), max_length - around));
  ids.insert(ids.end(), kept.begin(), kept.end());
  ids.insert(ids.end(), behind.begin(), behind.end());
  QUINTET_CHECK(queue_ids(ids, {}));
  return around + content.size();
}

Status Reranker::queue_ids(std::span<const uint32_t> ids, std::span<const uint8_t> types) {
  QUINTET_CHECK(queue_.check(ids, types));
  queue_.add(ids, types);
  return {};
}

Status Reranker::begin() {
  logits_.assign(queue_.sequences(), 0);
  return queue_.begin();
}

Result<bool> Reranker::step() {
  return queue_.step([this](size_t pair) {
    logits_[pair] = logit_of(pair);
    return true;
  });
}

float Reranker::logit_of(size_t pair) {
  const EncoderConfig& config = model_->config;
  pooled_.resize(config.hidden_size());
  pool(config.head->pooling, queue_.hidden(pair), queue_.length(pair), 0, pooled_);
  apply_head(*model_, pooled_, 1);
  return config.head->labels == 2 ? 1 / (1 + std::exp(pooled_[1] - pooled_[0])) : pooled_.front();
}

std::vector<float> Reranker::take_logits() {
  std::vector<float> logits = std::move(logits_);
  cancel();
  return logits;
}

std::vector<float> Reranker::take_scores() {
  std::vector<float> scores = take_logits();
  if (!model_->config.head->has_sigmoid) return scores;
  for (float& score : scores) score = 1 / (1 + std::exp(-score));
  return scores;
}

void Reranker::cancel() {
  queue_.clear();
  logits_.clear();
}

}  // namespace quintet
