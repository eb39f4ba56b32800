#include "runtime/image_embedding/image_embedder.h"

#include <algorithm>
#include <cmath>

namespace quintet {
namespace {

// A vector of zeros stays one.
void normalize(std::vector<float>& vector) {
  double squares = 0;
  for (const float value : vector) squares += double{value} * double{value};
  if (squares == 0) return;
  const double scale = 1 / std::sqrt(squares);
  for (float& value : vector) value = static_cast<float>(double{value} * scale);
}

}  // namespace

uint32_t ImageEmbedder::dimension() const {
  return has_images() ? parts_.image->network().features() : parts_.text->network.network().features();
}

uint64_t ImageEmbedder::bytes() const {
  uint64_t sum = 0;
  if (has_images()) sum += parts_.image->network().bytes();
  if (has_texts()) sum += parts_.text->network.network().bytes();
  return sum;
}

uint64_t ImageEmbedder::work_bytes() const {
  return std::max(has_images() ? parts_.image->network().work_bytes() : 0,
                  has_texts() ? parts_.text->network.network().work_bytes() : 0);
}

uint32_t ImageEmbedder::input_size() const {
  if (!has_images()) return 0;
  const std::optional<ImageSize> size = parts_.image->preparation().fixed_size();
  return size ? size->height : parts_.image->network().usual_input_size();
}

Status ImageEmbedder::require_images() const {
  if (has_images()) return {};
  return unsupported_error("no image tower of {} is loaded", parts_.description.architecture);
}

Status ImageEmbedder::require_texts() const {
  if (has_texts()) return {};
  return unsupported_error("no text tower of {} is loaded", parts_.description.architecture);
}

Status ImageEmbedder::require_tokenizer() const {
  QUINTET_CHECK(require_texts());
  if (parts_.text->tokenizer) return {};
  return unsupported_error("the model has no tokenizer: use token ids instead of texts");
}

Result<PreparedImage> ImageEmbedder::prepare(const Pixels& picture) const {
  QUINTET_CHECK(require_images());
  return parts_.image->prepare(picture);
}

Status ImageEmbedder::begin(const Pixels& picture) {
  cancel();
  QUINTET_CHECK(require_images());
  running_ = &*parts_.image;
  return parts_.image->begin(picture, vision::Output::features);
}

Status ImageEmbedder::begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width) {
  cancel();
  QUINTET_CHECK(require_images());
  running_ = &*parts_.image;
  return parts_.image->begin(input, channels, height, width, vision::Output::features);
}

Status ImageEmbedder::begin_text(std::string_view utf8) {
  QUINTET_CHECK(require_tokenizer());
  const TextTower& text = *parts_.text;
  QUINTET_TRY(std::vector<uint32_t> ids, text.tokenizer->encode_cut(utf8, max_tokens()));
  if (text.fills_texts) ids.resize(max_tokens(), text.padding);
  return begin_ids(ids);
}

// The ids that a text's network reads: none after the end token, and if there is none, only the first token, as in
// modeling_clip.py.
std::span<const uint32_t> TextTower::read_of(std::span<const uint32_t> ids) const {
  if (fills_texts) return ids;
  const auto end = end_token ? std::ranges::find(ids, *end_token) : std::ranges::max_element(ids);
  return ids.first(end == ids.end() ? 1 : static_cast<size_t>(end - ids.begin()) + 1);
}

Status ImageEmbedder::begin_ids(std::span<const uint32_t> ids) {
  cancel();
  QUINTET_CHECK(require_texts());
  TextTower& text = *parts_.text;
  if (ids.empty()) return input_error(Reason::missing, "a text without tokens");
  if (ids.size() > text.max_tokens()) {
    return input_error(Reason::limit, "{} tokens are too many: at most {} are allowed", ids.size(), text.max_tokens());
  }
  // Ids beyond 2^24 are not exact, but far outside of any vocabulary.
  const std::span<const uint32_t> read = text.read_of(ids);
  const std::vector<float> input(read.begin(), read.end());
  running_ = &text.network;
  return text.network.begin(input, 1, 1, input.size(), vision::Output::features);
}

Result<std::vector<uint32_t>> ImageEmbedder::tokenize(std::string_view utf8) const {
  QUINTET_CHECK(require_tokenizer());
  return parts_.text->tokenizer->encode(utf8, true, false);
}

Result<bool> ImageEmbedder::step() {
  if (!running_) return input_error(Reason::missing, "no pass was started");
  return running_->step();
}

std::vector<float> ImageEmbedder::take() {
  std::vector<float> vector;
  if (running_) vector = running_->take();
  running_ = nullptr;
  normalize(vector);
  return vector;
}

void ImageEmbedder::cancel() {
  if (running_) running_->cancel();
  running_ = nullptr;
}

}  // namespace quintet
