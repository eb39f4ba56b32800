// EmbedderLoader and Embedder: load an embedder chunk by chunk, and embed texts step by step.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/intake.h"
#include "runtime/embedding/embedder_loader.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

Result<Pooling> pooling_named(const std::string& name) {
  if (name == "mean") return Pooling::mean;
  if (name == "cls") return Pooling::cls;
  if (name == "max") return Pooling::max;
  return input_error(Reason::unknown_value, "pooling \"" + name + "\"; supported are mean, cls and max");
}

class Embedder : Counted {
 public:
  explicit Embedder(std::unique_ptr<TextEmbedder> embedder) : embedder_(std::move(embedder)) {}

  size_t dimension() const { return embedder_->dimension(); }
  size_t max_length() const { return embedder_->max_length(); }
  size_t max_positions() const { return embedder_->max_positions(); }
  std::string info() const { return write_json(describe(*embedder_)); }

  val text_window(size_t bytes) { return window_.view(bytes); }

  val tokenize(size_t bytes) {
    const std::vector<uint32_t> ids = embedder_->tokenize(window_.text(bytes));
    window_.shrink();
    return success(int32_array(ids));
  }
  val count_tokens(size_t bytes) {
    const size_t tokens = embedder_->tokenize(window_.text(bytes)).size();
    window_.shrink();
    return success(val(tokens));
  }

  // Empty for an id outside the vocabulary.
  std::string token(uint32_t id) const {
    const WordPiece& tokenizer = embedder_->model().tokenizer;
    return id < tokenizer.vocabulary_size() ? std::string(tokenizer.token(id)) : std::string();
  }

  val queue_text(size_t bytes, size_t max_length, bool chunk) {
    using Excess = TextEmbedder::Excess;
    const auto tokens = embedder_->queue_text(window_.text(bytes), max_length, chunk ? Excess::chunk : Excess::cut);
    window_.shrink();
    return tokens ? success(val(*tokens)) : failure(tokens.error());
  }
  val queue_ids(const val& ids) {
    return outcome(embedder_->queue_ids(emscripten::convertJSArrayToNumberVector<uint32_t>(ids)));
  }
  size_t queued_tokens() const { return embedder_->queued_tokens(); }

  val begin(const std::string& pooling, bool normalize) {
    const auto named = pooling_named(pooling);
    return named ? outcome(embedder_->begin(*named, normalize)) : failure(named.error());
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

class LoadingEmbedder : public Intake<EmbedderLoader> {
 public:
  LoadingEmbedder(const std::string& format, double total, size_t attention_heads)
      : Intake({.format = format, .total = total}, read_embedder_model, attention_heads) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return success(val(std::make_shared<Embedder>(sink.take())));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(embedder) {
  using namespace emscripten;
  bind_intake();
  class_<LoadingEmbedder, base<Feed>>("EmbedderLoader")
      .constructor<const std::string&, double, size_t>()
      .function("finish", &LoadingEmbedder::finish);
  class_<Embedder>("Embedder")
      .smart_ptr<std::shared_ptr<Embedder>>("EmbedderPointer")
      .function("dimension", &Embedder::dimension)
      .function("maxLength", &Embedder::max_length)
      .function("maxPositions", &Embedder::max_positions)
      .function("info", &Embedder::info)
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
