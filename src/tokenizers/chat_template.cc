#include "tokenizers/chat_template.h"

#include <utility>

#include "base/unicode.h"
#include "base/utf8.h"

namespace quintet {
namespace {

struct NamedTemplate {
  ChatTemplate kind;
  std::string_view name;
};
constexpr NamedTemplate kNames[] = {{ChatTemplate::llama2, "llama-2"},
                                    {ChatTemplate::llama3, "llama-3"},
                                    {ChatTemplate::mistral, "mistral"},
                                    {ChatTemplate::phi3, "phi-3"},
                                    {ChatTemplate::chatml, "chatml"}};

std::string_view role_name(ChatRole role) {
  switch (role) {
    case ChatRole::system:
      return "system";
    case ChatRole::user:
      return "user";
    case ChatRole::assistant:
      return "assistant";
  }
  std::unreachable();
}

// The equivalent of the templates' trim.
std::string_view trimmed(std::string_view text) {
  while (!text.empty()) {
    const DecodedCodePoint first = decode_utf8(text, 0);
    if (!is_white_space(first.code_point)) break;
    text.remove_prefix(first.bytes);
  }
  while (!text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && is_utf8_continuation(text[last])) --last;
    if (!is_white_space(decode_utf8(text, last).code_point)) break;
    text = text.substr(0, last);
  }
  return text;
}

class Conversation {
 public:
  Conversation& special(std::string_view token) {
    parts_.push_back({true, std::string(token)});
    return *this;
  }
  Conversation& text(std::string_view text) {
    if (text.empty()) return *this;
    if (parts_.empty() || parts_.back().special) parts_.push_back({});
    parts_.back().text += text;
    return *this;
  }
  std::vector<ChatPart> take() { return std::move(parts_); }

 private:
  std::vector<ChatPart> parts_;
};

using Messages = std::span<const ChatMessage>;

// Removes the system message from the front. The rest must alternate between user and assistant, starting and ending
// with the user.
Result<std::optional<std::string_view>> take_system(Messages& messages) {
  std::optional<std::string_view> system;
  if (messages.front().role == ChatRole::system) {
    system = messages.front().content;
    messages = messages.subspan(1);
  }
  for (size_t i = 0; i < messages.size(); ++i) {
    const ChatRole wanted = i % 2 == 0 ? ChatRole::user : ChatRole::assistant;
    if (messages[i].role == wanted) continue;
    return input_error(Reason::malformed, "the roles of a conversation must alternate user, assistant, user: message " +
                                              std::to_string(i + (system ? 1 : 0)) + " is from the " +
                                              std::string(role_name(messages[i].role)));
  }
  if (messages.size() % 2 == 0) {
    return input_error(Reason::malformed, "a conversation must end with a message of the user");
  }
  return system;
}

// meta-llama/Llama-2-7b-chat-hf
Result<std::vector<ChatPart>> render_llama2(Messages messages) {
  QUINTET_TRY(const auto system, take_system(messages));
  Conversation out;
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::assistant) {
      out.text(" ").text(trimmed(message.content)).text(" ").special("</s>");
      continue;
    }
    std::string content;
    if (system && &message == &messages.front()) {
      content.append("<<SYS>>\n").append(*system).append("\n<</SYS>>\n\n");
    }
    content += message.content;
    out.special("<s>").text("[INST] ").text(trimmed(content)).text(" [/INST]");
  }
  return out.take();
}

// mistralai/Mistral-7B-Instruct-v0.2. It does not support system messages: they are put in front of the first message,
// as in later versions.
Result<std::vector<ChatPart>> render_mistral(Messages messages) {
  QUINTET_TRY(const auto system, take_system(messages));
  Conversation out;
  out.special("<s>");
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::assistant) {
      out.text(message.content).special("</s>");
      continue;
    }
    out.text("[INST] ");
    if (system && &message == &messages.front()) out.text(*system).text("\n\n");
    out.text(message.content).text(" [/INST]");
  }
  return out.take();
}

// meta-llama/Meta-Llama-3-8B-Instruct
std::vector<ChatPart> render_llama3(Messages messages) {
  Conversation out;
  out.special("<|begin_of_text|>");
  const auto begin_turn = [&out](ChatRole role) {
    out.special("<|start_header_id|>").text(role_name(role)).special("<|end_header_id|>").text("\n\n");
  };
  for (const ChatMessage& message : messages) {
    begin_turn(message.role);
    out.text(trimmed(message.content)).special("<|eot_id|>");
  }
  begin_turn(ChatRole::assistant);
  return out.take();
}

// microsoft/Phi-3-mini-4k-instruct
std::vector<ChatPart> render_phi3(Messages messages) {
  Conversation out;
  const auto begin_turn = [&out](ChatRole role) { out.special("<|" + std::string(role_name(role)) + "|>").text("\n"); };
  for (const ChatMessage& message : messages) {
    begin_turn(message.role);
    out.text(message.content).special("<|end|>").text("\n");
  }
  begin_turn(ChatRole::assistant);
  return out.take();
}

// github.com/openai/openai-python, chatml.md; as used by Qwen and others
std::vector<ChatPart> render_chatml(Messages messages) {
  Conversation out;
  const auto begin_turn = [&out](ChatRole role) { out.special("<|im_start|>").text(role_name(role)).text("\n"); };
  for (const ChatMessage& message : messages) {
    begin_turn(message.role);
    out.text(message.content).special("<|im_end|>").text("\n");
  }
  begin_turn(ChatRole::assistant);
  return out.take();
}

}  // namespace

std::string_view name_of(ChatTemplate kind) {
  for (const NamedTemplate& named : kNames) {
    if (named.kind == kind) return named.name;
  }
  std::unreachable();
}

std::optional<ChatTemplate> chat_template_named(std::string_view name) {
  for (const NamedTemplate& named : kNames) {
    if (named.name == name) return named.kind;
  }
  return std::nullopt;
}

std::optional<ChatTemplate> recognize_chat_template(std::string_view text) {
  if (const auto named = chat_template_named(text)) return named;
  const auto has = [text](std::string_view token) { return text.find(token) != text.npos; };
  // Variants with different formats: Phi-4's of ChatML, and that of later Mistrals.
  if (has("<|im_sep|>") || has("[SYSTEM_PROMPT]")) return std::nullopt;
  if (has("<|im_start|>")) return ChatTemplate::chatml;
  if (has("<|start_header_id|>") && has("<|end_header_id|>")) return ChatTemplate::llama3;
  if (has("[INST]")) return has("<<SYS>>") ? ChatTemplate::llama2 : ChatTemplate::mistral;
  if (has("<|assistant|>") && has("<|end|>")) return ChatTemplate::phi3;
  return std::nullopt;
}

Result<std::vector<ChatPart>> render_chat(ChatTemplate kind, std::span<const ChatMessage> messages) {
  if (messages.empty()) return input_error(Reason::missing, "the conversation has no messages");
  switch (kind) {
    case ChatTemplate::llama2:
      return render_llama2(messages);
    case ChatTemplate::llama3:
      return render_llama3(messages);
    case ChatTemplate::mistral:
      return render_mistral(messages);
    case ChatTemplate::phi3:
      return render_phi3(messages);
    case ChatTemplate::chatml:
      return render_chatml(messages);
  }
  std::unreachable();
}

}  // namespace quintet
