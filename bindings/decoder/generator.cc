#include "bindings/decoder/generator.h"

#include <emscripten/bind.h>

#include <optional>
#include <vector>

#include "bindings/decoder/session.h"
#include "runtime/generation/chat_messages.h"
#include "runtime/generation/session.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

val outcome_of(const Result<std::vector<uint32_t>>& ids) {
  return ids ? success(int32_array(*ids)) : failure(ids.error());
}

// The empty name is that of the model's own template.
Result<std::optional<ChatTemplate>> template_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto known = chat_template_named(name);
  if (!known) return input_error(Reason::unknown_value, "there is no chat template \"" + name + "\"");
  return known;
}

Result<std::vector<uint32_t>> encode(const TextCodec& codec, std::string_view json, const std::string& name) {
  QUINTET_TRY(const auto named, template_named(name));
  QUINTET_TRY(const auto messages, read_chat_messages(json));
  return codec.encode_chat(messages, named);
}

}  // namespace

std::string Generator::info() const { return write_json(describe(*model_)); }

val Generator::tokenize(uint32_t bytes, bool add_bos, bool parse_special) {
  const auto ids = model_->codec.encode(window_.text(bytes), {.add_bos = add_bos, .parse_special = parse_special});
  window_.shrink();
  return outcome_of(ids);
}

val Generator::detokenize(const val& ids) const {
  const auto text = model_->codec.decode(emscripten::convertJSArrayToNumberVector<uint32_t>(ids));
  return text ? success(val(*text)) : failure(text.error());
}

val Generator::encode_chat(uint32_t bytes, const std::string& name) {
  const auto ids = encode(model_->codec, window_.text(bytes), name);
  window_.shrink();
  return outcome_of(ids);
}

val Generator::create_session() const { return session_handle(GenerationSession::create(model_)); }

EMSCRIPTEN_BINDINGS(generator) {
  using namespace emscripten;
  class_<Generator>("Generator")
      .smart_ptr<std::shared_ptr<Generator>>("GeneratorPointer")
      .function("info", &Generator::info)
      .function("contextLength", &Generator::context_length)
      .function("vocabularySize", &Generator::vocabulary_size)
      .function("textWindow", &Generator::text_window)
      .function("tokenize", &Generator::tokenize)
      .function("detokenize", &Generator::detokenize)
      .function("token", &Generator::token)
      .function("encodeChat", &Generator::encode_chat)
      .function("createSession", &Generator::create_session);
}

}  // namespace quintet::js
