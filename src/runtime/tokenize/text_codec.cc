#include "runtime/tokenize/text_codec.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "runtime/model_folder/chat_templates.h"
#include "tokenizers/utf8_stream.h"

namespace quintet {
namespace {

// Positions in a text have 32 bits.
constexpr uint64_t kMaxTextBytes = UINT32_MAX - 1;

Failure no_tokenizer() {
  return unsupported_error(
      "the model file has no SentencePiece, BPE or WordPiece tokenizer: use token ids instead of texts");
}

}  // namespace

Result<TextCodec> TextCodec::create(ModelDescription& description, CreateTokenizer& create_tokenizer) {
  QUINTET_TRY(TokenizerPipeline pipeline, create_tokenizer(description.tokenizer));
  const TokenizerDescription& tokenizer = description.tokenizer;
  TextCodec codec;
  codec.tokenizer_ = std::move(pipeline.tokenizer);
  codec.normalizer_ = std::move(pipeline.normalizer);
  codec.take_added_tokens(std::move(pipeline.added_tokens), pipeline.seeks_user_defined, tokenizer.special);
  codec.ends_ = tokenizer.ends;
  codec.bos_ = tokenizer.special.bos;
  codec.adds_bos_ = tokenizer.add_bos.value_or(pipeline.wants_bos);
  codec.begins_once_ = pipeline.begins_once;
  return codec;
}

std::string TextCodec::chat(const ModelDescription& description) const {
  if (!tokenizer_) return "{}";
  return write_json(describe_chat(description.metadata, description.tokenizer.special, *tokenizer_));
}

void TextCodec::take_added_tokens(std::vector<AddedToken> tokens, bool seeks_user_defined, const SpecialIds& special) {
  std::vector<SpecialToken> spelled, added, normalized;
  for (const auto& id : {special.bos, special.eos, special.cls, special.sep}) {
    if (id) special_ids_.push_back(*id);
  }
  for (auto& [token, type, is_normalized] : tokens) {
    const bool user_defined = type == PieceType::user_defined;
    if (type == PieceType::control) special_ids_.push_back(token.id);
    if (user_defined && !seeks_user_defined) continue;
    token.anywhere = user_defined;
    if (user_defined && !is_normalized) added.push_back(token);
    (is_normalized ? normalized : spelled).push_back(std::move(token));
  }
  heap_sort(special_ids_);
  special_tokens_ = SpecialTokens(std::move(spelled));
  added_tokens_ = SpecialTokens(std::move(added));
  normalized_tokens_ = SpecialTokens(std::move(normalized));
}

// The tokens of a text so far, with their texts on request.
class TextCodec::Tokens {
 public:
  explicit Tokens(bool has_spelling) : has_spelling_(has_spelling) {}

  void add(uint32_t id, std::string_view text) {
    ids.push_back(id);
    if (!has_spelling_) return;
    spelling.text += text;
    spelling.ends.push_back(spelling.text.size());
  }
  Status encode(const Tokenizer& tokenizer, std::string_view text, bool begins) {
    return has_spelling_ ? tokenizer.encode(text, begins, ids, spelling) : tokenizer.encode(text, begins, ids);
  }

  std::vector<uint32_t> ids;
  TokenSpelling spelling;

