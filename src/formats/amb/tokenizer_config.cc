#include "formats/amb/tokenizer_config.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/order.h"
#include "formats/amb/layout.h"
#include "formats/pre_tokenizers.h"
#include "formats/special_tokens.h"
#include "formats/text_steps.h"

namespace quintet::amb {
namespace {

struct NamedId {
  std::string_view key;
  std::optional<uint32_t> SpecialIds::* id;
};
constexpr NamedId kIds[] = {{"bos_token_id", &SpecialIds::bos},
                            {"eos_token_id", &SpecialIds::eos},
                            {"pad_token_id", &SpecialIds::pad},
                            {"unk_token_id", &SpecialIds::unk},
                            {"mask_token_id", &SpecialIds::mask}};

constexpr std::string_view kPreTokenizer = "pre_tokenizer";
constexpr std::string_view kIgnoreMerges = "ignore_merges";
constexpr std::string_view kNormalizer = "normalizer";
constexpr std::string_view kNfc = "nfc";
constexpr std::string_view kEndTokenIds = "end_token_ids";
constexpr std::string_view kAddBos = "add_bos_token";

// In older files, the pre-tokenizer of Llama 3 implied everything else that Llama 3 does.
bool implies_llama3(const BpeDescription& bpe) { return bpe.pre_tokenizer == kLlama3PreTokenizer; }

struct ConfigFields {
  const Json& config;
  uint64_t at;

  Failure wrong(std::string_view key, std::string_view expected) const {
    return format_error(Reason::malformed, at, "config: {} is not {}", key, expected);
  }
  // Null means absent.
  const Json* find(std::string_view key) const {
    const Json* value = config.find(key);
    return value && !value->is_null() ? value : nullptr;
  }
};

// The value is a name, or the object of a tokenizer.json.
Status take_pre_tokenizer(const ConfigFields& fields, BpeDescription& bpe) {
  const Json* value = fields.find(kPreTokenizer);
  if (!value) return {};
  if (value->as_object()) {
    QUINTET_TRY(bpe.splits, read_pre_tokenizer(*value));
    return {};
  }
  if (!value->as_string()) return fields.wrong(kPreTokenizer, "a text or an object");
  bpe.pre_tokenizer = *value->as_string();
  return {};
}

Status take_bpe_rules(const ConfigFields& fields, BpeDescription& bpe) {
  QUINTET_CHECK(take_pre_tokenizer(fields, bpe));
  bpe.ignore_merges = implies_llama3(bpe);
  const Json* ignore = fields.find(kIgnoreMerges);
  if (!ignore) return {};
  if (!ignore->as_bool()) return fields.wrong(kIgnoreMerges, "true or false");
  bpe.ignore_merges = *ignore->as_bool();
  return {};
}

Status take_normalizer(const ConfigFields& fields, TokenizerDescription& tokenizer) {
  const Json* value = fields.find(kNormalizer);
  if (!value) return {};
  if (value->as_object()) {
    QUINTET_TRY(tokenizer.normalizer, read_normalizer(*value));
    return {};
  }
  const std::string* name = value->as_string();
  if (!name) return fields.wrong(kNormalizer, "a text or an object");
  if (*name != kNfc) {
    return unsupported_error("config: normalizer \"{}\"; supported are nfc and the objects of a tokenizer.json", *name);
  }
  tokenizer.normalizer = {{.kind = NormalizerKind::nfc}};
  return {};
}

Status take_ends(const ConfigFields& fields, TokenizerDescription& tokenizer) {
  const Json* value = fields.find(kEndTokenIds);
  if (!value) return {};
  if (!value->as_array()) return fields.wrong(kEndTokenIds, "a list of token ids");
  for (const Json& each : *value->as_array()) {
    const auto id = each.as_uint();
    if (!id || *id > UINT32_MAX) return fields.wrong(kEndTokenIds, "a list of token ids");
    tokenizer.ends.push_back(static_cast<uint32_t>(*id));
  }
  heap_sort(tokenizer.ends);
  return {};
}

void put_bpe_rules(const BpeDescription& bpe, Json& config) {
  const std::string& pre = bpe.pre_tokenizer;
  if (bpe.splits) {
    config.set(kPreTokenizer, write_pre_tokenizer(*bpe.splits));
  } else if (!pre.empty() && pre != kGpt2PreTokenizer) {
    config.set(kPreTokenizer, pre);
  }
  if (bpe.ignore_merges != implies_llama3(bpe)) config.set(kIgnoreMerges, bpe.ignore_merges);
}

}  // namespace

void take_large_ids(const Json& config, SpecialIds& special) {
  for (const auto& [key, id] : kIds) {
    const Json* value = config.find(key);
    const auto number = value ? value->as_uint() : std::nullopt;
    if (!(special.*id) && number && *number >= kNoId && *number <= UINT32_MAX)
      special.*id = static_cast<uint32_t>(*number);
  }
}

void put_large_ids(SpecialIds& special, Json& config) {
  for (const auto& [key, id] : kIds) {
    if (!(special.*id) || *(special.*id) < kNoId) continue;
    config.set(key, uint64_t{*(special.*id)});
    (special.*id).reset();
  }
}

Status take_text_rules(const Json& metadata, const Json& config, uint64_t config_at, TokenizerDescription& tokenizer) {
  const ConfigFields fields{config, config_at};
  BpeDescription unused;  // the keys must be right for other kinds, too
  BpeDescription& bpe = tokenizer.bpe() ? *tokenizer.bpe() : unused;
  QUINTET_CHECK(take_bpe_rules(fields, bpe));
  if (implies_llama3(bpe)) tokenizer.add_bos = true;
  const Json* add_bos = metadata.find(kAddBos);
  if (add_bos && add_bos->as_bool()) tokenizer.add_bos = add_bos->as_bool();
  QUINTET_CHECK(take_normalizer(fields, tokenizer));
  return take_ends(fields, tokenizer);
}

void put_text_rules(const TokenizerDescription& tokenizer, Json& metadata, Json& config) {
  const BpeDescription* bpe = tokenizer.bpe();
  if (bpe) put_bpe_rules(*bpe, config);
  const std::vector<NormalizerStep> nfc = {{.kind = NormalizerKind::nfc}};
  if (tokenizer.normalizer == nfc) {
    config.set(kNormalizer, kNfc);
  } else if (!tokenizer.normalizer.empty()) {
    config.set(kNormalizer, write_normalizer(tokenizer.normalizer));
  }
  if (tokenizer.add_bos) {
    metadata.set(kAddBos, *tokenizer.add_bos);
  } else if (bpe && implies_llama3(*bpe)) {
    metadata.set(kAddBos, false);
  }
  if (are_ends_implied(tokenizer)) return;
  Json ids = Json::array();
  for (const uint32_t id : tokenizer.ends) ids.push_back(uint64_t{id});
  config.set(kEndTokenIds, std::move(ids));
}

}  // namespace quintet::amb
