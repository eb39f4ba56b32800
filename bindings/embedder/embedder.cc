// EmbedderLoader and Embedder: load the files of an embedder chunk by chunk, and embed texts step by step.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/embedder/loading.h"
#include "runtime/embedding/token_embedder.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

class Embedder : Counted {
 public:
  // `tokens`: of a model that gives several values for a text, else null.
  Embedder(std::unique_ptr<TextEmbedder> embedder, std::unique_ptr<TokenEmbedder> tokens)
      : embedder_(std::move(embedder)), tokens_(std::move(tokens)) {}

  size_t dimension() const { return embedder_->dimension(); }
  size_t max_length() const { return embedder_->max_length(); }
  size_t max_positions() const { return embedder_->max_positions(); }
  std::string info() const { return write_json(describe(*embedder_)); }
  // The model's usage settings: { vectors, pooling, normalize, prompts, defaultPrompt, maxLengths of queries and
  // documents that get several values }.
  std::string usage() const;

  val text_window(size_t bytes) { return window_.view(bytes); }

  val tokenize(size_t bytes) {
    const auto ids = embedder_->tokenize(window_.text(bytes));
    window_.shrink();
    return ids ? success(int32_array(*ids)) : failure(ids.error());
  }
  val count_tokens(size_t bytes) {
    const auto ids = embedder_->tokenize(window_.text(bytes));
    window_.shrink();
    return ids ? success(val(ids->size())) : failure(ids.error());
  }

  // Empty for an id outside the vocabulary.
  std::string token(uint32_t id) const { return std::string(embedder_->model().codec.token(id)); }

  val queue_text(size_t bytes, size_t prompt_bytes, size_t max_length, bool chunk) {
    using Excess = TextEmbedder::Excess;
    const auto tokens =
        embedder_->queue_text(window_.text(bytes), prompt_bytes, max_length, chunk ? Excess::chunk : Excess::cut);
    window_.shrink();
    return tokens ? success(val(*tokens)) : failure(tokens.error());
  }
  val queue_ids(const val& ids) {
    return outcome(embedder_->queue_ids(emscripten::convertJSArrayToNumberVector<uint32_t>(ids)));
  }
  size_t queued_tokens() const { return tokens_ ? tokens_->queued_tokens() : embedder_->queued_tokens(); }

  // For models that give several values for a text.
  val queue_token_text(size_t bytes, bool is_query, size_t max_length) {
    const auto tokens = tokens_->queue_text(window_.text(bytes), role_of(is_query), max_length);
    window_.shrink();
    return tokens ? success(val(*tokens)) : failure(tokens.error());
  }
  val queue_token_ids(const val& ids, bool is_query) {
    return outcome(tokens_->queue_ids(emscripten::convertJSArrayToNumberVector<uint32_t>(ids), role_of(is_query)));
  }
  val begin_tokens() { return outcome(tokens_->begin()); }
  // { counts, indices, values }: how many entries each text has, and the entries of all.
  val take_tokens();

  val begin(const std::string& pooling, bool normalize, size_t dimensions) {
    const auto named = pooling_named(pooling);
    if (!named) {
      return failure(
          input_error(Reason::unknown_value, "pooling \"{}\"; supported are mean, cls, max and last", pooling).error());
    }
    return outcome(embedder_->begin({.pooling = *named, .normalize = normalize, .dimensions = dimensions}));
  }
  val step() {
    const Result<bool> done = tokens_ ? tokens_->step() : embedder_->step();
    return done ? success(val(*done)) : failure(done.error());
  }
  val take() { return float32_array(embedder_->take()); }
  void cancel() {
    embedder_->cancel();
    if (tokens_) tokens_->cancel();
  }

 private:
  static TextRole role_of(bool is_query) { return is_query ? TextRole::query : TextRole::document; }

  std::unique_ptr<TextEmbedder> embedder_;
  std::unique_ptr<TokenEmbedder> tokens_;
  Window window_;
};

