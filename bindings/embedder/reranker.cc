// RerankerLoader and Reranker: load the files of a reranker chunk by chunk, and score pairs of texts step by step.

#include "runtime/reranking/reranker.h"

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/embedder/loading.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

class BoundReranker : Counted {
 public:
  explicit BoundReranker(std::unique_ptr<Reranker> reranker) : reranker_(std::move(reranker)) {}

  size_t max_length() const { return reranker_->max_length(); }
  size_t max_positions() const { return reranker_->max_positions(); }
  std::string info() const { return write_json(describe(*reranker_)); }

  val text_window(size_t bytes) { return window_.view(bytes); }
  val set_query(size_t bytes) {
    const Status status = reranker_->set_query(window_.text(bytes));
    window_.shrink();
    return outcome(status);
  }
  val queue_text(size_t bytes, size_t max_length) {
    const auto tokens = reranker_->queue_text(window_.text(bytes), max_length);
    window_.shrink();
    return tokens ? success(val(*tokens)) : failure(tokens.error());
  }
  val queue_ids(const val& ids, const val& types) {
    return outcome(reranker_->queue_ids(emscripten::convertJSArrayToNumberVector<uint32_t>(ids),
                                        emscripten::convertJSArrayToNumberVector<uint8_t>(types)));
  }
  size_t queued_tokens() const { return reranker_->queued_tokens(); }

  val begin() { return outcome(reranker_->begin()); }
  val step() {
    const Result<bool> done = reranker_->step();
    return done ? success(val(*done)) : failure(done.error());
  }
  val take_scores() { return float32_array(reranker_->take_scores()); }
  val take_logits() { return float32_array(reranker_->take_logits()); }
  void cancel() { reranker_->cancel(); }

 private:
  std::unique_ptr<Reranker> reranker_;
  Window window_;
};

class LoadingReranker : public LoadingEncoder {
 public:
  LoadingReranker(const std::string& format, bool to_int8)
      : LoadingEncoder(EmbedderOptions{.format = format_named(format), .to_int8 = to_int8, .task = EncoderTask::rank}) {
  }

  // The value is a handle that JavaScript must delete().
  val finish() {
    auto model = ended().finish_model();
    if (!model) return failure(model.error());
    return success(val(std::make_shared<BoundReranker>(std::make_unique<Reranker>(*std::move(model)))));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(reranker) {
  using namespace emscripten;
  class_<LoadingReranker, base<LoadingEncoder>>("RerankerLoader")
      .constructor<const std::string&, bool>()
      .function("finish", &LoadingReranker::finish);
  class_<BoundReranker>("Reranker")
      .smart_ptr<std::shared_ptr<BoundReranker>>("RerankerPointer")
      .function("maxLength", &BoundReranker::max_length)
      .function("maxPositions", &BoundReranker::max_positions)
      .function("info", &BoundReranker::info)
      .function("textWindow", &BoundReranker::text_window)
      .function("setQuery", &BoundReranker::set_query)
      .function("queueText", &BoundReranker::queue_text)
      .function("queueIds", &BoundReranker::queue_ids)
      .function("queuedTokens", &BoundReranker::queued_tokens)
      .function("begin", &BoundReranker::begin)
      .function("step", &BoundReranker::step)
      .function("takeScores", &BoundReranker::take_scores)
      .function("takeLogits", &BoundReranker::take_logits)
      .function("cancel", &BoundReranker::cancel);
}

}  // namespace quintet::js
