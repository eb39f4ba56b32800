// Sources of a standalone tokenizer: model files, files that hold nothing else, folders; and other files.

#include "runtime/tokenize/tokenizer_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/huggingface/folder.h"
#include "tests/formats/gguf_builder.h"
#include "tests/tokenizers/fixtures.h"
#include "tests/tokenizers/standalone_tokenizers.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;
using test::fixture;
using test::read_standalone_tokenizer;
using test::read_tokenizer_folder;

// The texts of a folder of fixtures, with their ids.
size_t expect_texts(const std::string& folder) {
  size_t count = 0;
  const Json fixtures = test::read_json_fixture(folder + "/expected.json");
  for (const Json& each : *fixtures.as_array()) {
    const Json* tokenizer = each.find("expect")->find("tokenizer");
    const Json* texts = tokenizer ? tokenizer->find("texts") : nullptr;
    if (!texts) continue;
    const StandaloneTokenizer standalone = test::standalone_tokenizer(folder + "/" + *each.find("file")->as_string());
    for (const Json& text : *texts->as_array()) {
      EXPECT_EQ(*standalone.encode(*text.find("text")->as_string(), false, false), test::ids_of(*text.find("ids")));
      ++count;
    }
  }
  return count;
}

TEST(TokenizerFile, ModelFilesHaveTheirTokenizers) {
  EXPECT_EQ(expect_texts("amb"), 46);
  EXPECT_EQ(expect_texts("alt"), 156);
}

TEST(TokenizerFile, WeightsFilesHaveBerts) {
  const Json texts = test::read_json_fixture("embd/tokens.json");
  for (const char* file : {"embd/f32.weights", "embd/flat.weights"}) {
    const StandaloneTokenizer tokenizer = test::standalone_tokenizer(file);
    for (const Json& each : *texts.as_array()) {
      const std::string& text = *each.find("text")->as_string();
      EXPECT_EQ(*tokenizer.encode(text, true, true), test::ids_of(*each.find("ids"))) << text;
    }
  }
}

TEST(TokenizerFile, TheContentDecidesTheKindWhateverTheChunks) {
  for (const char* path : {"tokenizers/embd/vocab.txt", "tokenizers/qwen2/tokenizer.json", "sentencepiece/tok512.model",
                           "amb/tok-wordpiece.amb", "embd/small.weights", "alt/ref-tokenizer.alt"}) {
    const test::File file = fixture(path);
    const auto whole = read_standalone_tokenizer(file);
    ASSERT_TRUE(whole) << path << whole.error().detail;
    for (const bool known : {true, false}) {
      const auto pieces = read_standalone_tokenizer(file, 7, known);
      ASSERT_TRUE(pieces) << path << pieces.error().detail;
      EXPECT_EQ(pieces->info(), whole->info());
    }
  }
}

TEST(TokenizerFile, VocabulariesOfBertMayHaveWindowsLineEnds) {
  for (const char* text : {"[UNK]\r\na\r\n##b\r\n", "[PAD]\n[UNK]\na\n##b"}) {
    const auto tokenizer = read_standalone_tokenizer(text);
    ASSERT_TRUE(tokenizer);
    const uint32_t a = *tokenizer->codec().find("a");
    EXPECT_EQ(*tokenizer->encode("ab a", false, false), (Ids{a, a + 1, a}));
  }
}

void expect_refused(const Result<StandaloneTokenizer>& tokenizer, Code code, Reason reason, std::string_view part) {
  ASSERT_FALSE(tokenizer) << part;
  EXPECT_EQ(tokenizer.error().code, code) << part;
  EXPECT_EQ(tokenizer.error().reason, reason) << part;
  EXPECT_TRUE(tokenizer.error().detail.contains(part)) << tokenizer.error().detail;
}

TEST(TokenizerFile, OtherFilesAreRejected) {
  constexpr std::string_view kExpected = "tokenizer.json, a tokenizer.model of SentencePiece or a vocab.txt of BERT";
  for (const std::string_view text : {"", "hello\nworld\n", "PK\3\4 and so on", "<html>[UNK]</html>", "\xFF\n[UNK]"}) {
    expect_refused(read_standalone_tokenizer(text), Code::format, Reason::bad_magic, kExpected);
  }
  expect_refused(read_standalone_tokenizer("PK\3\4"), Code::format, Reason::bad_magic, "zip archive");
  expect_refused(read_standalone_tokenizer(""), Code::format, Reason::bad_magic, "it is empty");
  expect_refused(read_standalone_tokenizer("{\"a\":1}"), Code::format, Reason::missing, "tokenizer.json: no model");
  expect_refused(read_standalone_tokenizer("{\"a\""), Code::format, Reason::malformed, "tokenizer.json: ");
  expect_refused(read_standalone_tokenizer("\n\x7F"), Code::format, Reason::truncated, "tokenizer.model: ");
  expect_refused(read_standalone_tokenizer(std::string((64u << 20) + 1, ' ')), Code::format, Reason::limit, "64 MB");
}

