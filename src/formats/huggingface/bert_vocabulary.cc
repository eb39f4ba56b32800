#include "formats/huggingface/bert_vocabulary.h"

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "formats/huggingface/post_processor.h"
#include "formats/huggingface/token_list.h"
#include "formats/known_fields.h"
#include "formats/special_tokens.h"

namespace quintet::huggingface {
namespace {

constexpr uint64_t kMaxWordCharacters = 100;

template <class... Values>
QUINTET_INLINE Failure unsupported(Pattern<sizeof...(Values)> detail, const Values&... values) {
  return unsupported_error("{}; only BERT's tokenizers are supported", formatted(detail, values...));
}

Status expect_text(const Json& object, std::string_view key, std::string_view expected) {
  const Json* value = object.find(key);
  const std::string* text = value ? value->as_string() : nullptr;
  if (text && *text == expected) return {};
  return unsupported("{} is {}", key, value ? write_json(*value) : "absent");
}

// Returns `otherwise` if the value is absent or null.
Result<bool> flag_of(const Json& object, std::string_view key, bool otherwise) {
  const Json& value = object.get(key);
  if (value.is_null()) return otherwise;
  if (const auto flag = value.as_bool()) return *flag;
  return unsupported("{} is {}", key, write_json(value));
}

// Accents are stripped when letters are lower-cased, unless the file decides it.
Result<BertNormalizer> read_bert_normalizer(const Json& normalizer) {
  BertNormalizer read;
  QUINTET_CHECK(expect_text(normalizer, "type", "BertNormalizer"));
  QUINTET_TRY(read.clean_text, flag_of(normalizer, "clean_text", true));
  QUINTET_TRY(read.handle_chinese_chars, flag_of(normalizer, "handle_chinese_chars", true));
  QUINTET_TRY(read.lowercase, flag_of(normalizer, "lowercase", true));
  QUINTET_TRY(read.strip_accents, flag_of(normalizer, "strip_accents", read.lowercase));
  return read;
}

Status check_model(const Json& model) {
  QUINTET_CHECK(expect_text(model, "type", "WordPiece"));
  QUINTET_CHECK(expect_text(model, "unk_token", "[UNK]"));
  QUINTET_CHECK(expect_text(model, "continuing_subword_prefix", "##"));
  const Json* max = model.find("max_input_chars_per_word");
  if (max && max->as_uint() == kMaxWordCharacters) return {};
  return unsupported("max_input_chars_per_word is not 100");
}

TokenizerDescription describe(StringTable tokens) {
  TokenizerDescription description;
  description.kind.emplace<WordPieceDescription>();
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
      return format_error(Reason::malformed, 0, "tokenizer.json: the ids must be 0 to {}", tokens.size() - 1);
    }
    tokens[static_cast<size_t>(*id)] = &member.name;
  }
  StringTable table;
  for (const std::string* token : tokens) {
    if (!table.add(*token)) return memory_error(StringTable::kMaxBytes);
  }
  return table;
}

// Added tokens are looked for in the text as written, before it is normalized.
Status take_added(const Json& tokenizer, TokenizerDescription& description) {
  QUINTET_TRY(const auto added, added_tokens(tokenizer));
  description.piece_types.resize(description.tokens.size(), PieceType::normal);
  QUINTET_CHECK(mark_added(added, description));
  description.special = bert_special_ids(description.tokens);
  for (const ListedToken& token : added) {
    if (token.is_normalized && token.type == PieceType::user_defined && description.wordpiece()->normalizer.lowercase) {
      return unsupported("the added token \"{}\" is sought in lower-cased text", token.text);
    }
  }
  return {};
}

// Tokenizers of transformers, other than those called …Bert, that read vocab.txt as BERT's does.
constexpr std::string_view kLikeBert = "Electra MPNet Funnel Lxmert LayoutLM Splinter";

constexpr FixedField kBasicTokenizer[] = {{"do_basic_tokenize", "true"},
                                          {"never_split", "[]"},
                                          {"word_tokenizer_type", R"("basic")"},
                                          {"subword_tokenizer_type", R"("wordpiece")"}};

}  // namespace

Status check_vocab_txt_config(const Json& config) {
  for (const FixedField& field : kBasicTokenizer) {
    QUINTET_CHECK(check_fixed(field, config.find(field.key), "tokenizer_config.json"));
  }
  const std::string* given = config.get("tokenizer_class").as_string();
  if (!given) return {};
  std::string_view name = *given;
  for (const std::string_view ending : {"Fast", "Tokenizer"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  if (name.ends_with("Bert") || is_listed(name, kLikeBert)) return {};
  return unsupported("tokenizer_class is \"{}\"", *given);
}

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
  QUINTET_TRY(const BertNormalizer normalizer, read_bert_normalizer(tokenizer.get("normalizer")));
  QUINTET_CHECK(expect_text(tokenizer.get("pre_tokenizer"), "type", "BertPreTokenizer"));
  const Json& model = tokenizer.get("model");
  QUINTET_CHECK(check_model(model));
  const Json::Object* vocabulary = model.get("vocab").as_object();
  if (!vocabulary) return format_error(Reason::missing, 0, "tokenizer.json: no vocabulary");
  QUINTET_TRY(StringTable tokens, order_by_id(*vocabulary));
  TokenizerDescription description = describe(std::move(tokens));
  description.wordpiece()->normalizer = normalizer;
  QUINTET_CHECK(take_added(tokenizer, description));
  QUINTET_TRY(description.frame, read_frame(tokenizer.get("post_processor")));
  if (description.frame.empty()) {
    description.frame.single = {{.kind = FramePart::Kind::first}};
    description.frame.pair = {{.kind = FramePart::Kind::first}, {.kind = FramePart::Kind::second, .type = 1}};
  }
  return description;
}

Status apply_bert_tokenizer_config(const Json& config, BertNormalizer& normalizer) {
  const bool says_case = !config.get("do_lower_case").is_null();
  QUINTET_TRY(normalizer.lowercase, flag_of(config, "do_lower_case", normalizer.lowercase));
  const bool strips = says_case ? normalizer.lowercase : normalizer.strip_accents;
  QUINTET_TRY(normalizer.strip_accents, flag_of(config, "strip_accents", strips));
  QUINTET_TRY(normalizer.handle_chinese_chars,
              flag_of(config, "tokenize_chinese_chars", normalizer.handle_chinese_chars));
  return {};
}

}  // namespace quintet::huggingface
