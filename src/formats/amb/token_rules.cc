#include "formats/amb/token_rules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/order.h"
#include "formats/sentencepiece/settings.h"

namespace quintet::amb {
namespace {

constexpr std::string_view kSpecial = "special_tokens";
constexpr std::string_view kAdded = "added_tokens";
constexpr std::string_view kSentencePieceRules = "sentencepiece_rules";

struct TokenRule {
  std::string_view name;
  std::vector<uint32_t> TokenizerDescription::* ids;
};
constexpr TokenRule kTokenRules[] = {{"lstrip_tokens", &TokenizerDescription::trims_left},
                                     {"rstrip_tokens", &TokenizerDescription::trims_right},
                                     {"single_word_tokens", &TokenizerDescription::words},
                                     {"normalized_tokens", &TokenizerDescription::normalized}};

// Settings that a ModelProto does not have.
struct Rule {
  std::string_view name;
  bool SentencePieceSettings::* is_kept;
};
constexpr Rule kRules[] = {{"huggingface", &SentencePieceSettings::as_huggingface},
                           {"keeps_trailing_space", &SentencePieceSettings::keeps_trailing_space},
                           {"prefixes_every_part", &SentencePieceSettings::prefixes_every_part},
                           {"prefixes_first_part", &SentencePieceSettings::prefixes_first_part},
                           {"prefixes_no_space", &SentencePieceSettings::prefixes_no_space}};

Failure malformed(std::string_view key, uint64_t at, std::string_view expected) {
  return format_error(Reason::malformed, at, "config: {} is not {}", key, expected);
}

// Unchanged if there is no such key, or if it is null.
Status read_ids(const Json& config, std::string_view key, uint64_t at, std::vector<uint32_t>& ids) {
  const Json& value = config.get(key);
  if (value.is_null()) return {};
  if (!value.as_array()) return malformed(key, at, "a list of token ids");
  ids.clear();
  ids.reserve(value.as_array()->size());
  for (const Json& each : *value.as_array()) {
    const auto id = each.as_uint();
    if (!id || *id > UINT32_MAX) return malformed(key, at, "a list of token ids");
    ids.push_back(static_cast<uint32_t>(*id));
  }
  heap_sort(ids);
  return {};
}

Json list_of(const std::vector<uint32_t>& ids) {
  Json list = Json::array();
  for (const uint32_t id : ids) list.push_back(uint64_t{id});
  return list;
}

// Returns what a type means for finding tokens.
PieceType role_of(PieceType type) {
  if (type == PieceType::unknown) return PieceType::control;
  return type == PieceType::control || type == PieceType::user_defined ? type : PieceType::normal;
}

std::vector<uint32_t> ids_with(const TokenizerDescription& tokenizer, PieceType role) {
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < tokenizer.piece_types.size(); ++i) {
    if (role_of(tokenizer.piece_types[i]) == role) ids.push_back(tokenizer.id_at(i));
  }
  heap_sort(ids);
  return ids;
}

// Ids that no token has do nothing.
void set_types(const std::vector<uint32_t>& ids, PieceType type, TokenizerDescription& tokenizer) {
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) {
    if (std::ranges::binary_search(ids, tokenizer.id_at(i))) tokenizer.piece_types[i] = type;
  }
}

Status take_types(const Json& config, uint64_t at, TokenizerDescription& tokenizer) {
  std::vector<uint32_t> special, added;
  QUINTET_CHECK(read_ids(config, kSpecial, at, special));
  QUINTET_CHECK(read_ids(config, kAdded, at, added));
  const bool is_said = !config.get(kSpecial).is_null() || !config.get(kAdded).is_null();
  if (!tokenizer.bpe() || !is_said) return {};
  tokenizer.piece_types.assign(tokenizer.tokens.size(), PieceType::normal);
  set_types(added, PieceType::user_defined, tokenizer);
  set_types(special, PieceType::control, tokenizer);
  return {};
}

Status take_rules(const Json& config, uint64_t at, TokenizerDescription& tokenizer) {
  const Json& value = config.get(kSentencePieceRules);
  SentencePieceDescription* pieces = tokenizer.sentencepiece();
  if (value.is_null() || !pieces) return {};
  if (!value.as_array()) return malformed(kSentencePieceRules, at, "a list");
  QUINTET_TRY(SentencePieceSettings settings, sentencepiece::read_settings(pieces->proto));
  for (const Json& each : *value.as_array()) {
    const std::string* name = each.as_string();
    const auto rule = name ? std::ranges::find(kRules, std::string_view(*name), &Rule::name) : std::end(kRules);
    if (rule == std::end(kRules)) {
      return unsupported_error("config: {} has {}, which this version does not know", kSentencePieceRules,
                               write_json(each));
    }
    settings.*rule->is_kept = true;
  }
  pieces->settings = std::move(settings);
  return {};
}

void put_types(const TokenizerDescription& tokenizer, const std::vector<PieceType>& implied, Json& config) {
  if (!tokenizer.bpe() || tokenizer.piece_types.empty()) return;
  if (std::ranges::equal(tokenizer.piece_types, implied, {}, role_of, role_of)) return;
  config.set(kSpecial, list_of(ids_with(tokenizer, PieceType::control)));
  config.set(kAdded, list_of(ids_with(tokenizer, PieceType::user_defined)));
}

void put_rules(const TokenizerDescription& tokenizer, Json& config) {
  const SentencePieceDescription* pieces = tokenizer.sentencepiece();
  if (!pieces || !pieces->settings) return;
  Json names = Json::array();
  for (const auto& [name, is_kept] : kRules) {
    if (*pieces->settings.*is_kept) names.push_back(name);
  }
  if (!names.as_array()->empty()) config.set(kSentencePieceRules, std::move(names));
}

}  // namespace

Status take_token_rules(const Json& config, uint64_t config_at, TokenizerDescription& tokenizer) {
  QUINTET_CHECK(take_types(config, config_at, tokenizer));
  for (const auto& [name, ids] : kTokenRules) QUINTET_CHECK(read_ids(config, name, config_at, tokenizer.*ids));
  return take_rules(config, config_at, tokenizer);
}

void put_token_rules(const TokenizerDescription& tokenizer, const std::vector<PieceType>& implied, Json& config) {
  put_types(tokenizer, implied, config);
  for (const auto& [name, ids] : kTokenRules) {
    if (!(tokenizer.*ids).empty()) config.set(name, list_of(tokenizer.*ids));
  }
  put_rules(tokenizer, config);
}

}  // namespace quintet::amb
