#include "runtime/convert/converter.h"

#include <utility>

#include "formats/detect.h"
#include "formats/huggingface/config.h"
#include "formats/huggingface/vocabulary.h"

namespace quintet {
namespace {

// More than any tokenizer.json has; what is larger is another file.
constexpr size_t kMostTextBytes = 64u << 20;

}  // namespace

Converter::Role Converter::role_of(std::string_view name) {
  name.remove_prefix(name.find_last_of("/\\") + 1);
  if (name == "config.json") return Role::config;
  if (name == "vocab.txt") return Role::vocab_txt;
  if (name == "tokenizer.json") return Role::tokenizer_json;
  if (name == "tokenizer_config.json") return Role::tokenizer_config;
  return Role::model;
}

Status Converter::begin_file(std::string_view name, std::optional<uint64_t> total) {
  role_ = role_of(name);
  if (conversion_) {
    return input_error(Reason::mismatch, "file \"" + std::string(name) + "\" comes after the model; one model is " +
                                             "converted, and what describes it comes first");
  }
  text_.clear();
  return role_ == Role::model ? begin_model(total) : Status();
}

Status Converter::begin_model(std::optional<uint64_t> total) {
  QUINTET_TRY(auto parts, parts());
  conversion_.emplace(options_, std::move(parts), output_);
  stream_.emplace(total);
  parse_.emplace(read_model(*stream_, std::nullopt, *conversion_, {}));
  parse_->start();
  return {};
}

Result<std::optional<HuggingFaceParts>> Converter::parts() {
  if (!config_ && !tokenizer_) return std::nullopt;
  if (!config_) return input_error(Reason::missing, "a vocabulary without config.json");
  if (!tokenizer_) return input_error(Reason::missing, "config.json without vocab.txt or tokenizer.json");
  return HuggingFaceParts{.metadata = std::move(*config_), .tokenizer = std::move(*tokenizer_)};
}

Status Converter::feed(Bytes chunk) {
  if (role_ == Role::model) {
    if (!parse_->done()) stream_->feed(chunk);
    return model_status();
  }
  if (chunk.size() > kMostTextBytes - text_.size()) return input_error(Reason::limit, "a text file of over 64 MB");
  text_.insert(text_.end(), chunk.begin(), chunk.end());
  return {};
}

Status Converter::end_file() {
  if (role_ == Role::model) {
    if (!parse_->done()) stream_->end();
    return model_status();
  }
  Status status = read_description();
  if (!status) return fail(in_format(std::move(status).error(), "huggingface"));
  return {};
}

Status Converter::model_status() {
  if (!model_status_ && parse_->done()) model_status_ = parse_->take();
  return model_status_.value_or(Status());
}

Status Converter::read_description() {
  const std::string_view text = as_text(text_);
  switch (role_) {
    case Role::config: {
      QUINTET_TRY(config_, huggingface::read_config(text));
      return {};
    }
    case Role::tokenizer_config:
      return huggingface::check_tokenizer_config(text);
    case Role::tokenizer_json: {
      // It tells more than vocab.txt, and wins over it.
      QUINTET_TRY(tokenizer_, huggingface::read_tokenizer_json(text));
      return {};
    }
    case Role::vocab_txt: {
      QUINTET_TRY(auto tokenizer, huggingface::read_vocab_txt(text));
      if (!tokenizer_) tokenizer_ = std::move(tokenizer);
      return {};
    }
    case Role::model:
    case Role::none:
      break;
  }
  return input_error(Reason::mismatch, "a file ends that did not begin");
}

Status Converter::finish() {
  if (conversion_) return {};
  return input_error(Reason::missing, "no model file was given");
}

}  // namespace quintet
