#pragma once
// How a model wants a conversation written. Special tokens are named, not spelled: what a message says can never become
// one.

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
// From a name as above, or from a template in Jinja as tokenizer_config.json and GGUF files hold it, by the special
// tokens that occur in it.
std::optional<ChatTemplate> recognize_chat_template(std::string_view text);

enum class ChatRole : uint8_t { system, user, assistant };

struct ChatMessage {
  ChatRole role;
  std::string content;
};

// A part of the written conversation: a special token by its text, or plain text.
struct ChatPart {
  bool special = false;
  std::string text;
};

// The conversation up to where the assistant's answer begins. INPUT where the roles do not alternate as the template
// demands. The token of begin is a part ("<s>") where the template has it.
Result<std::vector<ChatPart>> render_chat(ChatTemplate kind, std::span<const ChatMessage> messages);

}  // namespace quintet
