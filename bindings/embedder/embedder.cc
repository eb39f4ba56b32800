// EmbedderLoader and Embedder: load the files of an embedder chunk by chunk, and embed texts step by step.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/embedder/loading.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

class Embedder : Counted {
 public:
  explicit Embedder(std::unique_ptr<TextEmbedder> embedder) : embedder_(std::move(embedder)) {}

  size_t dimension() const { return embedder_->dimension(); }
  size_t max_length() const { return embedder_->max_length(); }
  size_t max_positions() const { return embedder_->max_positions(); }
  std::string info() const { return write_json(describe(*embedder_)); }
  // What the model says about its use: { pooling, normalize, prompts, defaultPrompt }.
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
  size_t queued_tokens() const { return embedder_->queued_tokens(); }

  val begin(const std::string& pooling, bool normalize, size_t dimensions) {
    const auto named = pooling_named(pooling);
    if (!named) {
      return failure(
          input_error(Reason::unknown_value, "pooling \"{}\"; supported are mean, cls, max and last", pooling).error());
    }
    return outcome(embedder_->begin({.pooling = *named, .normalize = normalize, .dimensions = dimensions}));
  }
  val step() {
    const Result<bool> done = embedder_->step();
    return done ? success(val(*done)) : failure(done.error());
  }
  val take() { return float32_array(embedder_->take()); }
  void cancel() { embedder_->cancel(); }

 private:
  std::unique_ptr<TextEmbedder> embedder_;
  Window window_;
};

std::string Embedder::usage() const {
  const TextEmbedder::Output output = embedder_->default_output();
  const SentenceConfig& sentence = embedder_->model().sentence;
  Json json = Json::object();
  json.append("pooling", name_of(output.pooling));
  json.append("normalize", output.normalize);
  json.append("prompts", sentence.prompts);
  if (sentence.default_prompt) json.append("defaultPrompt", *sentence.default_prompt);
  return write_json(json);
}

class LoadingEmbedder : public LoadingEncoder {
 public:
  LoadingEmbedder(const std::string& format, size_t attention_heads, bool to_int8)
      : LoadingEncoder(
            EmbedderOptions{.format = format_named(format), .attention_heads = attention_heads, .to_int8 = to_int8}) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    auto model = ended().finish_model();
    if (!model) return failure(model.error());
    return success(val(std::make_shared<Embedder>(std::make_unique<TextEmbedder>(*std::move(model)))));
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
      .constructor<const std::string&, size_t, bool>()
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
      .function("queuedTokens", &Embedder::queued_tokens)
      .function("begin", &Embedder::begin)
      .function("step", &Embedder::step)
      .function("take", &Embedder::take)
      .function("cancel", &Embedder::cancel);
}

}  // namespace quintet::js
