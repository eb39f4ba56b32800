#include "formats/huggingface/folder.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "base/utf8.h"
#include "formats/huggingface/bert_vocabulary.h"
#include "formats/huggingface/post_processor.h"
#include "formats/huggingface/token_list.h"
#include "formats/huggingface/unigram.h"
#include "formats/known_fields.h"
#include "formats/other_files.h"
#include "formats/sentencepiece/model_proto.h"
#include "formats/special_tokens.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kConfig = "config.json", kVocabTxt = "vocab.txt", kTokenizer = "tokenizer.json",
                           kTokenizerModel = "tokenizer.model", kXlmRobertaModel = "sentencepiece.bpe.model",
                           kTokenizerConfig = "tokenizer_config.json", kSpecialTokens = "special_tokens_map.json",
                           kGenerationConfig = "generation_config.json", kChatTemplate = "chat_template.jinja",
                           kShards = "model.safetensors.index.json";
// Files that are not needed, or that repeat the files above.
constexpr std::array<std::string_view, 4> kIgnored = {"added_tokens.json", "vocab.json", "merges.txt",
                                                      "preprocessor_config.json"};

// Buffers that older checkpoints contain in addition to the parameters, by the end of their names.
constexpr std::array<std::string_view, 6> kBuffers = {".inv_freq",       ".masked_bias", ".attn.bias",
                                                      ".attention.bias", "position_ids", "token_type_ids"};

// The other parts of a model of texts and images.
constexpr std::array<std::string_view, 4> kOfImages = {"vision_tower.", "multi_modal_projector.", "model.vision_tower.",
                                                       "model.multi_modal_projector."};

constexpr std::string_view kBert = "bert";  // `model_type`, and the architecture

// The `model_type` of encoders; all others are decoders (architectures/encoder/families.h).
constexpr std::string_view kEncoders[] = {kBert,        "roberta", "xlm-roberta", "camembert",
                                          "distilbert", "mpnet",   "nomic_bert",  "modernbert",
                                          "new",        "gte",     "electra",     "deberta-v2"};

bool is_ignored_file(std::string_view name) {
  for (const std::string_view ignored : kIgnored) {
    if (name == ignored) return true;
  }
  return false;
}

// Python's json module writes Infinity, which is not JSON, for example in `time_step_limit` of Mamba-2. It becomes
// null, padded to the same length, so that offsets in messages stay right.
std::string without_infinities(std::string text) {
  constexpr std::string_view kInfinity = "Infinity", kNull = "null    ";
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\') ++i;
    if (!in_string && text.compare(i, kInfinity.size(), kInfinity) == 0) text.replace(i, kNull.size(), kNull);
  }
  return text;
}

Result<Json> parse_object(std::string_view text) {
  auto json = parse_json(text);
  if (!json) {
    QUINTET_CHECK(check_kind(text, Expected::json));
    return json;
  }
  if (!json->as_object()) return format_error(Reason::malformed, 0, "not an object");
  return json;
}

// A model of texts and images has the configuration of its decoder in `text_config`. Fields about both are
// outside.
Json decoder_config_of(Json config) {
  const Json* inner = config.find("text_config");
  if (!inner || !inner->find("model_type")) return config;
  Json text = *inner;
  for (const std::string_view key : {"_name_or_path", "tie_word_embeddings", "quantization_config", "eos_token_id"}) {
    const Json* value = config.find(key);
    if (value && !text.find(key)) text.append(key, *value);
  }
  return text;
}

// The shards are separate files; the index only lists which tensor is in which.
Status check_shards(std::string_view text) {
  QUINTET_TRY(const Json index, parse_object(text));
  const Json* map = index.find("weight_map");
  if (!map || !map->as_object()) return format_error(Reason::missing, 0, "no weight_map");
  for (const auto& [tensor, file] : *map->as_object()) {
    if (!file.as_string()) return format_error(Reason::malformed, 0, "no file for the tensor \"{}\"", tensor);
  }
  return {};
}

Failure no_config() { return input_error(Reason::missing, "there is a vocabulary, but no config.json"); }

// Adds the name of the file to errors that do not contain it.
void name_file(Error& error, std::string_view file) {
  if (!error.detail.starts_with(file)) error.detail = formatted("{}: {}", file, error.detail);
}

template <class T>
Result<T> in_file(Result<T> result, std::string_view file) {
  if (!result) name_file(result.error(), file);
  return result;
}

