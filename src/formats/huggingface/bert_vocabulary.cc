#include "formats/huggingface/bert_vocabulary.h"

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "formats/huggingface/post_processor.h"
#include "formats/special_tokens.h"

namespace quintet::huggingface {
namespace {

constexpr uint64_t kMaxWordCharacters = 100;

std::unexpected<Error> unsupported(std::string detail) {
  return unsupported_error(std::move(detail) + "; only the tokenizer of BERT uncased is supported");
}

// Requires the value under `key` to be true or, with `null_is_true`, absent or null.
Status expect_true(const Json& object, std::string_view key, bool null_is_true) {
  const Json* value = object.find(key);
  if (!value || value->is_null() ? null_is_true : value->as_bool() == true) return {};
  return unsupported(std::string(key) + " is " + (value ? write_json(*value) : "absent"));
}

Status expect_text(const Json& object, std::string_view key, std::string_view expected) {
  const Json* value = object.find(key);
  const std::string* text = value ? value->as_string() : nullptr;
  if (text && *text == expected) return {};
  return unsupported(std::string(key) + " is " + (value ? write_json(*value) : "absent"));
}

Status check_pipeline(const Json& tokenizer) {
  const Json& normalizer = tokenizer.get("normalizer");
  QUINTET_CHECK(expect_text(normalizer, "type", "BertNormalizer"));
  QUINTET_CHECK(expect_true(normalizer, "lowercase", false));
  QUINTET_CHECK(expect_true(normalizer, "clean_text", false));
  QUINTET_CHECK(expect_true(normalizer, "handle_chinese_chars", false));
  QUINTET_CHECK(expect_true(normalizer, "strip_accents", true));  // null: same as lowercase
  return expect_text(tokenizer.get("pre_tokenizer"), "type", "BertPreTokenizer");
}

Status check_model(const Json& model) {
  QUINTET_CHECK(expect_text(model, "type", "WordPiece"));
  QUINTET_CHECK(expect_text(model, "unk_token", "[UNK]"));
  QUINTET_CHECK(expect_text(model, "continuing_subword_prefix", "##"));
  const Json* most = model.find("max_input_chars_per_word");
  if (most && most->as_uint() == kMaxWordCharacters) return {};
  return unsupported("max_input_chars_per_word is not 100");
}

TokenizerDescription describe(StringTable tokens) {
  TokenizerDescription description;
  description.type = TokenizerType::wordpiece;
  description.special = bert_special_ids(tokens);
  description.tokens = std::move(tokens);
  return description;
}

// Converts text -> id to id -> text. The ids are 0, 1, 2, … in any order.
Result<StringTable> order_by_id(const Json::Object& vocabulary) {
  std::vector<const std::string*> tokens(vocabulary.size(), nullptr);
  for (const Json::Member& member : vocabulary) {
    const auto id = member.value.as_uint();
    if (!id || *id >= tokens.size() || tokens[static_cast<size_t>(*id)]) {
      return format_error(Reason::malformed, 0,
                          "tokenizer.json: the ids must be 0 to " + std::to_string(tokens.size() - 1));
    }
    tokens[static_cast<size_t>(*id)] = &member.name;
  }
  StringTable table;
  for (const std::string* token : tokens) {
    if (!table.add(*token)) return memory_error(StringTable::kMaxBytes);
  }
  return table;
}

}  // namespace

Result<TokenizerDescription> read_vocab_txt(std::string_view text) {
  if (const auto bad = find_invalid_utf8(text)) {
    return format_error(Reason::invalid_utf8, *bad, "vocab.txt is not UTF-8");
  }
  StringTable tokens;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!tokens.add(line)) return memory_error(StringTable::kMaxBytes);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return describe(std::move(tokens));
}

Result<TokenizerDescription> read_wordpiece(const Json& tokenizer) {
  QUINTET_CHECK(check_pipeline(tokenizer));
  const Json& model = tokenizer.get("model");
  QUINTET_CHECK(check_model(model));
  const Json::Object* vocabulary = model.get("vocab").as_object();
  if (!vocabulary) return format_error(Reason::missing, 0, "tokenizer.json: no vocabulary");
  QUINTET_TRY(StringTable tokens, order_by_id(*vocabulary));
  TokenizerDescription description = describe(std::move(tokens));
  QUINTET_TRY(description.frame, read_frame(tokenizer.get("post_processor")));
  return description;
}

Status check_bert_tokenizer_config(const Json& config) {
  QUINTET_CHECK(expect_true(config, "do_lower_case", true));
  QUINTET_CHECK(expect_true(config, "strip_accents", true));
  return expect_true(config, "tokenize_chinese_chars", true);
}

}  // namespace quintet::huggingface
