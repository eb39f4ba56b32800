// Grammar, GrammarVocabulary and TokenMatcher: which texts a grammar matches, and which tokens of a model come next in
// one. A separate module: only pages that constrain text load it, and generators hand it the bytes of their tokens
// once.

#include <emscripten/bind.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "grammar/gbnf.h"
#include "grammar/json_schema/json_schema.h"
#include "grammar/matcher.h"

namespace quintet::js {
namespace {

using grammar::Automaton;
using grammar::Matcher;
using grammar::TokenGrammar;

class Grammar : Counted {
 public:
  Grammar(Automaton automaton, std::string gbnf)
      : automaton_(std::make_shared<const Automaton>(std::move(automaton))), gbnf_(std::move(gbnf)) {}

  std::string gbnf() const { return gbnf_; }
  // The tokens that the grammar names, as a JSON list of ids and texts.
  std::string token_names() const;
  val text_window(uint32_t bytes) { return window_.view(bytes); }
  val accepts(uint32_t bytes);

  std::shared_ptr<const Automaton> automaton() const { return automaton_; }

 private:
  std::shared_ptr<const Automaton> automaton_;
  std::string gbnf_;
  Window window_;
};

std::string Grammar::token_names() const {
  Json names = Json::array();
  for (const grammar::TokenName& token : automaton_->token_names()) {
    names.push_back(token.text.empty() ? Json(token.id) : Json(token.text));
  }
  return write_json(names);
}

val Grammar::accepts(uint32_t bytes) {
  const auto matches = grammar::accepts(*automaton_, window_.text(bytes));
  window_.shrink();
  return matches ? success(val(*matches)) : failure(matches.error());
}

class TokenMatcher : Counted {
 public:
  TokenMatcher(std::shared_ptr<TokenGrammar> grammar, std::shared_ptr<TokenGrammar> first)
      : matcher_(std::move(grammar), std::move(first)) {}

  // A view, to be copied before the next call.
  val mask();
  val accept(uint32_t token) { return outcome(matcher_.accept(token)); }
  bool must_end() const { return matcher_.must_end(); }
  std::string probable_text() const { return matcher_.probable_text(); }

 private:
  Matcher matcher_;
};

val TokenMatcher::mask() {
  const auto mask = matcher_.mask();
  if (!mask) return failure(mask.error());
  return success(val(emscripten::typed_memory_view(mask->size(), mask->data())));
}

class ConstrainedTokens : Counted {
 public:
  explicit ConstrainedTokens(std::shared_ptr<TokenGrammar> grammar) : grammar_(std::move(grammar)) {}

  // A handle that JavaScript must delete(), as all that are handed out.
  val begin() const { return val(std::make_shared<TokenMatcher>(grammar_, nullptr)); }
  // `first`: the same grammar with the tokens as the first of a text.
  val begin_text(const ConstrainedTokens& first) const {
    return val(std::make_shared<TokenMatcher>(grammar_, first.grammar_));
  }

 private:
  std::shared_ptr<TokenGrammar> grammar_;
};

class GrammarCompiler : Counted {
 public:
  val text_window(uint32_t bytes) { return window_.view(bytes); }
  val gbnf(uint32_t bytes);
  val json_schema(uint32_t bytes);

 private:
  static val compiled(std::string gbnf);

  Window window_;
};

val GrammarCompiler::gbnf(uint32_t bytes) {
  std::string text(window_.text(bytes));
  window_.shrink();
  return compiled(std::move(text));
}

val GrammarCompiler::json_schema(uint32_t bytes) {
  auto gbnf = grammar::json_schema_gbnf(window_.text(bytes));
  window_.shrink();
  return gbnf ? compiled(*std::move(gbnf)) : failure(gbnf.error());
}

val GrammarCompiler::compiled(std::string gbnf) {
  auto syntax = grammar::parse_gbnf(gbnf);
  if (!syntax) return failure(syntax.error());
  auto automaton = Automaton::compile(*std::move(syntax));
  if (!automaton) return failure(automaton.error());
  return success(val(std::make_shared<Grammar>(*std::move(automaton), std::move(gbnf))));
}

class GrammarVocabulary : Counted {
 public:
  val text_window(uint32_t bytes) { return window_.view(bytes); }
  // The bytes of all tokens are in the buffer.
  void take(uint32_t bytes, const val& ends, const val& stops);
  // `named`: the ids of the tokens that the grammar names.
  val constrain(const Grammar& grammar, const val& named) const;

 private:
  std::shared_ptr<const grammar::Vocabulary> vocabulary_;
  Window window_;
};

void GrammarVocabulary::take(uint32_t bytes, const val& ends, const val& stops) {
  std::string text(window_.text(bytes));
  window_.release();
  auto offsets = emscripten::convertJSArrayToNumberVector<uint32_t>(ends);
  uint32_t last = 0;
  for (uint32_t& end : offsets) last = end = std::max(last, std::min(end, bytes));
  vocabulary_ = std::make_shared<const grammar::Vocabulary>(std::move(text), std::move(offsets),
                                                            emscripten::convertJSArrayToNumberVector<uint32_t>(stops));
}

val GrammarVocabulary::constrain(const Grammar& grammar, const val& named) const {
  auto tokens = std::make_shared<TokenGrammar>(grammar.automaton(), vocabulary_);
  tokens->masks().set_named(emscripten::convertJSArrayToNumberVector<uint32_t>(named));
  return val(std::make_shared<ConstrainedTokens>(std::move(tokens)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(grammar) {
  using namespace emscripten;
  class_<GrammarCompiler>("GrammarCompiler")
      .constructor<>()
      .function("textWindow", &GrammarCompiler::text_window)
      .function("gbnf", &GrammarCompiler::gbnf)
      .function("jsonSchema", &GrammarCompiler::json_schema);
  class_<Grammar>("Grammar")
      .smart_ptr<std::shared_ptr<Grammar>>("GrammarPointer")
      .function("gbnf", &Grammar::gbnf)
      .function("tokenNames", &Grammar::token_names)
      .function("textWindow", &Grammar::text_window)
      .function("accepts", &Grammar::accepts);
  class_<GrammarVocabulary>("GrammarVocabulary")
      .constructor<>()
      .function("textWindow", &GrammarVocabulary::text_window)
      .function("take", &GrammarVocabulary::take)
      .function("constrain", &GrammarVocabulary::constrain);
  class_<ConstrainedTokens>("ConstrainedTokens")
      .smart_ptr<std::shared_ptr<ConstrainedTokens>>("ConstrainedTokensPointer")
      .function("begin", &ConstrainedTokens::begin)
      .function("beginText", &ConstrainedTokens::begin_text);
  class_<TokenMatcher>("TokenMatcher")
      .smart_ptr<std::shared_ptr<TokenMatcher>>("TokenMatcherPointer")
      .function("mask", &TokenMatcher::mask)
      .function("accept", &TokenMatcher::accept)
      .function("mustEnd", &TokenMatcher::must_end)
      .function("probableText", &TokenMatcher::probable_text);
}

}  // namespace quintet::js
