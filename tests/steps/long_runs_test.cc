// No tokenizer, normalizer or splitter takes more than n log n steps for a run of n characters: ten times the run takes
// at most 15 times the steps.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "tests/steps/step_counter.h"
#include "tests/tokenizers/character_maps.h"
#include "tokenizers/bpe/byte_alphabet.h"
#include "tokenizers/bpe/byte_bpe.h"
#include "tokenizers/sentencepiece/sentencepiece.h"
#include "tokenizers/special_tokens.h"
#include "tokenizers/text_steps.h"
#include "tokenizers/utf8_stream.h"
#include "tokenizers/wordpiece/wordpiece.h"

namespace quintet::test {
namespace {

constexpr size_t kShort = 10'000, kLong = 100'000;
constexpr double kMaxGrowth = 15;

// The units of runs. A letter precedes each run.
const std::vector<std::string> kRuns = {
    "a",
    "ab",
    "A",
    "7",
    " ",
    "\n",
    " \n",
    "\t",
    "-",
    "[",
    "<|",
    "\u0301",
    "\u0327\u0301",
    "\uFE0F",
    "\u200D",
    "\u0E31",
    "\u094D",
    "\u064E",
    "\U0001F3FD",
    "\u4E2D",
    "\U0001F600",
    "\u1100",
    "\uAC00\u11A8",
    "\u0600",
    "\U000E0061",
    "\u00E9",
    "\uFF9E",
    "\u2581",
    "\u00A0",
    "\xFF",
    "a\u0301 ",
    "a ",
};

std::string run_of(const std::string& unit, size_t characters) {
  std::string text = "a";
  for (size_t i = 0; i < characters; ++i) text += unit;
  return text;
}

using Job = std::function<void(std::string_view text)>;

double steps_of(const Job& job, const std::string& text) {
  const uint64_t before = steps_taken();
  job(text);
  return static_cast<double>(steps_taken() - before);
}

void expect_linear(const std::string& name, const Job& job) {
  for (const std::string& unit : kRuns) {
    const double less = steps_of(job, run_of(unit, kShort)), more = steps_of(job, run_of(unit, kLong));
    EXPECT_GT(less, kShort / 100) << name << ": nothing is counted";
    EXPECT_LT(more, kMaxGrowth * less) << name << ", a run of \"" << unit << "\"";
  }
}

StringTable table_of(const std::vector<std::string>& texts) {
  StringTable table;
  for (const std::string& text : texts) EXPECT_TRUE(table.add(text));
  return table;
}

// There and back: the pieces of the text, and their text.
Job coding(std::shared_ptr<const Tokenizer> tokenizer) {
  return [tokenizer](std::string_view text) {
    std::vector<uint32_t> ids;
    EXPECT_TRUE(tokenizer->encode(text, true, ids));
    Utf8Stream stream;
    std::string bytes, decoded;
    for (const uint32_t id : ids) {
      bytes.clear();
      tokenizer->decode(id, decoded.empty(), bytes);
      decoded += stream.push(bytes);
    }
  };
}

Job coding(Result<std::unique_ptr<Tokenizer>> tokenizer) {
  EXPECT_TRUE(tokenizer) << tokenizer.error().detail;
  return coding(std::shared_ptr<const Tokenizer>(std::move(*tokenizer)));
}

// Runs of a and of spaces merge in pairs, and those again.
const std::vector<std::string> kPieces = {"<unk>",
                                          "\u2581",
                                          "\u2581a",
                                          "a",
                                          "aa",
                                          "aaaa",
                                          "aaaaaaaa",
                                          "b",
                                          "ab",
                                          "abab",
                                          "7",
                                          "77",
                                          "\u0301",
                                          "a\u0301",
                                          "\u0301\u0301",
                                          "\u4E2D",
                                          "\u2581\u2581",
                                          "\u2581\u2581\u2581\u2581"};

SentencePieceVocabulary pieces(bool with_bytes) {
  std::vector<std::string> texts = kPieces;
  SentencePieceVocabulary vocabulary;
  vocabulary.types.assign(texts.size(), PieceType::normal);
  vocabulary.types[0] = PieceType::unknown;
  vocabulary.types[4] = PieceType::unused;
  vocabulary.types.back() = PieceType::user_defined;
  for (int byte = 0; with_bytes && byte < 256; ++byte) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    texts.push_back(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + '>');
    vocabulary.types.push_back(PieceType::byte);
  }
  vocabulary.pieces = table_of(texts);
  for (size_t i = 0; i < texts.size(); ++i) vocabulary.scores.push_back(-static_cast<float>(i % 17));
  return vocabulary;
}

TEST(LongRuns, SentencePieceIsLinear) {
  const std::string map = compile_character_map({{"a\u0301", "\u00E1"}, {"\u0301", "'"}, {"\u00A0", " "}, {"A", "a"}});
  for (const SentencePieceModel model : {SentencePieceModel::bpe, SentencePieceModel::unigram}) {
    for (const bool as_huggingface : {false, true}) {
      for (const bool option : {false, true}) {
        const SentencePieceSettings settings = {.model = model,
                                                .byte_fallback = option,
                                                .remove_extra_whitespaces = option,
                                                .treat_whitespace_as_suffix = option && !as_huggingface,
                                                .character_map = map,
                                                .prefixes_every_part = option,
                                                .prefixes_no_space = option,
                                                .splits_words = as_huggingface && !option,
                                                .splits_white_space = as_huggingface && option,
                                                .as_huggingface = as_huggingface};
        const std::string name = std::string(model == SentencePieceModel::bpe ? "BPE" : "Unigram") +
                                 (as_huggingface ? " of Hugging Face" : "") + (option ? ", with options" : "");
        expect_linear(name, coding(create_sentencepiece(pieces(option), settings, {})));
      }
    }
  }
}

TEST(LongRuns, WordPieceIsLinear) {
  for (const bool option : {false, true}) {
    auto wordpiece = WordPiece::create(
        table_of({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", "##aa", "7"}),
        {.bos = {}, .eos = {}, .pad = 0, .unk = 1, .mask = 4, .cls = 2, .sep = 3},
        {.clean_text = option, .handle_chinese_chars = option, .strip_accents = option, .lowercase = option});
    ASSERT_TRUE(wordpiece);
    expect_linear("WordPiece", coding(std::shared_ptr<const Tokenizer>(std::move(*wordpiece))));
  }
}

PreTokenizer pre_tokenizer(const std::vector<SplitStep>& steps) {
  auto made = PreTokenizer::create(steps);
  EXPECT_TRUE(made) << made.error().detail;
  return std::move(*made);
}

TextNormalizer normalizer(std::vector<NormalizerStep> steps) {
  auto made = TextNormalizer::create(std::move(steps));
  EXPECT_TRUE(made) << made.error().detail;
  return std::move(*made);
}

// All bytes, and runs that merge in pairs.
ByteBpeVocabulary byte_vocabulary() {
  std::vector<std::string> tokens, merges;
  for (int byte = 0; byte < 256; ++byte) append_utf8(letter_of(static_cast<uint8_t>(byte)), tokens.emplace_back());
  for (std::string run : {"a", "\u0120", "7", "\u00CC"}) {
    for (int i = 0; i < 5; ++i) {
      merges.push_back(run + " " + run);
      tokens.push_back(run += run);
    }
  }
  return {.tokens = table_of(tokens), .ids = {}, .merges = table_of(merges), .added = {}};
}

TEST(LongRuns, ByteBpeIsLinearOrNLogN) {
  for (const bool ignore_merges : {false, true}) {
    expect_linear("byte BPE without words",
                  coding(ByteBpe::create(byte_vocabulary(), {.ignore_merges = ignore_merges, .unknown = {}})));
    ByteBpeSettings settings{.ignore_merges = ignore_merges, .unknown = {}};
    settings.pre_tokenizer = pre_tokenizer({{.expression = R"(\s+(?!\S)|\s+|[^\s]+)", .spells_bytes = true}});
    expect_linear("byte BPE", coding(ByteBpe::create(byte_vocabulary(), std::move(settings))));
  }
}

TEST(LongRuns, SplittersAreLinear) {
  const std::vector<std::string> expressions = {
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"([^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"(\d{1,3}(?=(?:\d{3})*\b))",
      R"([\w\p{M}]{1,3}(?=(?:.{3})*$))",
      R"((?:\S+\s*)+x)",
      R"(\s+$)",
      R"((?:.+)+x|.)",
      R"(.+?x)",
      R"((?<=a).|(?<!\s\s)\s)",
      R"(\p{P}|\S)"};
  for (const std::string& expression : expressions) {
    const PreTokenizer splitter = pre_tokenizer({{.expression = expression, .behavior = SplitBehavior::contiguous},
                                                 {.expression = "a|7", .behavior = SplitBehavior::merged_with_next},
                                                 {.expression = "\\S+", .inverts = true, .adds_space = true}});
    const TextNormalizer valid = normalizer({});
    expect_linear(expression, [&](std::string_view text) {
      std::string buffer;
      EXPECT_TRUE(splitter.for_each_word(*valid.normalize(text, buffer), [](std::string_view) {}));
    });
  }
}

TEST(LongRuns, NormalizersAreLinear) {
  using enum NormalizerKind;
  for (const NormalizerStep& step : std::vector<NormalizerStep>{{.kind = nfc},
                                                                {.kind = nfd},
                                                                {.kind = nfkc},
                                                                {.kind = nfkd},
                                                                {.kind = lowercase},
                                                                {.kind = strip_accents},
                                                                {.kind = nmt},
                                                                {.kind = strip, .left = true, .right = true},
                                                                {.kind = prepend, .content = "x"},
                                                                {.kind = replace, .pattern = "\\s+", .content = " "},
                                                                {.kind = replace, .pattern = "a+x", .content = ""}}) {
    const TextNormalizer one = normalizer({step});
    expect_linear("normalizer " + std::to_string(static_cast<int>(step.kind)), [&](std::string_view text) {
      std::string buffer;
      EXPECT_TRUE(one.normalize(text, buffer));
    });
  }
}

TEST(LongRuns, AddedTokensAreFoundInLinearTime) {
  std::vector<SpecialToken> tokens;
  for (const std::string text : {"aaaaaaaab", "<|x|>", "   x", "\n\n\n\n", "\u0301\u0301b", "7", "["}) {
    tokens.push_back({.text = text, .anywhere = true, .trims_left = true, .trims_right = true});
  }
  const SpecialTokens added(tokens);
  expect_linear("added tokens", [&](std::string_view text) {
    for (size_t at = 0; const auto found = added.next(text, at);) at = found->begin + found->size;
  });
}

}  // namespace
}  // namespace quintet::test
