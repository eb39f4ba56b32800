#include "runtime/embedding/text_embedder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "kernels/registry.h"
#include "runtime/embedding/pooling.h"

namespace quintet {

TextEmbedder::TextEmbedder(std::unique_ptr<const Model> model)
    : model_(std::move(model)), queue_(model_->config, model_->weights), frame_(frame_size(model_->frame)) {}

size_t TextEmbedder::dimension() const {
  if (model_->sentence.splade) return static_cast<size_t>(model_->config.n_vocab);
  return model_->dense.empty() ? model_->config.hidden_size() : model_->dense.back().linear.matrix.rows();
}

TextEmbedder::Output TextEmbedder::default_output() const {
  return {.pooling = model_->sentence.pooling.value_or(Pooling::mean),
          .normalize = model_->sentence.normalize.value_or(true)};
}

// Files of BERT without a length are used as sentence-transformers uses its first models.
size_t TextEmbedder::Model::max_length() const {
  constexpr uint64_t kUsual = 256;
  const size_t positions = config.max_tokens();
  const uint64_t max = sentence.max_tokens.value_or(description.format == Format::embd ? kUsual : positions);
  return static_cast<size_t>(std::min<uint64_t>(max, positions));
}

size_t TextEmbedder::memory_bytes() const { return model_->weights.bytes() + queue_.workspace_bytes(); }

Result<std::vector<uint32_t>> TextEmbedder::encode(std::string_view utf8) const {
  QUINTET_TRY(auto ids, model_->codec.encode(utf8, {.add_bos = false, .parse_special = true}));
  if (model_->dropped_token) std::erase(ids, *model_->dropped_token);
  return ids;
}

Result<std::vector<uint32_t>> TextEmbedder::tokenize(std::string_view utf8) const {
  QUINTET_TRY(const auto ids, encode(utf8));
  return frame_text(model_->frame, ids);
}

Status TextEmbedder::check_length(size_t max_length, size_t min, std::string_view condition) const {
  if (max_length >= min && max_length <= max_positions()) return {};
  return input_error(Reason::out_of_range, "maxLength {}; the model supports {} to {} tokens{}", max_length, min,
                     max_positions(), condition);
}

// The last token of the prompt may become one with the text, and then belongs to it. Skipped are the tokens of the
// prompt by itself, as sentence-transformers counts them.
Result<TextEmbedder::Prompt> TextEmbedder::find_prompt(std::string_view prompt, std::span<const uint32_t> ids) const {
  Prompt found = {.tokens = frame_.ahead, .skipped = 0};
  if (prompt.empty()) return found;
  QUINTET_TRY(const auto alone, encode(prompt));
  for (const uint32_t id : alone) {
    if (found.tokens + frame_.behind == ids.size() || ids[found.tokens] != id) break;
    ++found.tokens;
  }
  if (!model_->sentence.pools_prompt) found.skipped = frame_.ahead + alone.size();
  return found;
}

Result<size_t> TextEmbedder::queue_text(std::string_view utf8, size_t prompt_bytes, size_t max_length, Excess excess) {
  const size_t special = frame_.around();
  QUINTET_CHECK(check_length(max_length, special + (excess == Excess::chunk || special == 0 ? 1 : 0)));
  const std::string_view read = excess == Excess::cut ? characters_read(utf8, max_length) : utf8;
  QUINTET_TRY(std::vector<uint32_t> ids, tokenize(read));
  QUINTET_TRY(const Prompt prompt, find_prompt(utf8.substr(0, prompt_bytes), ids));
  const size_t tokens = ids.size();
  const size_t around = prompt.tokens + frame_.behind;
  if (tokens == 0 && !is_static()) return input_error(Reason::out_of_range, "a text without tokens");
  if (prompt_bytes != 0 && tokens > max_length) {
    QUINTET_CHECK(check_length(max_length, around + 1, " with this prompt"));
  }
  texts_.push_back({.parts = 0, .around = around, .weight = tokens - around});
  if (tokens == 0) return 0;  // a mean of nothing: zeros
  if (tokens <= max_length) {
    queue_part(ids, prompt.skipped);
  } else if (excess == Excess::cut) {
    std::copy_n(ids.end() - static_cast<ptrdiff_t>(frame_.behind), frame_.behind,
                ids.begin() + static_cast<ptrdiff_t>(max_length - frame_.behind));
    queue_part(std::span(ids).first(max_length), prompt.skipped);
  } else {
    queue_parts(ids, max_length, prompt);
  }
  if (read.size() == utf8.size()) return tokens;
  QUINTET_TRY(const auto all, tokenize(utf8));
  return all.size();
}

// Shortens a text before tokens are sought in it, as model2vec does.
std::string_view TextEmbedder::characters_read(std::string_view utf8, size_t max_length) const {
  const size_t max = max_length * model_->token_characters;
  return max == 0 ? utf8 : first_characters(utf8, max);
}

Status TextEmbedder::queue_ids(std::span<const uint32_t> ids) {
  QUINTET_CHECK(queue_.check(ids, {}));
  texts_.push_back({.parts = 0, .around = 0, .weight = ids.size()});
  queue_part(ids, 0);
  return {};
}

// Splits a text into parts, each with the prompt and the special tokens around it.
void TextEmbedder::queue_parts(std::span<const uint32_t> ids, size_t max_length, const Prompt& prompt) {
  std::vector<uint32_t> part;
  std::span<const uint32_t> rest = ids.subspan(prompt.tokens, ids.size() - prompt.tokens - frame_.behind);
  while (!rest.empty()) {
    const auto taken = rest.first(std::min(rest.size(), max_length - prompt.tokens - frame_.behind));
    part.assign(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(prompt.tokens));
    part.insert(part.end(), taken.begin(), taken.end());
    part.insert(part.end(), ids.end() - static_cast<ptrdiff_t>(frame_.behind), ids.end());
    queue_part(part, std::min(prompt.skipped, prompt.tokens));
    rest = rest.subspan(taken.size());
  }
}

void TextEmbedder::queue_part(std::span<const uint32_t> ids, size_t skipped) {
  parts_.push_back({.text = texts_.size() - 1, .skipped = skipped});
  queue_.add(ids, {});
  ++texts_.back().parts;
}

Status TextEmbedder::begin(const Output& output) {
  const VectorKind kind = model_->sentence.vectors();
  if (kind != VectorKind::dense) {
    return unsupported_error("the model gives {} vectors, not one dense vector for a text", name_of(kind));
  }
  if (output.pooling == Pooling::max && model_->config.output_width != 0) {
    return unsupported_error("pooling \"max\" of a model that projects the vectors of its tokens");
  }
  if (output.dimensions > dimension()) {
    return input_error(Reason::out_of_range, "dimensions {}; the model has {}", output.dimensions, dimension());
  }
  output_ = output;
  if (output_.dimensions == 0) output_.dimensions = dimension();
  vectors_.assign(texts_.size() * output_.dimensions, 0.0F);
  return queue_.begin();
}

Result<bool> TextEmbedder::step() {
  return queue_.step([this](size_t part) {
    pool_part(part);
    return true;
  });
}

// A text in one part has the vector of that part; a longer text has the mean of its parts' vectors, weighted by length.
void TextEmbedder::pool_part(size_t number) {
  const Part& part = parts_[number];
  const size_t length = queue_.length(number);
  const Text& text = texts_[part.text];
  const auto out = std::span(vectors_).subspan(part.text * output_.dimensions, output_.dimensions);
  pooled_.resize(model_->config.hidden_size());
  pool(output_.pooling, queue_.hidden(number), length, part.skipped, pooled_);
  apply_dense(model_->dense, active_kernels<KernelSet::encoder>(), pooled_);
  const auto kept = std::span(pooled_).first(output_.dimensions);
  if (output_.normalize) l2_normalize(kept);
  if (text.parts == 1) {
    std::copy(kept.begin(), kept.end(), out.begin());
    return;
  }
  const float share = static_cast<float>(length - text.around) / static_cast<float>(text.weight);
  for (size_t i = 0; i < out.size(); ++i) out[i] += kept[i] * share;
  const bool last = &part == &parts_.back() || (&part)[1].text != part.text;
  if (last && output_.normalize) l2_normalize(out);
}

std::vector<float> TextEmbedder::take() {
  std::vector<float> vectors = std::move(vectors_);
  cancel();
  return vectors;
}

void TextEmbedder::cancel() {
  queue_.clear();
  parts_.clear();
  texts_.clear();
  vectors_.clear();
}

}  // namespace quintet
