#include "runtime/embedding/embedder_sink.h"

#include <algorithm>
#include <string>
#include <utility>

#include "architectures/encoder/ranking_head.h"
#include "architectures/encoder/tensor_check.h"
#include "formats/embd/sentence_metadata.h"
#include "formats/gguf/pooling.h"
#include "runtime/tokenize/text_frame.h"

namespace quintet {
namespace {

constexpr std::string_view kPoolingIsGuessed =
    "the model does not say how the vectors of its tokens are pooled: mean is a guess";

Result<EncoderConfig> read_config(const ModelDescription& description, size_t heads) {
  return description.format == Format::gguf ? read_encoder_gguf(description) : read_embd_encoder(description, heads);
}

Result<SentenceConfig> read_sentence(const ModelDescription& description) {
  return description.format == Format::gguf ? gguf::read_pooling(description)
                                            : embd::read_sentence_metadata(description.metadata);
}

// A .weights file needs all of BERT's special tokens (docs/formats/weights.md, "Vocabulary").
Status check_bert_specials(const SpecialIds& ids, uint64_t file_end) {
  if (ids.pad && ids.unk && ids.cls && ids.sep && ids.mask) return {};
  return format_error(Reason::missing, file_end, "the vocabulary must have [PAD], [UNK], [CLS], [SEP] and [MASK]");
}

bool has_token(const TokenizerDescription& tokenizer, std::string_view token) {
  for (size_t id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.tokens[id] == token) return true;
  }
  return false;
}

// A GGUF file of a ColBERT model has no pooling, and the tokens ahead of texts. All else is PyLate's default; documents
// may be as long as the model allows.
std::optional<LateInteraction> late_interaction_of(const SentenceConfig& config,
                                                   const TokenizerDescription& tokenizer) {
  LateInteraction late;
  if (config.pooling || !has_token(tokenizer, late.query_prefix) || !has_token(tokenizer, late.document_prefix)) {
    return std::nullopt;
  }
  late.document_length = 0;
  late.skip_punctuation();
  return late;
}

// GGUF does not specify how byte-level encoders frame a text: as BERT, or as RoBERTa with two tokens between texts.
// Decoders add what the file specifies. One whose last token stands for the text was trained with its end there, which
// older files leave to the caller.
void set_byte_level_frame(const EncoderConfig& config, bool is_pooled, TokenizerDescription& tokenizer) {
  if (config.is_causal && is_pooled && !tokenizer.add_eos) tokenizer.add_eos = true;
  if (encoder::family_of(config).has_head_sizes) return;
  const auto begin = tokenizer.special.cls ? tokenizer.special.cls : tokenizer.special.bos;
  const auto end = tokenizer.special.sep ? tokenizer.special.sep : tokenizer.special.eos;
  if (!tokenizer.bpe() || !begin || !end) return;
  using enum FramePart::Kind;
  const bool is_roberta = *end < tokenizer.tokens.size() && tokenizer.tokens[*end] == "</s>";
  TextFrame& frame = tokenizer.frame;
  frame.single = {{.id = *begin}, {.kind = first}, {.id = *end}};
  frame.pair = frame.single;
  if (is_roberta) frame.pair.push_back({.id = *end});
  frame.pair.push_back({.kind = second});
  frame.pair.push_back({.id = *end});
}

}  // namespace

EmbedderSink::EmbedderSink(size_t attention_heads, bool to_int8, EncoderTask task)
    : attention_heads_(attention_heads), task_(task), loader_(weights_, to_int8) {}

void EmbedderSink::describe(ModelDescription description, const EncoderConfig& config, SentenceConfig sentence,
                            bool is_sharded) {
  config_ = config;
  sentence_ = std::move(sentence);
  is_sharded_ = is_sharded;
  loader_.begin(encoder::TensorNames(description, config), config);
  model_.describe(std::move(description));
}

Status EmbedderSink::begin(const ModelDescription& description) {
  QUINTET_CHECK(model_.add(description));
  QUINTET_CHECK(model_.is_described() ? begin_shard(description) : begin_file(description));
  for (const TensorInfo& info : description.tensors) QUINTET_CHECK(loader_.announce(info));
  return {};
}

Status EmbedderSink::read(const ModelDescription& description) {
  if (task_ == EncoderTask::embed) {
    QUINTET_TRY(config_, read_config(description, attention_heads_));
    QUINTET_TRY(sentence_, read_sentence(description));
    return {};
  }
  if (description.format != Format::gguf) {
    return unsupported_error(
        "a reranker or classifier in a {} file; supported are GGUF files and folders of Hugging Face",
        name_of(description.format));
  }
  QUINTET_TRY(EncoderConfig config, read_encoder_gguf(description));
  if (task_ == EncoderTask::classify_tokens) return unsupported_error("GGUF files have no classifier of tokens");
  if (is_classification(task_)) {
    QUINTET_TRY(config.head, read_label_head_gguf(description, sentence_.labels));
  } else {
    QUINTET_TRY(config.head, read_ranking_head_gguf(description));
  }
  config_ = config;
  return {};
}