TEST(TokenizerFile, ModelsWithoutATokenizerAreUnsupported) {
  expect_refused(read_standalone_tokenizer(fixture("amb/llama-f32.amb")), Code::unsupported, Reason::unsupported,
                 "without a tokenizer is read by TextGenerator");
  expect_refused(read_standalone_tokenizer(fixture("amb/tok-custom.amb")), Code::unsupported, Reason::unknown_value,
                 "custom");
  expect_refused(read_standalone_tokenizer(fixture("safetensors/dtypes.safetensors")), Code::unsupported,
                 Reason::unsupported, "a safetensors file without a tokenizer is read by");
  expect_refused(read_standalone_tokenizer(fixture("tinyruntime/small-vanilla.bin")), Code::unsupported,
                 Reason::unsupported, "a tinyRuntime file without a tokenizer is read by");
}

TEST(TokenizerFile, TruncatedFilesAreRejected) {
  for (const char* path :
       {"amb/tok-wordpiece.amb", "embd/small.weights", "embd/small-flat.weights", "alt/small.alt",
        "sentencepiece/tok512.model", "tokenizers/qwen2/tokenizer.json", "tokenizers/phi-3/ggml-vocab-phi-3.gguf"}) {
    test::File file = fixture(path);
    file.resize(std::min<size_t>(file.size() / 2, 301));
    const auto tokenizer = read_standalone_tokenizer(file);
    ASSERT_FALSE(tokenizer) << path;
    EXPECT_EQ(tokenizer.error().code, Code::format) << path;
    EXPECT_FALSE(read_standalone_tokenizer(file, SIZE_MAX, false)) << path;
  }
}

// Tensors after the tokenizer are not read, whether damaged, truncated or complete.
TEST(TokenizerFile, TensorsAreNotRead) {
  for (const char* path : {"amb/tok-wordpiece.amb", "amb/phi2-parallel.amb", "embd/f32.weights", "alt/f32.alt"}) {
    const test::File file = fixture(path);
    const std::string info = read_standalone_tokenizer(file)->info();
    test::File damaged = file;
    for (size_t i = file.size() / 2; i < file.size(); ++i) damaged[i] = std::byte{0xAA};
    const auto tokenizer = read_standalone_tokenizer(damaged);
    ASSERT_TRUE(tokenizer) << path << ": " << tokenizer.error().detail;
    EXPECT_EQ(tokenizer->info(), info);
  }
  test::GgufBuilder gguf = test::tiny_gguf_llama();
  test::File file = gguf.build();
  file.resize(test::place_of(file, "token_embd.weight") - sizeof(uint64_t));
  const auto tokenizer = read_standalone_tokenizer(file, SIZE_MAX, false);
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(tokenizer->codec().token(5), "a");
}

// Weights are not read, and a model need not be one that can be computed.
TEST(TokenizerFolder, NeedsOnlyTheTokenizer) {
  const std::string model = test::read_text_fixture("sentencepiece/tok512.model");
  const auto alone = read_tokenizer_folder({{"tokenizer.model", model}});
  ASSERT_TRUE(alone);
  const auto strange = read_tokenizer_folder(
      {{"config.json", R"({"model_type":"mamba-of-tomorrow","bos_token_id":7})"}, {"tokenizer.model", model}});
  ASSERT_TRUE(strange) << strange.error().detail;
  EXPECT_EQ(*strange->encode("a small model", true, false), *alone->encode("a small model", true, false));
  EXPECT_EQ(read_tokenizer_folder({{"config.json", R"({"model_type":"llama"})"}}).error().code, Code::input);
}

TEST(TokenizerFolder, TokenizerConfigNamesTheTokensAroundAText) {
  const std::string model = test::read_text_fixture("sentencepiece/tok512.model");
  const auto first_and_last = [&](const char* config) {
    const auto tokenizer = read_tokenizer_folder({{"tokenizer_config.json", config}, {"tokenizer.model", model}});
    const Ids ids = *tokenizer->encode("a", true, false);
    return std::pair(ids.front() == 1, ids.back() == 2);
  };
  EXPECT_EQ(first_and_last("{}"), std::pair(true, false));
  EXPECT_EQ(first_and_last(R"({"add_eos_token":true})"), std::pair(true, true));
  EXPECT_EQ(first_and_last(R"({"add_bos_token":false,"add_eos_token":true})"), std::pair(false, true));
  EXPECT_EQ(first_and_last(R"({"add_bos_token":false})"), std::pair(false, false));
}

}  // namespace
}  // namespace quintet