 private:
  bool has_spelling_;
};

Status TextCodec::append_ids(std::string_view text, const SpecialTokens& spelled, const TextOrigin& origin,
                             Tokens& tokens) const {
  bool begins = true;
  for (size_t at = 0; at < text.size();) {
    const auto found = spelled.next(text, at, origin);
    const size_t end = found ? found->begin : text.size();
    if (end != at) QUINTET_CHECK(append_part(text.substr(at, end - at), begins, tokens));
    if (!found) break;
    tokens.add(found->id, text.substr(end, found->size));
    // As in the references, text after a special token is treated as a new text.
    begins = is_special(found->id) && !begins_once_;
    at = end + found->size;
  }
  return {};
}

Status TextCodec::append_part(std::string_view text, bool begins, Tokens& tokens) const {
  if (normalized_tokens_.empty()) return tokens.encode(*tokenizer_, text, begins);
  std::string buffer;
  QUINTET_TRY(text, normalizer_.normalize(text, buffer));
  for (size_t at = 0; at < text.size();) {
    const auto found = normalized_tokens_.next(text, at);
    const size_t end = found ? found->begin : text.size();
    if (end != at) QUINTET_CHECK(tokens.encode(*tokenizer_, text.substr(at, end - at), begins));
    if (!found) break;
    tokens.add(found->id, text.substr(end, found->size));
    begins = false;
    at = end + found->size;
  }
  return {};
}

Result<std::vector<uint32_t>> TextCodec::encode(std::string_view text, const EncodeOptions& options) const {
  if (!tokenizer_) return no_tokenizer();
  if (text.size() > kMaxTextBytes) return input_error(Reason::limit, "a text of 4 GB or more");
  Tokens tokens(false);
  if (options.add_bos && adds_bos_ && bos_) tokens.ids.push_back(*bos_);
  QUINTET_CHECK(append_ids(text, options.parse_special ? special_tokens_ : added_tokens_, {}, tokens));
  return std::move(tokens.ids);
}

Result<TextCodec::PlacedIds> TextCodec::encode_with_places(std::string_view text) const {
  if (!tokenizer_) return no_tokenizer();
  if (text.size() > kMaxTextBytes) return input_error(Reason::limit, "a text of 4 GB or more");
  Tokens tokens(true);
  QUINTET_CHECK(append_ids(text, special_tokens_, {}, tokens));
  const auto normalized = [this](std::string_view part) -> Result<std::string> {
    std::string buffer;
    QUINTET_TRY(part, normalizer_.normalize(part, buffer));
    return tokenizer_->normalized(part);
  };
  QUINTET_TRY(auto places, find_token_places(text, tokens.spelling, normalized));
  return PlacedIds{.ids = std::move(tokens.ids), .places = std::move(places)};
}

Result<std::string> TextCodec::decode(std::span<const uint32_t> ids, bool skip_special) const {
  if (!tokenizer_) return no_tokenizer();
  Utf8Stream characters;
  std::string text;
  std::string bytes;
  bool begins = true;
  for (const uint32_t id : ids) {
    if (id >= tokenizer_->size()) {
      return input_error(Reason::out_of_range, "token id {}, but the vocabulary has {} tokens", id, tokenizer_->size());
    }
    const bool special = is_special(id);
    if (special && skip_special) continue;
    bytes.clear();
    tokenizer_->decode(id, begins, bytes);
    if (special && bytes.empty()) bytes = tokenizer_->token(id);  // a control token, which has no text
    text += characters.push(bytes);
    begins = false;
  }
  return text + characters.finish();
}

void TextCodec::append_bytes(uint32_t id, bool begins, std::string& bytes) const {
  if (!tokenizer_ || id >= tokenizer_->size() || is_special(id)) return;
  tokenizer_->decode(id, begins, bytes);
}

std::string TextCodec::written(uint32_t id) const {
  if (is_special(id)) return std::string(token(id));
  std::string bytes;
  append_bytes(id, false, bytes);
  return bytes;
}

std::string_view TextCodec::token(uint32_t id) const {
  return tokenizer_ && id < tokenizer_->size() ? tokenizer_->token(id) : std::string_view();
}

std::optional<uint32_t> TextCodec::find(std::string_view token) const {
  return tokenizer_ ? tokenizer_->find(token) : std::nullopt;
}

Result<std::vector<uint32_t>> TextCodec::encode_chat(std::string_view text, const TextOrigin& origin) const {
  if (!tokenizer_) return no_tokenizer();
  if (text.size() > kMaxTextBytes) return input_error(Reason::limit, "a text of 4 GB or more");
  Tokens tokens(false);
  QUINTET_CHECK(append_ids(text, special_tokens_, origin, tokens));
  return std::move(tokens.ids);
}

bool TextCodec::is_end(uint32_t id) const { return std::ranges::find(ends_, id) != ends_.end(); }

bool TextCodec::is_special(uint32_t id) const { return std::ranges::binary_search(special_ids_, id); }

}  // namespace quintet