// The size of the vocabulary and the Dense modules follow from tensors, in whichever file they are.
Status EmbedderSink::read_gguf(const ModelDescription& description) {
  QUINTET_CHECK(read(description));
  for (const DenseModule& module : sentence_.dense) dense_.try_emplace(module.path);
  return {};
}

// If the tensors are known in advance, a model that lacks one is rejected before its data is read.
Status EmbedderSink::begin_file(const ModelDescription& description) {
  if (description.format == Format::safetensors) {
    return input_error(Reason::missing,
                       "a safetensors model needs config.json and the files of its tokenizer before its "
                       "*.safetensors");
  }
  const bool is_gguf = description.format == Format::gguf;
  if (is_gguf || !description.tensors.empty()) QUINTET_CHECK(is_gguf ? read_gguf(description) : read(description));
  const EncoderConfig config = config_.value_or(EncoderConfig());
  loader_.begin(encoder::TensorNames(description, config), config);
  if (!model_.is_split()) return is_gguf ? check_tensors(description) : Status();
  // It can only be checked when the headers of all files were read.
  model_.describe(description);
  is_sharded_ = true;
  return {};
}

Status EmbedderSink::begin_shard(const ModelDescription& description) {
  if (model_.is_split()) return read_gguf(model_.description());
  return is_sharded_ ? Status() : check_tensors(description);
}

Status EmbedderSink::check_tensors(const ModelDescription& description) const {
  if (description.format == Format::gguf) {
    QUINTET_CHECK(check_dense_widths(sentence_.dense, config_->vector_width(), ": its matrix takes "));
  }
  const encoder::TensorNames names(encoder::family_of(*config_), description.format, config_->has_mlm_head);
  return check_encoder_tensors(*config_, names, description.tensors);
}

Result<std::unique_ptr<ByteSink>> EmbedderSink::tensor(const TensorArrival& tensor) {
  for (const DenseModule& module : sentence_.dense) {
    const auto dense = dense_.find(module.path);
    if (dense == dense_.end() || tensor.info.name != module.path + ".weight") continue;
    return dense_weight_sink(module, tensor, dense->second);
  }
  // A flat file does not list its tensors.
  if (!config_) QUINTET_CHECK(loader_.announce(tensor.info));
  return loader_.tensor(tensor);
}

Status EmbedderSink::end(ModelDescription description) {
  if (model_.is_described()) return {};
  if (!config_) QUINTET_CHECK(read(description));
  model_.description() = std::move(description);
  return finish_tokenizer();
}

Status EmbedderSink::finish_tokenizer() {
  QUINTET_CHECK(check_vocabulary());
  ModelDescription& description = model_.description();
  if (description.format != Format::gguf) return {};
  if (task_ == EncoderTask::embed) sentence_.late = late_interaction_of(sentence_, description.tokenizer);
  set_byte_level_frame(*config_, !sentence_.late, description.tokenizer);
  return {};
}

// The table of words may be padded, except in .weights files.
Status EmbedderSink::check_vocabulary() const {
  const ModelDescription& description = model_.description();
  const uint64_t tokens = description.tokenizer.size(), rows = config_->n_vocab;
  const uint64_t end = description.file_size.value_or(0);
  const bool is_weights = description.format == Format::embd;
  if (is_weights ? tokens != rows : tokens > rows) {
    return format_error(Reason::mismatch, end, "{} tokens in the vocabulary, but {} rows of word embeddings", tokens,
                        rows);
  }
  return is_weights ? check_bert_specials(description.tokenizer.special, end) : Status();
}

Status EmbedderSink::check_files() const {
  QUINTET_CHECK(model_.finish());
  Status status = check_tensors(model_.description());
  if (status || !model_.is_split()) return status;
  return in_format(failure_of(std::move(status)), quintet::name_of(model_.description().format));
}

Result<std::unique_ptr<TextEmbedder::Model>> EmbedderSink::finish() {
  if (is_sharded_) QUINTET_CHECK(check_files());
  if (model_.is_described()) QUINTET_CHECK(finish_tokenizer());
  QUINTET_CHECK(loader_.finish());
  ModelDescription& description = model_.description();
  auto model = std::make_unique<TextEmbedder::Model>();
  const bool is_pooled = task_ == EncoderTask::embed && sentence_.vectors() == VectorKind::dense;
  if (is_pooled && !sentence_.pooling) description.warnings.emplace_back(kPoolingIsGuessed);
  QUINTET_TRY(model->codec, TextCodec::create(description));
  model->frame = frame_of(description.tokenizer, model->codec.adds_bos());
  QUINTET_CHECK(check_frame(model->frame, static_cast<size_t>(config_->n_vocab)));
  model->description = std::move(description);
  model->config = *config_;
  model->sentence = std::move(sentence_);
  model->weights = std::move(weights_);
  // Linear layers may be applied to a mean as well as before it.
  if (config_->output_width != 0) {
    model->dense.push_back({.linear = std::move(model->weights.shared[encoder::TensorKind::output_projection])});
  }
  for (auto& [path, dense] : dense_) model->dense.push_back(std::move(dense));
  return model;
}

}  // namespace quintet
