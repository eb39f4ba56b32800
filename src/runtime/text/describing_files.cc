#include "runtime/text/describing_files.h"

#include <utility>

namespace quintet {
namespace {

// More than any tokenizer.json has; what is larger is another file.
constexpr size_t kMaxTextBytes = 64u << 20;

}  // namespace

void DescribingFiles::begin(std::string_view name) {
  name_ = name;
  text_.clear();
}

Status DescribingFiles::feed(Bytes chunk) {
  if (chunk.size() > kMaxTextBytes - text_.size()) return input_error(Reason::limit, name_ + " has over 64 MB");
  text_.insert(text_.end(), chunk.begin(), chunk.end());
  return {};
}

// What cannot be computed is refused before the weights are read.
Status DescribingFiles::add() {
  QUINTET_CHECK(folder_.add(name_, as_text(text_)));
  if (const Json* config = encoder_ ? nullptr : folder_.encoder_config()) {
    QUINTET_TRY(encoder_, read_encoder_config_json(*config));
  }
  if (const Json* config = decoder_ ? nullptr : folder_.decoder_config()) {
    QUINTET_TRY(decoder_, read_huggingface_config(*config));
  }
  return {};
}

Status DescribingFiles::end() {
  Status status = add();
  text_ = {};
  if (!status) return fail(in_format(std::move(status).error(), "huggingface"));
  return {};
}

}  // namespace quintet
