#include "runtime/generation/chat_messages.h"

#include <optional>
#include <string>

#include "base/json.h"

namespace quintet {
namespace {

std::optional<ChatRole> role_named(std::string_view name) {
  if (name == "system") return ChatRole::system;
  if (name == "user") return ChatRole::user;
  if (name == "assistant") return ChatRole::assistant;
  return std::nullopt;
}

const std::string* text_of(const Json& message, std::string_view member) {
  const Json* value = message.find(member);
  return value ? value->as_string() : nullptr;
}

}  // namespace

Result<std::vector<ChatMessage>> read_chat_messages(std::string_view json) {
  const auto parsed = parse_json(json);
  const Json::Array* list = parsed ? parsed->as_array() : nullptr;
  if (!list) return input_error(Reason::malformed, "the messages are no list in JSON");
  std::vector<ChatMessage> messages;
  for (const Json& entry : *list) {
    const std::string* role = text_of(entry, "role");
    const std::string* content = text_of(entry, "content");
    if (!role || !content) return input_error(Reason::malformed, "a message without a role and a content in text");
    const auto known = role_named(*role);
    if (!known) {
      return input_error(Reason::unknown_value,
                         "a message of the role \"" + *role + "\"; there are system, user and assistant");
    }
    messages.push_back({.role = *known, .content = *content});
  }
  return messages;
}

}  // namespace quintet