// "mistralai/Mistral-7B-v0.1" -> "Mistral-7B-v0.1".
std::string model_name(const Json& config, std::string_view model_type) {
  const Json* path = config.find("_name_or_path");
  const std::string* text = path ? path->as_string() : nullptr;
  std::string name = text ? text->substr(text->find_last_of('/') + 1) : "";
  return name.empty() ? std::string(model_type) : name;
}

// Adds pieces after those of the model, as Phi-3 has them. The proto does not contain them, so it no longer represents
// the tokenizer. A special piece of the model is a control piece, even if the proto has it as user-defined (Gemma's
// <start_of_turn>).
Status append(const std::vector<ListedToken>& added, TokenizerDescription& tokenizer) {
  SentencePieceDescription& pieces = *tokenizer.sentencepiece();
  for (const ListedToken& token : added) {
    if (token.id < tokenizer.size()) {
      PieceType& type = tokenizer.piece_types[token.id];
      const bool special = token.type == PieceType::control && tokenizer.tokens[token.id] == token.text;
      if (special && type == PieceType::user_defined) type = PieceType::control;
      continue;
    }
    if (token.id != tokenizer.size()) {
      return format_error(Reason::missing, 0, "no token has the id {}", tokenizer.size());
    }
    if (!tokenizer.tokens.add(token.text)) return memory_error(StringTable::kMaxBytes);
    tokenizer.piece_types.push_back(token.type);
    pieces.scores.push_back(0);
    pieces.proto.clear();
  }
  return {};
}

// A step before the others, as sentence-transformers adds it (base/modules/transformer.py), unless there is one. In
// BERT's normalizer the order makes no difference.
void add_lower_case(TokenizerDescription& tokenizer) {
  WordPieceDescription* wordpiece = tokenizer.wordpiece();
  if (wordpiece) wordpiece->normalizer.lowercase = true;
  std::vector<NormalizerStep>& steps = tokenizer.normalizer;
  if (wordpiece || std::ranges::find(steps, NormalizerKind::lowercase, &NormalizerStep::kind) != steps.end()) return;
  std::vector<NormalizerStep> all;
  all.emplace_back().kind = NormalizerKind::lowercase;
  for (NormalizerStep& step : steps) all.push_back(std::move(step));
  steps = std::move(all);
}

// tokenizer_config.json finally decides whether a text starts and ends with a special token.
void set_added_tokens(const Json& config, TokenizerDescription& tokenizer) {
  const auto flag = [&config](std::string_view key) {
    const Json* value = config.find(key);
    return value ? value->as_bool() : std::nullopt;
  };
  const auto add_bos = flag("add_bos_token");
  const auto add_eos = flag("add_eos_token");
  const std::vector<FramePart>& parts = tokenizer.frame.single;
  const bool begins = !parts.empty() && parts.front().kind == FramePart::Kind::token;
  const bool ends = !parts.empty() && parts.back().kind == FramePart::Kind::token;
  if (add_bos) tokenizer.add_bos = add_bos;
  tokenizer.add_eos = add_eos.value_or(ends);
  if (add_bos.value_or(begins) != begins || *tokenizer.add_eos != ends) tokenizer.frame = {};
}

Failure no_tokenizer() {
  return input_error(Reason::missing, "there is no tokenizer.json, tokenizer.model or vocab.txt");
}

}  // namespace

bool Folder::takes(std::string_view name) {
  return name == kConfig || name == kVocabTxt || name == kTokenizer || name == kTokenizerModel ||
         name == kXlmRobertaModel || name == kTokenizerConfig || name == kSpecialTokens || name == kGenerationConfig ||
         name == kChatTemplate || name == kShards || is_ignored_file(name);
}

Status Folder::add(std::string_view name, std::string_view text) {
  if (name == kConfig) return in_file(add_config(text), name);
  if (name == kTokenizer) return in_file(add_tokenizer(text), name);
  if (name == kShards) return in_file(check_shards(text), name);
  if (name == kTokenizerModel || name == kXlmRobertaModel) {
    sentencepiece_ = text;  // parsed only if needed: Llama 3's is something else
    is_xlm_roberta_ = name == kXlmRobertaModel;
  } else if (name == kVocabTxt) {
    vocab_txt_ = text;
  } else if (name == kTokenizerConfig) {
    QUINTET_TRY(tokenizer_config_, in_file(parse_object(text), name));
    constexpr FixedField kSplits = {"split_special_tokens", "false"};
    QUINTET_CHECK(check_fixed(kSplits, tokenizer_config_.find(kSplits.key), name));
  } else if (name == kSpecialTokens) {
    QUINTET_TRY(special_tokens_map_, in_file(parse_object(text), name));
  } else if (name == kGenerationConfig) {
    QUINTET_TRY(generation_config_, in_file(parse_object(text), name));
  } else if (name == kChatTemplate) {
    QUINTET_CHECK(in_file(check_kind(text, Expected::text), name));
    if (find_invalid_utf8(text)) return fail(Code::format, Reason::invalid_utf8, "{}: ", name);
    chat_template_ = text;
  }
  return {};
}

