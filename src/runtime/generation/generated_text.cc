#include "runtime/generation/generated_text.h"

namespace quintet {

std::string GeneratedText::push(uint32_t id) {
  if (!codec_.has_tokenizer() || codec_.is_special(id)) return {};
  std::string bytes;
  codec_.append_bytes(id, begins_, bytes);
  begins_ = false;
  return stop_.push(characters_.push(bytes));
}

std::string GeneratedText::finish() {
  // What is left of a character that is never completed may still complete a stop string.
  std::string text = stop_.push(characters_.finish());
  if (!stop_.found()) text += stop_.finish();
  return text;
}

}  // namespace quintet
