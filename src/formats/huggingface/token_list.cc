#include "formats/huggingface/token_list.h"

#include <algorithm>
#include <string>

#include "base/order.h"

namespace quintet::huggingface {
namespace {

template <class... Values>
QUINTET_INLINE Failure wrong(Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return format_error(reason, 0, detail, values...);
}

Result<uint32_t> id_of(const Json* value, std::string_view text) {
  const auto id = value ? value->as_uint() : std::nullopt;
  if (id && *id <= UINT32_MAX) return static_cast<uint32_t>(*id);
  return wrong(Reason::malformed, "the token \"{}\" has no id", text);
}

// A key of added_tokens_decoder: "32000".
Result<uint32_t> id_of_key(std::string_view key) {
  uint64_t id = 0;
  for (const char c : key) {
    if (c < '0' || c > '9' || id > UINT32_MAX) return wrong(Reason::malformed, "\"{}\" is not a token id", key);
    id = id * 10 + static_cast<uint64_t>(c - '0');
  }
  if (key.empty() || id > UINT32_MAX) return wrong(Reason::malformed, "\"{}\" is not a token id", key);
  return static_cast<uint32_t>(id);
}

Result<ListedToken> added_token(const Json& entry) {
  const Json* content = entry.find("content");
  const std::string* text = content ? content->as_string() : nullptr;
  if (!text) return wrong(Reason::malformed, "an added token without content");
  const auto is = [&entry](std::string_view key) {
    const Json* value = entry.find(key);
    return value && value->as_bool() == true;
  };
  return ListedToken{.text = *text,
                     .type = is("special") ? PieceType::control : PieceType::user_defined,
                     .trims_left = is("lstrip"),
                     .trims_right = is("rstrip"),
                     .is_word = is("single_word"),
                     .is_normalized = is("normalized")};
}

using Order = bool (*)(const ListedToken*, const ListedToken*);

// Both orders share a function, so that the algorithm is compiled only once.
void sort(std::vector<const ListedToken*>& tokens, Order order) { heap_sort(tokens, order); }

std::vector<const ListedToken*> pointers_to(const std::vector<ListedToken>& tokens) {
  std::vector<const ListedToken*> pointers;
  pointers.reserve(tokens.size());
  for (const ListedToken& token : tokens) pointers.push_back(&token);
  return pointers;
}

struct Special {
  std::string_view token_key, id_key;
  std::optional<uint32_t> SpecialIds::* id;
};
constexpr Special kSpecials[] = {{"bos_token", "bos_token_id", &SpecialIds::bos},
                                 {"eos_token", "eos_token_id", &SpecialIds::eos},
                                 {"pad_token", "pad_token_id", &SpecialIds::pad},
                                 {"unk_token", "unk_token_id", &SpecialIds::unk}};

Failure malformed(std::string_view key, const Json& value) {
  return format_error(Reason::malformed, 0, "{} is {}", key, write_json(value));
}

// Reads one id, or a list of them.
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

std::optional<uint32_t> token_id(const TokenizerDescription& tokenizer, std::string_view text) {
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) {
    if (tokenizer.tokens[i] == text) return tokenizer.id_at(i);
  }
  return std::nullopt;
}

Result<std::vector<ListedToken>> added_tokens(const Json& json) {
  std::vector<ListedToken> tokens;
  if (const Json* list = json.find("added_tokens"); list && list->as_array()) {
    for (const Json& entry : *list->as_array()) {
      QUINTET_TRY(ListedToken token, added_token(entry));
      QUINTET_TRY(token.id, id_of(entry.find("id"), token.text));
      tokens.push_back(token);
    }
  } else if (const Json* by_id = json.find("added_tokens_decoder"); by_id && by_id->as_object()) {
    for (const auto& [key, entry] : *by_id->as_object()) {
      QUINTET_TRY(ListedToken token, added_token(entry));
      QUINTET_TRY(token.id, id_of_key(key));
      tokens.push_back(token);
    }
  }
  return tokens;
}

void set_token_rules(const std::vector<ListedToken>& tokens, TokenizerDescription& tokenizer) {
  for (const ListedToken& token : tokens) {
    if (token.trims_left) tokenizer.trims_left.push_back(token.id);
    if (token.trims_right) tokenizer.trims_right.push_back(token.id);
    if (token.is_word) tokenizer.words.push_back(token.id);
    const bool is_changed = token.is_normalized && !tokenizer.normalizer.empty();
    if (is_changed && token.type == PieceType::user_defined) tokenizer.normalized.push_back(token.id);
  }
  for (auto* ids : {&tokenizer.trims_left, &tokenizer.trims_right, &tokenizer.words, &tokenizer.normalized}) {
    heap_sort(*ids);
  }
}

Status mark_added(const std::vector<ListedToken>& added, TokenizerDescription& tokenizer) {
  SentencePieceDescription* pieces = tokenizer.sentencepiece();
  for (const ListedToken& token : added) {
    if (token.id > tokenizer.size()) return wrong(Reason::missing, "no token has the id {}", tokenizer.size());
    if (token.id == tokenizer.size()) {
      if (!tokenizer.tokens.add(token.text)) return memory_error(StringTable::kMaxBytes);
      if (pieces && !pieces->scores.empty()) pieces->scores.push_back(0);
      tokenizer.piece_types.push_back(token.type);
    } else if (tokenizer.tokens[token.id] != token.text) {
      return wrong(Reason::mismatch, "the token {} has two texts", token.id);
    } else if (tokenizer.piece_types[token.id] != PieceType::unknown) {
      tokenizer.piece_types[token.id] = token.type;
    }
  }
  set_token_rules(added, tokenizer);
  return {};
}

Result<TokenList> TokenList::read(const Json& tokenizer) {
  const Json* model = tokenizer.find("model");
  const Json* vocabulary = model ? model->find("vocab") : nullptr;
  if (!vocabulary || !vocabulary->as_object()) return wrong(Reason::missing, "no vocabulary");
  std::vector<ListedToken> tokens;
  tokens.reserve(vocabulary->as_object()->size());
  for (const auto& [text, value] : *vocabulary->as_object()) {
    QUINTET_TRY(const uint32_t id, id_of(&value, text));
    tokens.push_back({.id = id, .text = text});
  }
  QUINTET_TRY(const auto added, added_tokens(tokenizer));
  tokens.insert(tokens.end(), added.begin(), added.end());
  TokenList list;
  QUINTET_CHECK(list.order_by_id(std::move(tokens)));
  QUINTET_CHECK(list.index_texts());
  return list;
}

// An added token may be in the vocabulary as well, under the same id.
Status TokenList::order_by_id(std::vector<ListedToken> tokens) {
  std::vector<const ListedToken*> order = pointers_to(tokens);
  sort(order, [](const ListedToken* a, const ListedToken* b) {
    return a->id != b->id ? a->id < b->id : a->type == PieceType::normal && b->type != PieceType::normal;
  });
  tokens_.reserve(order.size());
  for (const ListedToken* token : order) {
    if (tokens_.empty() || tokens_.back().id != token->id) {
      tokens_.push_back(*token);
    } else if (tokens_.back().text == token->text) {
      tokens_.back() = *token;
    } else {
      return wrong(Reason::duplicate, "\"{}\" and \"{}\" both have the id {}", tokens_.back().text, token->text,
                   token->id);
    }
  }
  return {};
}

Status TokenList::index_texts() {
  by_text_ = pointers_to(tokens_);
  sort(by_text_, [](const ListedToken* a, const ListedToken* b) { return a->text < b->text; });
  for (size_t i = 1; i < by_text_.size(); ++i) {
    if (by_text_[i - 1]->text == by_text_[i]->text) {
      return wrong(Reason::duplicate, "the token \"{}\" has two ids", by_text_[i]->text);
    }
  }
  return {};
}

std::optional<size_t> TokenList::find(std::string_view text) const {
  size_t first = 0;
  size_t last = by_text_.size();
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    if (by_text_[middle]->text < text) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  if (first == by_text_.size() || by_text_[first]->text != text) return std::nullopt;
  return static_cast<size_t>(by_text_[first] - tokens_.data());
}

Status set_named_specials(const Json& file, TokenizerDescription& tokenizer) {
  for (const Special& special : kSpecials) {
    const Json* value = file.find(special.token_key);
    if (!value || value->is_null()) continue;
    const Json* content = value->find("content");  // the text itself, or an object with it
    const std::string* text = (content ? content : value)->as_string();
    if (!text) return malformed(special.token_key, *value);
    if (const auto id = token_id(tokenizer, *text)) tokenizer.special.*special.id = id;
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