Status Folder::add_config(std::string_view text) {
  QUINTET_TRY(Json config, parse_object(without_infinities(std::string(text))));
  config_ = decoder_config_of(std::move(config));
  const Json* type = config_->find("model_type");
  const std::string* model_type = type ? type->as_string() : nullptr;
  const bool is_encoder = model_type && std::ranges::find(kEncoders, *model_type) != std::end(kEncoders);
  is_decoder_ = type && !is_encoder;
  return {};
}

Status Folder::add_tokenizer(std::string_view text) {
  QUINTET_TRY(Json tokenizer, parse_object(text));
  const std::string* direction = tokenizer.get("truncation").get("direction").as_string();
  truncates_left_ = direction && *direction == "Left";
  const Json& pre_tokenizer = tokenizer.get("pre_tokenizer");
  const std::string* step = pre_tokenizer.get("type").as_string();
  if (step && *step == "ByteLevel") adds_prefix_space_ = pre_tokenizer.get("add_prefix_space").as_bool().value_or(true);
  const Json* model = tokenizer.find("model");
  if (!model) return format_error(Reason::missing, 0, "no model");
  const Json* type = model->find("type");
  const std::string_view kind = type && type->as_string() ? std::string_view(*type->as_string()) : "";
  if (kind == "Unigram") {
    QUINTET_TRY(unigram_, read_unigram(tokenizer));
  } else if (kind == "BPE") {
    QUINTET_TRY(bpe_, read_bpe(tokenizer));
    if (const Json* added = tokenizer.find("added_tokens")) {
      added_tokens_ = Json::object();
      added_tokens_.append("added_tokens", *added);
    }
  } else {
    wordpiece_ = std::move(tokenizer);
  }
  return {};
}

Result<ModelDescription> Folder::describe() {
  if (!config_) return no_config();
  return is_decoder_ ? describe_decoder() : describe_encoder();
}

Result<ModelDescription> Folder::describe_encoder() {
  if (!has_tokenizer())
    return input_error(Reason::missing, "there is a config.json, but no vocab.txt or tokenizer.json");
  // tokenizer_config.json, where the right side is said again, is checked with the files of sentence-transformers.
  if (truncates_left_ && !tokenizer_config_.find("truncation_side")) {
    return unsupported_error("tokenizer.json: truncation.direction is \"Left\", supported: \"Right\"");
  }
  ModelDescription description;
  description.format = Format::safetensors;
  const std::string* model_type = config_->get("model_type").as_string();
  description.architecture = model_type ? std::string_view(*model_type) : kBert;
  if (wordpiece_ || vocab_txt_) {
    QUINTET_TRY(description.tokenizer, bert_tokenizer());
  } else {
    QUINTET_TRY(description.tokenizer, decoder_tokenizer());
  }
  if (lowers_texts_) add_lower_case(description.tokenizer);
  description.metadata.append("name", model_name(*config_, description.architecture));
  description.config = std::move(*config_);
  return description;
}

// tokenizer.json contains more than vocab.txt.
Result<TokenizerDescription> Folder::bert_tokenizer() {
  if (!wordpiece_) {
    QUINTET_CHECK(in_file(check_kind(*vocab_txt_, Expected::text), kVocabTxt));
    QUINTET_CHECK(in_file(check_vocab_txt_config(tokenizer_config_), kTokenizerConfig));
  }
  QUINTET_TRY(TokenizerDescription tokenizer, wordpiece_ ? in_file(read_wordpiece(*wordpiece_), kTokenizer)
                                                         : in_file(read_vocab_txt(*vocab_txt_), kVocabTxt));
  QUINTET_CHECK(
      in_file(apply_bert_tokenizer_config(tokenizer_config_, tokenizer.wordpiece()->normalizer), kTokenizerConfig));
  return tokenizer;
}

Result<ModelDescription> Folder::describe_decoder() {
  if (!config_) return no_config();
  ModelDescription description;
  if (!is_decoder_) {
    description.architecture = kBert;
    return description;
  }
  description.format = Format::safetensors;
  const Json* model_type = config_->find("model_type");
  if (model_type && model_type->as_string()) description.architecture = *model_type->as_string();
  description.metadata.append("name", model_name(*config_, description.architecture));
  description.config = *config_;
  QUINTET_CHECK(describe_text(description));
  if (tokens_ahead(description.tokenizer.frame) > 1) {
    return unsupported_error("more than one special token at the start of a text is not supported");
  }
  return description;
}

