// Tokenizers without their models against the ids of other implementations: texts as they are, with what the model puts
// around them, with special tokens spelled out, and back.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tokenizers/byte_level_fixtures.h"
#include "tests/tokenizers/fixtures.h"
#include "tests/tokenizers/standalone_tokenizers.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;
using test::standalone_tokenizer;

bool is_set(const Json& each, const char* key) {
  const Json* value = each.find(key);
  return value && value->as_bool() == true;
}

void expect_cases(const StandaloneTokenizer& tokenizer, const std::string& name, size_t min) {
  const Json cases = test::read_json_fixture("tokenizers/cases/" + name + ".json");
  ASSERT_GE(cases.as_array()->size(), min);
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.find("text")->as_string();
    const Ids expected = test::ids_of(*each.find("ids"));
    EXPECT_EQ(*tokenizer.encode(text, is_set(each, "special"), is_set(each, "parse")), expected) << text;
    if (is_set(each, "decode")) {
      EXPECT_EQ(*tokenizer.codec().decode(expected), text);
    }
  }
}

StandaloneTokenizer gpt2() {
  const test::ByteLevelFixture& fixture = test::byte_level_fixture("gpt2");
  ModelDescription model;
  model.tokenizer.kind.emplace<BpeDescription>();
  model.tokenizer.tokens = test::string_table(fixture.tokens);
  model.tokenizer.bpe()->merges = test::string_table(fixture.merges);
  model.tokenizer.special.bos = model.tokenizer.special.eos = 50256;
  return std::move(*StandaloneTokenizer::create(std::move(model)));
}

TEST(StandaloneTokenizer, OfGpt2) { expect_cases(gpt2(), "gpt-2", 60); }
TEST(StandaloneTokenizer, OfLlama2) {
  expect_cases(standalone_tokenizer("tokenizers/llama2/tokenizer.model"), "llama-spm", 70);
}
TEST(StandaloneTokenizer, OfPhi3) {
  expect_cases(standalone_tokenizer("tokenizers/phi-3/ggml-vocab-phi-3.gguf"), "phi-3", 70);
}
TEST(StandaloneTokenizer, OfQwen2) {
  const Json cases = test::read_json_fixture("tokenizers/qwen2/cases.json");
  const StandaloneTokenizer tokenizer = standalone_tokenizer("tokenizers/qwen2/tokenizer.json");
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.find("text")->as_string();
    EXPECT_EQ(*tokenizer.encode(text, true, is_set(each, "parse")), test::ids_of(*each.find("ids"))) << text;
  }
}
TEST(StandaloneTokenizer, OfBert) {
  const StandaloneTokenizer tokenizer = standalone_tokenizer("tokenizers/minilm/vocab.txt");
  expect_cases(tokenizer, "bert-bge", 60);
  expect_cases(tokenizer, "bert-vocab", 55);
}

// The text between added tokens is tokenized separately (tokenizers/src/tokenizer/added_vocabulary.rs of
// huggingface/tokenizers).
TEST(StandaloneTokenizer, FindsTokensThatWereAddedToWordPiece) {
  const auto tokenizer = test::read_tokenizer_folder(
      {{"tokenizer.json", R"({"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},
      "added_tokens":[{"id":0,"content":"[UNK]","special":true},{"id":5,"content":"<x>"},
      {"id":6,"content":"[M]","special":true}],
      "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
      "vocab":{"[UNK]":0,"a":1,"b":2,"c":3,"##c":4}}})"}});
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(*tokenizer->encode("a <x> bc<x>c <X>", false, false), (Ids{1, 5, 2, 4, 5, 3, 0, 0, 0}));
  EXPECT_EQ(*tokenizer->encode("a[M]", false, true), (Ids{1, 6}));
  EXPECT_EQ(*tokenizer->encode("a[M]", false, false), (Ids{1, 0, 0, 0}));
}

// tokenizers/src/decoders/wordpiece.rs of huggingface/tokenizers, wordpiece_decoder.
TEST(StandaloneTokenizer, DecodesWordPieceLikeHuggingFace) {
  const auto tokenizer = test::read_standalone_tokenizer("[UNK]\n##uelo\nAra\n##új\n##o\nNo\n##guera");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(*tokenizer->codec().decode(Ids{1, 2, 3, 4, 5, 6}), "##uelo Araújo Noguera");
}

