#include "formats/huggingface/special_tokens.h"

#include <algorithm>
#include <string>
#include <vector>

namespace quintet::huggingface {
namespace {

struct Special {
  std::string_view token_key, id_key;
  std::optional<uint32_t> SpecialIds::* id;
};
constexpr Special kSpecials[] = {{"bos_token", "bos_token_id", &SpecialIds::bos},
                                 {"eos_token", "eos_token_id", &SpecialIds::eos},
                                 {"pad_token", "pad_token_id", &SpecialIds::pad},
                                 {"unk_token", "unk_token_id", &SpecialIds::unk}};

std::optional<uint32_t> id_of(const TokenizerDescription& tokenizer, std::string_view text) {
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) {
    if (tokenizer.tokens[i] == text) return tokenizer.ids.empty() ? static_cast<uint32_t>(i) : tokenizer.ids[i];
  }
  return std::nullopt;
}

std::unexpected<Error> malformed(std::string_view key, const Json& value) {
  return format_error(Reason::malformed, 0, std::string(key) + " is " + write_json(value));
}

// One id, or a list of them.
Result<std::vector<uint32_t>> ids_of(std::string_view key, const Json& value) {
  std::vector<uint32_t> ids;
  const auto add = [&ids](const Json& each) {
    const auto id = each.as_uint();
    if (id && *id <= UINT32_MAX) ids.push_back(static_cast<uint32_t>(*id));
    return id && *id <= UINT32_MAX;
  };
  const Json::Array* several = value.as_array();
  if (several ? std::ranges::all_of(*several, add) : add(value)) return ids;
  return malformed(key, value);
}

}  // namespace

Status set_named_specials(const Json& file, TokenizerDescription& tokenizer) {
  for (const Special& special : kSpecials) {
    const Json* value = file.find(special.token_key);
    if (!value || value->is_null()) continue;
    const Json* content = value->find("content");  // the text itself, or an object with it
    const std::string* text = (content ? content : value)->as_string();
    if (!text) return malformed(special.token_key, *value);
    if (const auto id = id_of(tokenizer, *text)) tokenizer.special.*special.id = id;
  }
  return {};
}

Status fill_special_ids(const Json& config, TokenizerDescription& tokenizer) {
  for (const Special& special : kSpecials) {
    const Json* value = config.find(special.id_key);
    if (!value || value->is_null()) continue;
    QUINTET_TRY(const std::vector<uint32_t> ids, ids_of(special.id_key, *value));
    if (special.id == &SpecialIds::eos) tokenizer.ends.insert(tokenizer.ends.end(), ids.begin(), ids.end());
    std::optional<uint32_t>& id = tokenizer.special.*special.id;
    if (!id && !ids.empty()) id = ids.front();
  }
  return {};
}

}  // namespace quintet::huggingface