Result<ModelDescription> Folder::describe_tokenizer() {
  if (!has_tokenizer()) return no_tokenizer();
  ModelDescription description;
  if (wordpiece_ || vocab_txt_) {
    QUINTET_TRY(description.tokenizer, bert_tokenizer());
  } else {
    QUINTET_CHECK(describe_text(description));
  }
  if (lowers_texts_) add_lower_case(description.tokenizer);
  return description;
}

Result<ModelDescription> Folder::describe_subword_tokenizer() {
  ModelDescription description;
  QUINTET_TRY(description.tokenizer, subword_tokenizer());
  if (lowers_texts_) add_lower_case(description.tokenizer);
  return description;
}

Status Folder::describe_text(ModelDescription& description) {
  // One template, or a list with names: [{"name": "default", "template": "..."}, ...].
  const Json* said = tokenizer_config_.find("chat_template");
  if (chat_template_) {
    description.metadata.append("chat_template", std::move(*chat_template_));
  } else if (said && (said->as_string() || said->as_array())) {
    description.metadata.append("chat_template", *said);
  }
  QUINTET_TRY(description.tokenizer, decoder_tokenizer());
  return {};
}

Result<TokenizerDescription> Folder::decoder_tokenizer() {
  const bool is_whole = unigram_ || wordpiece_ || vocab_txt_ || (bpe_ && bpe_->bpe());
  if (!sentencepiece_ || is_whole) return subword_tokenizer();
  QUINTET_TRY(TokenizerDescription tokenizer,
              in_file(from_tokenizer_model(), is_xlm_roberta_ ? kXlmRobertaModel : kTokenizerModel));
  QUINTET_CHECK(complete(tokenizer));
  return tokenizer;
}

// A model without a tokenizer is valid: it only accepts and returns ids.
Result<TokenizerDescription> Folder::subword_tokenizer() {
  if (wordpiece_ || vocab_txt_) {
    return unsupported_error("the tokenizer must be BPE or SentencePiece");
  }
  TokenizerDescription tokenizer;
  if (!unigram_ && !bpe_) return tokenizer;
  tokenizer = std::move(unigram_ ? *unigram_ : *bpe_);
  QUINTET_CHECK(complete(tokenizer));
  return tokenizer;
}

Status Folder::complete(TokenizerDescription& tokenizer) {
  const auto prefixes = tokenizer_config_.get("add_prefix_space").as_bool();
  if (adds_prefix_space_ && prefixes && *prefixes != *adds_prefix_space_) {
    return unsupported_error("add_prefix_space differs between tokenizer_config.json and tokenizer.json");
  }
  QUINTET_CHECK(in_file(set_named_specials(special_tokens_map_, tokenizer), kSpecialTokens));
  QUINTET_CHECK(in_file(set_named_specials(tokenizer_config_, tokenizer), kTokenizerConfig));
  if (config_) QUINTET_CHECK(in_file(fill_special_ids(*config_, tokenizer), kConfig));
  QUINTET_CHECK(in_file(fill_special_ids(generation_config_, tokenizer), kGenerationConfig));
  set_added_tokens(tokenizer_config_, tokenizer);
  complete_end_tokens(tokenizer);
  return {};
}

// It contains more than tokenizer.json, except for added tokens.
Result<TokenizerDescription> Folder::from_tokenizer_model() {
  QUINTET_CHECK(check_kind(*sentencepiece_, Expected::text));
  QUINTET_TRY(TokenizerDescription tokenizer, sentencepiece::read_model_proto(as_bytes(*sentencepiece_)));
  if (is_xlm_roberta_) return with_xlm_roberta_ids(tokenizer);
  QUINTET_TRY(const auto added, added_tokens(added_tokens_.is_null() ? tokenizer_config_ : added_tokens_));
  QUINTET_CHECK(append(added, tokenizer));
  set_token_rules(added, tokenizer);
  if (bpe_) {
    tokenizer.add_bos = bpe_->add_bos;
    tokenizer.frame = std::move(bpe_->frame);
  }
  return tokenizer;
}

bool is_ignored_tensor(std::string_view name) {
  for (const std::string_view buffer : kBuffers) {
    if (name.ends_with(buffer)) return true;
  }
  return std::ranges::any_of(kOfImages, [name](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace quintet::huggingface
