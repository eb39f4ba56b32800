#include "runtime/text/wordpiece_tokenizer.h"

#include <utility>

#include "tokenizers/wordpiece.h"

namespace quintet {
namespace {

constexpr std::string_view kContinuation = "##";

class WordPieceTokenizer final : public Tokenizer {
 public:
  explicit WordPieceTokenizer(WordPiece wordpiece) : wordpiece_(std::move(wordpiece)) {}

  void encode(std::string_view text, bool, std::vector<uint32_t>& ids) const override { wordpiece_.encode(text, ids); }

  // Words are parted by a space: what stood between them, the tokens do not tell.
  void decode(uint32_t id, bool begins, std::string& bytes) const override {
    std::string_view text = wordpiece_.token(id);
    if (text.starts_with(kContinuation)) {
      text.remove_prefix(kContinuation.size());
    } else if (!begins) {
      bytes += ' ';
    }
    bytes += text;
  }

  std::string_view token(uint32_t id) const override { return wordpiece_.token(id); }
  size_t size() const override { return wordpiece_.vocabulary_size(); }

 private:
  WordPiece wordpiece_;
};

}  // namespace

Result<std::unique_ptr<const Tokenizer>> create_wordpiece_tokenizer(TokenizerDescription& description) {
  const SpecialIds& special = description.special;
  if (!special.unk) {
    return fail({.code = Code::format, .reason = Reason::missing, .detail = "a WordPiece vocabulary without [UNK]"});
  }
  const uint32_t unk = *special.unk;  // also stands for special tokens that there are not
  const WordPieceSpecials specials = {.pad = special.pad.value_or(unk),
                                      .unk = unk,
                                      .cls = special.cls.value_or(unk),
                                      .sep = special.sep.value_or(unk),
                                      .mask = special.mask.value_or(unk)};
  QUINTET_TRY(WordPiece wordpiece, WordPiece::create(std::move(description.tokens), specials));
  return std::make_unique<const WordPieceTokenizer>(std::move(wordpiece));
}

}  // namespace quintet