TEST(StandaloneTokenizer, OfBertSpellsSpecialTokensOnDemandOnly) {
  const StandaloneTokenizer tokenizer = standalone_tokenizer("tokenizers/minilm/vocab.txt");
  EXPECT_EQ(*tokenizer.encode("[CLS] hello [MASK]!", false, true), (Ids{101, 7592, 103, 999}));
  EXPECT_EQ(*tokenizer.encode("[CLS]", false, false), (Ids{1031, 18856, 2015, 1033}));  // [ cl ##s ]
  EXPECT_EQ(*tokenizer.codec().decode(Ids{101, 7592, 2088, 102}), "hello world");
  EXPECT_EQ(*tokenizer.codec().decode(Ids{101, 7592, 2088, 102}, false), "[CLS] hello world [SEP]");
}

TEST(StandaloneTokenizer, SpecialTokensAreKeptOnRequest) {
  const StandaloneTokenizer llama = standalone_tokenizer("tokenizers/llama2/tokenizer.model");
  EXPECT_EQ(*llama.codec().decode(Ids{1, 15043, 2}), "Hello");
  EXPECT_EQ(*llama.codec().decode(Ids{1, 15043, 2}, false), "<s> Hello</s>");
  EXPECT_EQ(*gpt2().codec().decode(Ids{50256, 31373}, false), "<|endoftext|>hello");
}

// A character of three bytes that is cut, and what is not of the vocabulary.
TEST(StandaloneTokenizer, DecodesAnyIds) {
  const StandaloneTokenizer llama = standalone_tokenizer("tokenizers/llama2/tokenizer.model");
  EXPECT_EQ(*llama.codec().decode(Ids{3 + 0xE2, 3 + 0x82}), "\uFFFD");
  EXPECT_EQ(*llama.codec().decode(Ids{3 + 0xE2, 1, 3 + 0x82}, false), "\uFFFD<s>\uFFFD");
  EXPECT_EQ(llama.codec().decode(Ids{32000}).error().code, Code::input);
}

TEST(StandaloneTokenizer, TokensAreFoundByTheirText) {
  const StandaloneTokenizer tokenizers[] = {gpt2(), standalone_tokenizer("tokenizers/llama2/tokenizer.model"),
                                            standalone_tokenizer("tokenizers/minilm/vocab.txt"),
                                            standalone_tokenizer("tokenizers/qwen2/tokenizer.json")};
  const std::string_view hello[] = {"hello", "▁Hello", "hello", "<|im_end|>"};
  const uint32_t expected[] = {31373, 15043, 7592, 151645};
  for (size_t i = 0; i < std::size(tokenizers); ++i) {
    EXPECT_EQ(tokenizers[i].codec().find(hello[i]), expected[i]);
    EXPECT_EQ(tokenizers[i].codec().token(expected[i]), hello[i]);
    EXPECT_EQ(tokenizers[i].codec().find("no such token"), std::nullopt);
    EXPECT_EQ(tokenizers[i].codec().find(""), std::nullopt);
    EXPECT_EQ(tokenizers[i].codec().token(UINT32_MAX), "");
  }
}

TEST(StandaloneTokenizer, DescribesItself) {
  EXPECT_EQ(standalone_tokenizer("tokenizers/minilm/vocab.txt").info(),
            R"({"type":"WordPiece","size":30522,"special":{"pad":0,"unk":100,"cls":101,"sep":102,"mask":103}})");
  EXPECT_EQ(standalone_tokenizer("tokenizers/qwen2/tokenizer.json").info().substr(0, 14), R"({"type":"BPE",)");
}

// huggingface/course, chapters/en/chapter3/2.mdx.
TEST(StandaloneTokenizer, PairsOfBert) {
  const StandaloneTokenizer tokenizer = standalone_tokenizer("tokenizers/minilm/vocab.txt");
  const auto pair = tokenizer.encode_pair("This is the first sentence.", "This is the second one.", 0);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->ids, (Ids{101, 2023, 2003, 1996, 2034, 6251, 1012, 102, 2023, 2003, 1996, 2117, 2028, 1012, 102}));
  EXPECT_EQ(pair->types, (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(StandaloneTokenizer, PairsAreCutToALength) {
  const StandaloneTokenizer tokenizer = standalone_tokenizer("tokenizers/minilm/vocab.txt");
  const auto pair = tokenizer.encode_pair("This is the first sentence.", "second one", 9);
  EXPECT_EQ(pair->ids, (Ids{101, 2023, 2003, 1996, 2034, 102, 2117, 2028, 102}));
  EXPECT_EQ(tokenizer.encode_pair("a", "b", 3)->ids, (Ids{101, 102, 102}));
  EXPECT_EQ(tokenizer.encode_pair("a", "b", 2).error().code, Code::input);
}

}  // namespace
}  // namespace quintet
