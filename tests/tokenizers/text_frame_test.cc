// Special tokens around texts and pairs of texts.

#include "runtime/tokenize/text_frame.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;
using Types = std::vector<uint8_t>;
using Kind = FramePart::Kind;

TokenizerDescription of_bert(uint32_t cls, uint32_t sep) {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<WordPieceDescription>();
  tokenizer.special.cls = cls;
  tokenizer.special.sep = sep;
  return tokenizer;
}

TokenizerDescription of_llama() {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<SentencePieceDescription>();
  tokenizer.special.bos = 1;
  tokenizer.special.eos = 2;
  return tokenizer;
}

Ids tokens(size_t count, uint32_t first) {
  Ids ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

TEST(TextFrame, OfWordPieceIsThatOfBert) {
  const TextFrame frame = frame_of(of_bert(101, 102), false);
  EXPECT_EQ(frame_text(frame, Ids{7, 8}), (Ids{101, 7, 8, 102}));
  const auto pair = frame_pair(frame, Ids{7, 8}, Ids{9}, 0);
  EXPECT_EQ(pair->ids, (Ids{101, 7, 8, 102, 9, 102}));
  EXPECT_EQ(pair->types, (Types{0, 0, 0, 0, 1, 1}));
}

// docs/formats/amb.md: a decoder's ids are those of the text, with any kind of tokenizer.
TEST(TextFrame, OfWordPieceInADecodersFileIsNotThatOfBert) {
  EXPECT_EQ(frame_text(frame_of(of_bert(101, 102), false, true), Ids{7, 8}), (Ids{7, 8}));
}

// transformers, LlamaTokenizerFast.update_post_processor.
TEST(TextFrame, OfOthersHasTheBeginAndEndTokensOfTheirFiles) {
  TokenizerDescription tokenizer = of_llama();
  EXPECT_EQ(frame_text(frame_of(tokenizer, false), Ids{7}), Ids{7});
  EXPECT_EQ(frame_text(frame_of(tokenizer, true), Ids{7}), (Ids{1, 7}));
  tokenizer.add_eos = true;
  const TextFrame frame = frame_of(tokenizer, true);
  EXPECT_EQ(frame_text(frame, Ids{7}), (Ids{1, 7, 2}));
  const auto pair = frame_pair(frame, Ids{7, 8}, Ids{9}, 0);
  EXPECT_EQ(pair->ids, (Ids{1, 7, 8, 2, 1, 9, 2}));
  EXPECT_EQ(pair->types, (Types{0, 0, 0, 0, 1, 1, 1}));
}

// transformers, XLMRobertaTokenizer and BertTokenizer: build_inputs_with_special_tokens.
TEST(TextFrame, ASeparatorIsBetweenTheTextsOfAPair) {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<SentencePieceDescription>();
  tokenizer.special.bos = 0;
  tokenizer.special.eos = 2;
  tokenizer.special.sep = 2;
  tokenizer.add_eos = true;
  const auto pair = frame_pair(frame_of(tokenizer, true), Ids{7, 8}, Ids{9}, 0);
  EXPECT_EQ(pair->ids, (Ids{0, 7, 8, 2, 2, 9, 2}));
  EXPECT_EQ(pair->types, (Types{0, 0, 0, 0, 0, 0, 0}));
  tokenizer.add_eos = false;
  EXPECT_EQ(frame_pair(frame_of(tokenizer, true), Ids{7, 8}, Ids{9}, 0)->ids, (Ids{0, 7, 8, 2, 9, 2}));
  EXPECT_EQ(frame_pair(frame_of(tokenizer, true, true), Ids{7, 8}, Ids{9}, 0)->ids, (Ids{0, 7, 8, 0, 9}));
}

TEST(TextFrame, TokensMissingFromTheVocabularyAreLeftOut) {
  TokenizerDescription bpe, wordpiece;
  bpe.kind.emplace<BpeDescription>();
  wordpiece.kind.emplace<WordPieceDescription>();
  for (TokenizerDescription* tokenizer : {&bpe, &wordpiece}) {
    tokenizer->add_eos = true;
    EXPECT_EQ(frame_text(frame_of(*tokenizer, true), Ids{7}), Ids{7});
  }
}

TEST(TextFrame, TheFilesOwnFrameWins) {
  TokenizerDescription tokenizer = of_llama();
  tokenizer.add_eos = true;
  tokenizer.frame = TextFrame{.single = {{.kind = Kind::first}, {.id = 5}}, .pair = {}};
  const TextFrame frame = frame_of(tokenizer, true);
  EXPECT_EQ(frame_text(frame, Ids{7}), (Ids{7, 5}));
  EXPECT_EQ(frame_pair(frame, Ids{7}, Ids{8}, 0)->ids, (Ids{7, 5, 8, 5}));
}

TEST(TextFrame, TokensOutsideTheVocabularyAreRejected) {
  const TextFrame frame = frame_of(of_bert(3, 4), false);
  EXPECT_TRUE(check_frame(frame, 5));
  EXPECT_EQ(check_frame(frame, 4).error().reason, Reason::limit);
}

// Two texts cut to 7 tokens in all: tokenizers/src/utils/truncation.rs of huggingface/tokenizers,
// truncate_encodings_longest_first.
TEST(TextFrame, LongestTextsAreCutFirst) {
  struct Case {
    size_t first, second, kept_first, kept_second;
  };
  constexpr Case kCases[] = {{0, 0, 0, 0}, {0, 2, 0, 2}, {0, 4, 0, 4}, {0, 8, 0, 7}, {2, 0, 2, 0}, {2, 2, 2, 2},
                             {2, 4, 2, 4}, {2, 8, 2, 5}, {4, 0, 4, 0}, {4, 2, 4, 2}, {4, 4, 3, 4}, {4, 8, 3, 4},
                             {8, 0, 7, 0}, {8, 2, 5, 2}, {8, 4, 4, 3}, {8, 8, 3, 4}};
  const TextFrame frame = frame_of(of_bert(101, 102), false);
  for (const Case& each : kCases) {
    Ids expected = {101};
    const Ids first = tokens(each.first, 200), second = tokens(each.second, 300);
    expected.insert(expected.end(), first.begin(), first.begin() + static_cast<ptrdiff_t>(each.kept_first));
    expected.push_back(102);
    expected.insert(expected.end(), second.begin(), second.begin() + static_cast<ptrdiff_t>(each.kept_second));
    expected.push_back(102);
    EXPECT_EQ(frame_pair(frame, first, second, 7 + 3)->ids, expected) << each.first << " and " << each.second;
  }
}

TEST(TextFrame, TheTokensAroundAPairMustFit) {
  const TextFrame frame = frame_of(of_bert(101, 102), false);
  EXPECT_EQ(frame_pair(frame, Ids{1}, Ids{2}, 3)->ids, (Ids{101, 102, 102}));
  EXPECT_EQ(frame_pair(frame, Ids{1}, Ids{2}, 2).error().code, Code::input);
}

}  // namespace
}  // namespace quintet
