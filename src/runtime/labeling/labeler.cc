#include "runtime/labeling/labeler.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "runtime/embedding/classify.h"
#include "runtime/embedding/pooling.h"
#include "runtime/tokenize/text_frame.h"

namespace quintet {
namespace {

constexpr EncodeOptions kPart = {.add_bos = false, .parse_special = true};

}  // namespace

Labeler::Labeler(std::unique_ptr<const Model> model)
    : model_(std::move(model)), queue_(model_->config, model_->weights) {}

size_t Labeler::max_length() const {
  const uint64_t max = model_->sentence.max_tokens.value_or(max_positions());
  return static_cast<size_t>(std::min<uint64_t>(max, max_positions()));
}

Status Labeler::check_length(size_t max_length, size_t around) const {
  if (max_length > around && max_length <= max_positions()) return {};
  return input_error(Reason::out_of_range, "maxLength {}; the model supports {} to {} tokens", max_length, around + 1,
                     max_positions());
}

Result<size_t> Labeler::queue_text(std::string_view utf8, size_t max_length) {
  QUINTET_TRY(const std::vector<uint32_t> text, model_->codec.encode(utf8, kPart));
  const size_t around = frame_text(model_->frame, {}).size();
  QUINTET_CHECK(check_length(max_length, around));
  const auto kept = std::span(text).first(std::min(text.size(), max_length - around));
  const std::vector<uint32_t> ids = frame_text(model_->frame, kept);
  if (ids.empty()) return input_error(Reason::out_of_range, "a text without tokens");
  queue(ids, {}, {0, ids.size()});
  return text.size() + around;
}

Result<size_t> Labeler::queue_pair(std::string_view first, std::string_view second, size_t max_length) {
  QUINTET_TRY(const std::vector<uint32_t> text, model_->codec.encode(first, kPart));
  QUINTET_TRY(const std::vector<uint32_t> pair, model_->codec.encode(second, kPart));
  QUINTET_TRY(const TextPair frame, frame_pair(model_->frame, {}, pair, 0));
  const size_t around = frame.ids.size();
  QUINTET_CHECK(check_length(max_length, around));
  const auto kept = std::span(text).first(std::min(text.size(), max_length - around));
  QUINTET_TRY(const TextPair both, frame_pair(model_->frame, kept, pair, 0));
  queue(both.ids, both.types, {0, both.ids.size()});
  return text.size() + around;
}

Status Labeler::queue_windows(std::string_view utf8, size_t max_length) {
  QUINTET_TRY(const TextCodec::PlacedIds placed, model_->codec.encode_with_places(utf8));
  const std::vector<uint32_t>& ids = placed.ids;
  const std::vector<FramePart>& parts = model_->frame.single;
  const auto text = std::ranges::find(parts, FramePart::Kind::first, &FramePart::kind);
  const auto ahead = static_cast<size_t>(text - parts.begin());
  const size_t around = frame_text(model_->frame, {}).size();
  QUINTET_CHECK(check_length(max_length, around));
  const size_t window = max_length - around, overlap = window / 4;
  for (size_t begin = 0; begin < ids.size();) {
    const size_t end = std::min(ids.size(), begin + window);
    const Rows rows = {.begin = ahead + (begin == 0 ? 0 : overlap / 2),
                       .end = ahead + (end - begin) - (end == ids.size() ? 0 : overlap - overlap / 2)};
    queue(frame_text(model_->frame, std::span(ids).subspan(begin, end - begin)), {}, rows);
    begin = end == ids.size() ? end : end - overlap;
  }
  const auto unknown = model_->description.tokenizer.special.unk;
  for (size_t i = 0; i < ids.size(); ++i) {
    const size_t characters = ids[i] == unknown ? 0 : count_characters(model_->codec.token(ids[i]));
    tokens_.push_back({.place = placed.places[i], .characters = static_cast<uint32_t>(characters)});
  }
  return {};
}

Status Labeler::queue_ids(std::span<const uint32_t> ids, std::span<const uint8_t> types) {
  QUINTET_CHECK(queue_.check(ids, types));
  queue(ids, types, {0, ids.size()});
  return {};
}

void Labeler::queue(std::span<const uint32_t> ids, std::span<const uint8_t> types, Rows rows) {
  queue_.add(ids, types);
  rows_.push_back(rows);
}

Status Labeler::begin() {
  logits_.clear();
  return queue_.begin();
}

Result<bool> Labeler::step() {
  return queue_.step([this](size_t sequence) {
    label(sequence);
    return true;
  });
}

// Sequences are completed in order.
void Labeler::label(size_t sequence) {
  const size_t hidden = model_->config.hidden_size();
  const float* tokens = queue_.hidden(sequence);
  const Rows& rows = rows_[sequence];
  std::vector<float> vectors;
  if (is_per_token()) {
    vectors.assign(tokens + rows.begin * hidden, tokens + rows.end * hidden);
    apply_head(*model_, vectors, rows.end - rows.begin);
  } else {
    vectors.resize(hidden);
    pool(model_->config.head->pooling, tokens, queue_.length(sequence), 0, vectors);
    apply_head(*model_, vectors, 1);
  }
  logits_.insert(logits_.end(), vectors.begin(), vectors.end());
}

std::vector<float> Labeler::take_logits() {
  std::vector<float> logits = std::move(logits_);
  cancel();
  return logits;
}

void Labeler::cancel() {
  queue_.clear();
  rows_.clear();
  tokens_.clear();
  logits_.clear();
}

}  // namespace quintet