std::string Embedder::usage() const {
  const TextEmbedder::Output output = embedder_->default_output();
  const SentenceConfig& sentence = embedder_->model().sentence;
  Json json = Json::object();
  json.append("vectors", name_of(sentence.vectors()));
  json.append("pooling", name_of(output.pooling));
  json.append("normalize", output.normalize);
  json.append("prompts", sentence.prompts);
  if (sentence.default_prompt) json.append("defaultPrompt", *sentence.default_prompt);
  if (tokens_) {
    Json lengths = Json::object();
    lengths.append("query", uint64_t{tokens_->max_length(TextRole::query)});
    lengths.append("document", uint64_t{tokens_->max_length(TextRole::document)});
    json.append("maxLengths", std::move(lengths));
  }
  return write_json(json);
}

val Embedder::take_tokens() {
  std::vector<uint32_t> counts, indices;
  std::vector<float> values;
  for (const TokenEntries& entries : tokens_->take()) {
    counts.push_back(static_cast<uint32_t>(entries.indices.size()));
    indices.insert(indices.end(), entries.indices.begin(), entries.indices.end());
    values.insert(values.end(), entries.values.begin(), entries.values.end());
  }
  val result = val::object();
  result.set("counts", int32_array(counts));
  result.set("indices", int32_array(indices));
  result.set("values", float32_array(values));
  return result;
}

class LoadingEmbedder : public LoadingEncoder {
 public:
  LoadingEmbedder(const std::string& format, size_t attention_heads, bool to_int8, const std::string& task)
      : LoadingEncoder(EmbedderOptions{.format = format_named(format),
                                       .attention_heads = attention_heads,
                                       .to_int8 = to_int8,
                                       .lora_task = task}) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    auto model = ended().finish_model();
    if (!model) return failure(model.error());
    auto embedder = std::make_unique<TextEmbedder>(*std::move(model));
    auto tokens = TokenEmbedder::create(embedder->model());
    if (!tokens) return failure(tokens.error());
    return success(val(std::make_shared<Embedder>(std::move(embedder), *std::move(tokens))));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(embedder) {
  using namespace emscripten;
  class_<LoadingEncoder>("EncoderLoader")
      .function("beginFile", &LoadingEncoder::begin_file)
      .function("window", &LoadingEncoder::window)
      .function("feed", &LoadingEncoder::feed)
      .function("endFile", &LoadingEncoder::end_file)
      .function("chooseFile", &LoadingEncoder::choose_file)
      .function("headersRead", &LoadingEncoder::headers_read);
  class_<LoadingEmbedder, base<LoadingEncoder>>("EmbedderLoader")
      .constructor<const std::string&, size_t, bool, const std::string&>()
      .function("finish", &LoadingEmbedder::finish);
  class_<Embedder>("Embedder")
      .smart_ptr<std::shared_ptr<Embedder>>("EmbedderPointer")
      .function("dimension", &Embedder::dimension)
      .function("maxLength", &Embedder::max_length)
      .function("maxPositions", &Embedder::max_positions)
      .function("info", &Embedder::info)
      .function("usage", &Embedder::usage)
      .function("textWindow", &Embedder::text_window)
      .function("tokenize", &Embedder::tokenize)
      .function("countTokens", &Embedder::count_tokens)
      .function("token", &Embedder::token)
      .function("queueText", &Embedder::queue_text)
      .function("queueIds", &Embedder::queue_ids)
      .function("queueTokenText", &Embedder::queue_token_text)
      .function("queueTokenIds", &Embedder::queue_token_ids)
      .function("beginTokens", &Embedder::begin_tokens)
      .function("takeTokens", &Embedder::take_tokens)
      .function("queuedTokens", &Embedder::queued_tokens)
      .function("begin", &Embedder::begin)
      .function("step", &Embedder::step)
      .function("take", &Embedder::take)
      .function("cancel", &Embedder::cancel);
}

}  // namespace quintet::js
