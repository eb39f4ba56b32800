#pragma once
// Generator: a loaded decoder, its tokenizer, and the sessions that it opens.

#include <memory>
#include <string>

#include "bindings/outcome.h"
#include "bindings/window.h"
#include "runtime/generation/generator_model.h"

namespace quintet::js {

class Generator : Counted {
 public:
  explicit Generator(std::shared_ptr<const GeneratorModel> model) : model_(std::move(model)) {}

  std::string info() const;
  double context_length() const { return static_cast<double>(model_->context_length); }
  double vocabulary_size() const { return static_cast<double>(model_->config.n_vocab); }

  val text_window(uint32_t bytes) { return window_.view(bytes); }
  val tokenize(uint32_t bytes, bool add_bos, bool parse_special);
  val detokenize(const val& ids) const;
  std::string token(uint32_t id) const { return std::string(model_->codec.token(id)); }
  val encode_chat(uint32_t bytes, const std::string& name);

  val create_session() const;

 private:
  std::shared_ptr<const GeneratorModel> model_;
  Window window_;
};

}  // namespace quintet::js
