// LabelerLoader and Labeler: load the files of a classifier of texts or of their tokens chunk by chunk, and compute the
// logits of its labels step by step.

#include "runtime/labeling/labeler.h"

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/embedder/loading.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

class BoundLabeler : Counted {
 public:
  explicit BoundLabeler(std::unique_ptr<Labeler> labeler) : labeler_(std::move(labeler)) {}

  size_t max_length() const { return labeler_->max_length(); }
  size_t max_positions() const { return labeler_->max_positions(); }
  std::string info() const { return write_json(describe(*labeler_)); }
  // { labels, scores, marksContinuations }.
  std::string usage() const;

  val text_window(size_t bytes) { return window_.view(bytes); }
  val queue_text(size_t bytes, size_t max_length) {
    return queued(labeler_->queue_text(window_.text(bytes), max_length));
  }
  val queue_pair(size_t bytes, size_t first_bytes, size_t max_length) {
    const std::string_view both = window_.text(bytes);
    return queued(labeler_->queue_pair(both.substr(0, first_bytes), both.substr(first_bytes), max_length));
  }
  val queue_windows(size_t bytes, size_t max_length) {
    const Status status = labeler_->queue_windows(window_.text(bytes), max_length);
    window_.shrink();
    return outcome(status);
  }
  val queue_ids(const val& ids, const val& types) {
    return outcome(labeler_->queue_ids(emscripten::convertJSArrayToNumberVector<uint32_t>(ids),
                                       emscripten::convertJSArrayToNumberVector<uint8_t>(types)));
  }
  size_t queued_tokens() const { return labeler_->queued_tokens(); }
  // Three numbers each: begin, end, characters.
  val tokens() const;

  val begin() { return outcome(labeler_->begin()); }
  val step() {
    const Result<bool> done = labeler_->step();
    return done ? success(val(*done)) : failure(done.error());
  }
  val take_logits() { return float32_array(labeler_->take_logits()); }
  void cancel() { labeler_->cancel(); }

 private:
  val queued(const Result<size_t>& tokens) {
    window_.shrink();
    return tokens ? success(val(*tokens)) : failure(tokens.error());
  }

  std::unique_ptr<Labeler> labeler_;
  Window window_;
};

std::string BoundLabeler::usage() const {
  constexpr std::string_view kScores[] = {"logits", "sigmoid", "softmax"};  // in the order of LabelScores
  Json names = Json::array();
  for (const std::string& name : labeler_->labels().names) names.push_back(name);
  Json json = Json::object();
  json.append("labels", std::move(names));
  json.append("scores", kScores[static_cast<size_t>(labeler_->labels().scores)]);
  json.append("marksContinuations", labeler_->marks_continuations());
  return write_json(json);
}

val BoundLabeler::tokens() const {
  std::vector<uint32_t> numbers;
  for (const Labeler::Token& token : labeler_->tokens()) {
    numbers.insert(numbers.end(), {token.place.begin, token.place.end, token.characters});
  }
  return int32_array(numbers);
}

class LoadingLabeler : public LoadingEncoder {
 public:
  LoadingLabeler(const std::string& format, bool to_int8, bool is_per_token)
      : LoadingEncoder(
            EmbedderOptions{.format = format_named(format),
                            .to_int8 = to_int8,
                            .task = is_per_token ? EncoderTask::classify_tokens : EncoderTask::classify_texts}) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    auto model = ended().finish_model();
    if (!model) return failure(model.error());
    return success(val(std::make_shared<BoundLabeler>(std::make_unique<Labeler>(*std::move(model)))));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(labeler) {
  using namespace emscripten;
  class_<LoadingLabeler, base<LoadingEncoder>>("LabelerLoader")
      .constructor<const std::string&, bool, bool>()
      .function("finish", &LoadingLabeler::finish);
  class_<BoundLabeler>("Labeler")
      .smart_ptr<std::shared_ptr<BoundLabeler>>("LabelerPointer")
      .function("maxLength", &BoundLabeler::max_length)
      .function("maxPositions", &BoundLabeler::max_positions)
      .function("info", &BoundLabeler::info)
      .function("usage", &BoundLabeler::usage)
      .function("textWindow", &BoundLabeler::text_window)
      .function("queueText", &BoundLabeler::queue_text)
      .function("queuePair", &BoundLabeler::queue_pair)
      .function("queueWindows", &BoundLabeler::queue_windows)
      .function("queueIds", &BoundLabeler::queue_ids)
      .function("queuedTokens", &BoundLabeler::queued_tokens)
      .function("tokens", &BoundLabeler::tokens)
      .function("begin", &BoundLabeler::begin)
      .function("step", &BoundLabeler::step)
      .function("takeLogits", &BoundLabeler::take_logits)
      .function("cancel", &BoundLabeler::cancel);
}

}  // namespace quintet::js
