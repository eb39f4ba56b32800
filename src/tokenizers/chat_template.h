#pragma once
// The chat templates of models. Special tokens are named and not written out, so that no message can contain one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace quintet {

enum class ChatTemplate : uint8_t { llama2, llama3, mistral, phi3, chatml };

// "llama-2", "llama-3", "mistral", "phi-3", "chatml".
std::string_view name_of(ChatTemplate kind);
std::optional<ChatTemplate> chat_template_named(std::string_view name);
// From a name as above, or from a Jinja template in tokenizer_config.json or a GGUF file, recognized by its special
// tokens.
std::optional<ChatTemplate> recognize_chat_template(std::string_view text);

enum class ChatRole : uint8_t { system, user, assistant };

struct ChatMessage {
  ChatRole role;
  std::string content;
};

// A part of the formatted conversation: a special token by its text, or plain text.
struct ChatPart {
  bool special = false;
  std::string text;
};

// The conversation up to the start of the assistant's answer. INPUT if the roles do not alternate as the template
// requires. The beginning-of-sequence token is a part ("<s>") if the template has it.
Result<std::vector<ChatPart>> render_chat(ChatTemplate kind, std::span<const ChatMessage> messages);

}  // namespace quintet
