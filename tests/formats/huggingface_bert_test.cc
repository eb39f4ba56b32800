// The tokenizers of BERT's folders: tokenizer.json and vocab.txt, and what makes them something else.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/formats/folder_texts.h"

namespace quintet::test {
namespace {

NamedText wordpiece(const std::string& added, const std::string& more = "", bool lowercase = true) {
  return {"tokenizer.json", R"({"added_tokens":)" + added + R"(,"normalizer":{"type":"BertNormalizer","lowercase":)" +
                                (lowercase ? "true" : "false") + R"(},"pre_tokenizer":{"type":"BertPreTokenizer"})" +
                                more +
                                R"(,"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
      "max_input_chars_per_word":100,"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4}}})"};
}

TEST(HuggingFaceBert, AddedTokensFollowTheWordPieces) {
  const auto model = describe({config("bert", 7), wordpiece(R"([{"id":1,"content":"[UNK]","special":true},
      {"id":5,"content":"<x>","special":false,"normalized":false,"lstrip":true,"single_word":true},
      {"id":6,"content":"[MASK]","special":true}])")});
  ASSERT_TRUE(model) << model.error().detail;
  const TokenizerDescription& tokenizer = model->tokenizer;
  ASSERT_EQ(tokenizer.size(), 7u);
  EXPECT_EQ(tokenizer.tokens[5], "<x>");
  EXPECT_EQ(tokenizer.piece_types[5], PieceType::user_defined);
  EXPECT_EQ(tokenizer.trims_left, (std::vector<uint32_t>{5}));
  EXPECT_EQ(tokenizer.words, (std::vector<uint32_t>{5}));
  EXPECT_EQ(tokenizer.special.mask, 6u);
  const auto code_of = [](const std::string& added, bool lowercase = true) {
    const auto refused = describe({config("bert", 7), wordpiece(added, "", lowercase)});
    return refused ? std::nullopt : std::optional(refused.error().code);
  };
  EXPECT_EQ(code_of(R"([{"id":6,"content":"<x>"}])"), Code::format);  // there is no 5
  EXPECT_EQ(code_of(R"([{"id":4,"content":"b"}])"), Code::format);
  EXPECT_EQ(code_of(R"([{"id":5,"content":"x","normalized":true}])"), Code::unsupported);
  EXPECT_EQ(code_of(R"([{"id":5,"content":"x","normalized":true}])", false), std::nullopt);
}

TEST(HuggingFaceBert, WithoutAPostProcessorNothingIsPutAroundATextOfBert) {
  const auto frame = describe({config("bert", 5), wordpiece("[]", R"(,"post_processor":null)")})->tokenizer.frame;
  ASSERT_EQ(frame.single.size(), 1u);
  EXPECT_EQ(frame.single[0].kind, FramePart::Kind::first);
  EXPECT_EQ(frame.pair.size(), 2u);
  EXPECT_EQ(
      describe({config("bert", 5), wordpiece("[]", R"(,"post_processor":{"type":"FutureProcessing"})")}).error().code,
      Code::unsupported);
}

TEST(HuggingFaceBert, VocabTxtIsOfBertsTokenizer) {
  const auto code_of = [](const char* config_text) {
    const auto model = describe(
        {config("bert", 6), {"vocab.txt", "[PAD]\n[UNK]\n"}, {"tokenizer_config.json", std::string(config_text)}});
    return model ? std::nullopt : std::optional(model.error().code);
  };
  for (const char* taken :
       {R"({"tokenizer_class":"BertTokenizer"})", R"({"tokenizer_class":"DistilBertTokenizerFast"})", "{}",
        R"({"do_basic_tokenize":true,"never_split":null})"}) {
    EXPECT_EQ(code_of(taken), std::nullopt) << taken;
  }
  for (const char* refused :
       {R"({"tokenizer_class":"BertJapaneseTokenizer"})", R"({"word_tokenizer_type":"mecab"})",
        R"({"subword_tokenizer_type":"character"})", R"({"do_basic_tokenize":false})", R"({"never_split":["[Q]"]})"}) {
    EXPECT_EQ(code_of(refused), Code::unsupported) << refused;
  }
}

TEST(HuggingFaceBert, TextsAreCutOnlyAtTheirEnd) {
  const auto left = wordpiece("[]", R"(,"truncation":{"direction":"Left","max_length":8})");
  EXPECT_EQ(describe({config("bert", 5), left}).error().code, Code::unsupported);
  EXPECT_TRUE(describe({config("bert", 5), left, {"tokenizer_config.json", R"({"truncation_side":"right"})"}}));
  EXPECT_TRUE(describe({config("bert", 5), wordpiece("[]", R"(,"truncation":{"direction":"Right"})")}));
}

}  // namespace
}  // namespace quintet::test
