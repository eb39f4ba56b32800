#pragma once
// Texts that match a grammar: whole ones, and those that a model writes token by token.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/automaton.h"
#include "grammar/token_masks.h"
#include "grammar/vocabulary.h"

namespace quintet::grammar {

// Whether a grammar matches a whole text. INPUT for a text that nests too deeply, or that can be read in too many ways.
Result<bool> accepts(const Automaton& automaton, std::string_view text);

// A grammar for the tokens of a vocabulary: what its matchers have found out in common.
class TokenGrammar {
 public:
  TokenGrammar(std::shared_ptr<const Automaton> automaton, std::shared_ptr<const Vocabulary> vocabulary)
      : automaton_(std::move(automaton)), vocabulary_(std::move(vocabulary)), masks_(*automaton_, *vocabulary_) {}
  TokenGrammar(const TokenGrammar&) = delete;

  const Automaton& automaton() const { return *automaton_; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  TokenMasks& masks() { return masks_; }

 private:
  friend class Matcher;

  Status limit_memory();

  std::shared_ptr<const Automaton> automaton_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  TokenMasks masks_;
  std::vector<Position*> positions_;  // of all matchers
};

// The text of one generation so far.
class Matcher {
 public:
  // `first`: the same grammar for a vocabulary that has its tokens as the first of a text, where some tokenizers leave
  // out a space; null if the text is not at its beginning.
  explicit Matcher(std::shared_ptr<TokenGrammar> grammar, std::shared_ptr<TokenGrammar> first = nullptr);
  Matcher(const Matcher& other);
  Matcher& operator=(const Matcher&) = delete;
  ~Matcher();

  // Bits of the tokens that may come next, as TokenMasks::mask(). INPUT if there are none.
  Result<std::span<const uint32_t>> mask();
  // Appends a token. INPUT for one that may not come next; the text then stays unchanged. A stop ends the text.
  Status accept(uint32_t token) { return accept(token, vocabulary().bytes_of_any(token)); }
  // The probable text, up to the next choice: the bytes that must come. Optional white space between them is as it
  // was after the same byte before; at first, there is a space after colons and commas, as in most JSON.
  std::string probable_text() const;
  bool may_end() const { return !ended_ && grammar_->masks().recognizer().may_end(position_); }
  // Whether nothing can follow but the end.
  bool must_end() const { return may_end() && grammar_->masks().recognizer().threads(position_).empty(); }

 private:
  Status accept(uint32_t token, std::string_view bytes);
  // Possible next bytes: one that is not white space, or several; and white space, of one kind or several.
  struct NextBytes {
    std::optional<uint8_t> other, space;
    bool may_be_others = false, may_be_other_space = false;
  };

  NextBytes next_bytes(Position position) const;
  std::optional<uint8_t> probable_byte(Position position, uint8_t last, std::string_view space) const;
  void learn_space(std::string_view bytes);
  const Vocabulary& vocabulary() const { return first_ ? first_->vocabulary() : grammar_->vocabulary(); }

  std::shared_ptr<TokenGrammar> grammar_;
  Position position_;
  std::unique_ptr<Matcher> first_;  // until a token has bytes
  bool ended_ = false;
  uint8_t last_ = 0;                     // byte, except for the white space after it, where the grammar has some
  std::string space_;                    // this
  std::array<std::string, 256> habits_;  // the white space that was last after each byte
};

}  // namespace quintet::grammar
