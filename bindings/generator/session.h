#pragma once
// Session: a conversation with a generator, computed step by step.

#include <memory>
#include <string>
#include <utility>

#include "bindings/outcome.h"
#include "runtime/generation/session.h"

namespace quintet::js {

class Session : Counted {
 public:
  explicit Session(std::unique_ptr<GenerationSession> session) : session_(std::move(session)) {}

  uint32_t length() const { return static_cast<uint32_t>(session_->tokens().size()); }
  val tokens() const { return int32_array(session_->tokens()); }
  val fork() const;
  val rewind(double length);

  uint32_t reusable(const val& ids) const;
  val adopt(const Session& other) { return outcome(session_->adopt(*other.session_)); }

  val use(decoder::Adapters adapters) { return outcome(session_->use(std::move(adapters))); }
  val begin(const val& ids, bool replace);
  val left();
  void cancel() { session_->cancel(); }
  val mark() { return outcome(session_->mark()); }
  void settle() { session_->settle(); }
  val logits() const;

  val begin_waiting();
  val save_cache(const std::string& options) const;
  val load_cache(double total, const std::string& options) const;

  val begin_scoring(const val& ids, bool after_held);
  val scores() const;
  val take_logits();

  val start_generation(const std::string& options);
  val set_logits(const val& logits);
  bool begins() const { return session_->begins(); }
  val mask_window();
  val choose();
  val guess(const val& ids);
  val finish();

 private:
  std::shared_ptr<GenerationSession> session_;
};

// A handle that JavaScript must delete(), or an error.
val session_handle(Result<std::unique_ptr<GenerationSession>> session);

}  // namespace quintet::js
