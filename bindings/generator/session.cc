#include "bindings/generator/session.h"

#include <emscripten/bind.h>

#include <vector>

#include "bindings/cache_writer.h"
#include "bindings/intake.h"
#include "runtime/kv/cache_options.h"
#include "runtime/kv/cache_writer.h"
#include "runtime/kv/kv_cache_sink.h"

namespace quintet::js {
namespace {

// A number of tokens as a JavaScript number: in 64-bit memory a size_t would become a BigInt.
val outcome_of(const Result<size_t>& number) {
  return number ? success(val(static_cast<uint32_t>(*number))) : failure(number.error());
}

std::string name_of(EndReason reason) {
  switch (reason) {
    case EndReason::stop:
      return "stop";
    case EndReason::length:
      return "length";
    case EndReason::eos:
      return "eos";
  }
  return "length";
}

val object_of(const TokenProbability& token) {
  val out = val::object();
  out.set("id", token.id);
  out.set("text", token.text);
  out.set("logprob", token.logprob);
  return out;
}

val object_of(const GeneratedToken& token) {
  val out = val::object();
  out.set("id", token.id ? static_cast<double>(*token.id) : -1.0);
  out.set("text", token.text);
  if (token.logprob) {
    out.set("logprob", *token.logprob);
    val top = val::array();
    for (const TokenProbability& entry : token.top) top.call<void>("push", object_of(entry));
    out.set("top", top);
  }
  if (token.was_guessed) out.set("wasGuessed", true);
  if (token.reason) out.set("reason", name_of(*token.reason));
  return out;
}

val outcome_of(const Result<GeneratedToken>& token) {
  return token ? success(object_of(*token)) : failure(token.error());
}

Result<kv::CacheWriter> writer_of(const GenerationSession& session, const std::string& json) {
  QUINTET_TRY(const auto options, kv::read_save_options(json));
  QUINTET_TRY(auto content, session.content(options.sampler));
  QUINTET_TRY(const auto storage, kv::storage_for(options, content.cache.shape().common_head_dim()));
  return kv::CacheWriter::create(std::move(content), storage);
}

Parse<void> read_cache(ByteStream& in, std::optional<Format>, ModelSink& sink, ReadOptions) {
  return kv::read_cache(in, static_cast<kv::KvCacheSink&>(sink));
}

// Reads a KV cache file chunk by chunk; at the end it replaces the content of the session. Keeps the session alive.
class CacheLoader : public Intake<kv::KvCacheSink> {
 public:
  CacheLoader(std::shared_ptr<GenerationSession> session, double total, kv::LoadOptions options)
      : Intake({.format = "", .total = total}, read_cache, session->cache_target()),
        session_(std::move(session)),
        options_(std::move(options)) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return outcome(session_->restore(sink.take(), std::move(options_.tokens), options_.sampler));
  }

 private:
  std::shared_ptr<GenerationSession> session_;
  kv::LoadOptions options_;
};

}  // namespace

val session_handle(Result<std::unique_ptr<GenerationSession>> session) {
  if (!session) return failure(session.error());
  return success(val(std::make_shared<Session>(std::move(*session))));
}

val Session::fork() const { return session_handle(session_->fork()); }

val Session::rewind(double length) {
  // Anything that is not an index is treated as beyond every length.
  const bool is_index = length >= 0 && length <= static_cast<double>(UINT32_MAX);
  return outcome(session_->rewind(is_index ? static_cast<size_t>(length) : SIZE_MAX));
}

uint32_t Session::reusable(const val& ids) const {
  return static_cast<uint32_t>(session_->reusable(emscripten::convertJSArrayToNumberVector<uint32_t>(ids)));
}

val Session::begin(const val& ids, bool replace) {
  return outcome_of(session_->begin(emscripten::convertJSArrayToNumberVector<uint32_t>(ids), replace));
}

val Session::left() { return outcome_of(session_->left()); }

val Session::logits() const {
  const auto logits = session_->logits();
  return logits ? success(float32_array(*logits)) : failure(logits.error());
}

val Session::begin_waiting() { return outcome_of(session_->begin_waiting()); }

val Session::save_cache(const std::string& options) const { return cache_writer_handle(writer_of(*session_, options)); }

val Session::load_cache(double total, const std::string& options) const {
  auto read = kv::read_load_options(options);
  if (!read) return failure(read.error());
  return success(val(std::make_shared<CacheLoader>(session_, total, *std::move(read))));
}

val Session::begin_scoring(const val& ids, bool after_held) {
  return outcome_of(session_->begin_scoring(emscripten::convertJSArrayToNumberVector<uint32_t>(ids), after_held));
}

val Session::scores() const {
  const Scoring* const scoring = session_->scoring();
  if (!scoring || !scoring->done())
    return failure({.code = Code::input, .reason = Reason::out_of_range, .detail = "no scoring has been completed"});
  val out = val::object();
  out.set("sum", scoring->sum());
  out.set("count", static_cast<uint32_t>(scoring->count()));
  return success(out);
}

val Session::take_logits() {
  Scoring* const scoring = session_->scoring();
  return float32_array(scoring ? scoring->take_logits() : std::vector<float>());
}

val Session::start_generation(const std::string& options) {
  const auto read = read_generation_options(options);
  return read ? outcome(session_->start_generation(*read)) : failure(read.error());
}

val Session::set_logits(const val& logits) {
  return outcome(session_->set_logits(emscripten::convertJSArrayToNumberVector<float>(logits)));
}

val Session::mask_window() {
  const auto mask = session_->mask();
  return val(emscripten::typed_memory_view(mask.size(), mask.data()));
}

val Session::choose() { return outcome_of(session_->choose()); }
val Session::guess(const val& ids) {
  return outcome(session_->guess(emscripten::convertJSArrayToNumberVector<uint32_t>(ids)));
}
val Session::finish() { return outcome_of(session_->finish()); }

EMSCRIPTEN_BINDINGS(session) {
  using namespace emscripten;
  bind_intake();
  bind_cache_writer();
  class_<CacheLoader, base<Feed>>("CacheLoader")
      .smart_ptr<std::shared_ptr<CacheLoader>>("CacheLoaderPointer")
      .function("finish", &CacheLoader::finish);
  class_<Session>("Session")
      .smart_ptr<std::shared_ptr<Session>>("SessionPointer")
      .function("length", &Session::length)
      .function("tokens", &Session::tokens)
      .function("fork", &Session::fork)
      .function("rewind", &Session::rewind)
      .function("reusable", &Session::reusable)
      .function("adopt", &Session::adopt)
      .function("begin", &Session::begin)
      .function("left", &Session::left)
      .function("cancel", &Session::cancel)
      .function("mark", &Session::mark)
      .function("settle", &Session::settle)
      .function("logits", &Session::logits)
      .function("beginWaiting", &Session::begin_waiting)
      .function("saveCache", &Session::save_cache)
      .function("loadCache", &Session::load_cache)
      .function("beginScoring", &Session::begin_scoring)
      .function("scores", &Session::scores)
      .function("takeLogits", &Session::take_logits)
      .function("startGeneration", &Session::start_generation)
      .function("setLogits", &Session::set_logits)
      .function("begins", &Session::begins)
      .function("maskWindow", &Session::mask_window)
      .function("choose", &Session::choose)
      .function("guess", &Session::guess)
      .function("finish", &Session::finish);
}

}  // namespace quintet::js
