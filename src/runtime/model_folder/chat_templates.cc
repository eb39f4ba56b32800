#include "runtime/model_folder/chat_templates.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace quintet {
namespace {

// The keys in AMB and in Hugging Face's folders, and in GGUF, where others follow as tokenizer.chat_template.NAME.
constexpr std::string_view kKeys[] = {"chat_template", "tokenizer.chat_template"};
constexpr std::string_view kNamed = "tokenizer.chat_template.";

void add_template(std::string_view name, const Json* text, Json& templates) {
  if (text && text->as_string() && !templates.find(name)) templates.append(name, *text->as_string());
}

// One template, or a list: [{"name": "default", "template": "..."}, ...].
void add_templates(const Json& value, Json& templates) {
  if (!value.as_array()) return add_template("default", &value, templates);
  for (const Json& each : *value.as_array()) {
    const Json* name = each.find("name");
    if (name && name->as_string()) add_template(*name->as_string(), each.find("template"), templates);
  }
}

}  // namespace

Json chat_templates(const Json& metadata) {
  Json templates = Json::object();
  for (const std::string_view key : kKeys) {
    if (const Json* value = metadata.find(key)) add_templates(*value, templates);
  }
  for (const auto& [key, value] : *metadata.as_object()) {
    if (key.starts_with(kNamed)) add_template(std::string_view(key).substr(kNamed.size()), &value, templates);
  }
  return templates;
}

Json describe_chat(const Json& metadata, const SpecialIds& special, const Tokenizer& tokenizer) {
  Json tokens = Json::object();
  const auto add = [&](const char* name, const std::optional<uint32_t>& id) {
    if (id && *id < tokenizer.size()) tokens.append(name, std::string(tokenizer.token(*id)));
  };
  add("bos_token", special.bos);
  add("eos_token", special.eos);
  add("pad_token", special.pad);
  add("unk_token", special.unk);
  add("cls_token", special.cls);
  add("sep_token", special.sep);
  add("mask_token", special.mask);
  Json chat = Json::object();
  chat.append("templates", chat_templates(metadata));
  chat.append("tokens", std::move(tokens));
  return chat;
}

}  // namespace quintet
