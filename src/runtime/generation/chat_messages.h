#pragma once
// A conversation as the caller gives it.

#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/chat_template.h"

namespace quintet {

// From JSON [{ role: "system" | "user" | "assistant", content }].
Result<std::vector<ChatMessage>> read_chat_messages(std::string_view json);

}  // namespace quintet
