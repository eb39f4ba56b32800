// Real vocabularies and the ids that other programs gave for them.

#include <gtest/gtest.h>

#include "tests/formats/expected.h"
#include "tests/tokenizers/fixtures.h"
#include "tests/tokenizers/sentencepiece_models.h"

namespace quintet::test {
namespace {

std::vector<uint32_t> numbers_in(const std::string& line) {
  std::vector<uint32_t> numbers;
  for (const std::string& number : split(line, " ")) {
    if (!number.empty()) numbers.push_back(static_cast<uint32_t>(std::stoul(number)));
  }
  return numbers;
}

// llama.cpp's ids for its 47 texts, without the begin token. They are the same for both vocabularies, because none of
// the tokens that Phi-3 adds occurs in them.
void expect_llama_cpp_ids(const Tokenizer& tokenizer) {
  const auto texts =
      split(read_text_fixture("tokenizers/bert-base-uncased/ggml-vocab-bert-bge.gguf.inp"), "\n__ggml_vocab_test__\n");
  const auto lines = split(read_text_fixture("tokenizers/llama2/ggml-vocab-llama-spm.gguf.out"), "\n");
  ASSERT_EQ(lines.size(), 47);
  ASSERT_EQ(texts.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto ids = encode(tokenizer, texts[i]);
    EXPECT_EQ(ids, numbers_in(lines[i])) << texts[i];
    EXPECT_EQ(decode(tokenizer, ids), texts[i]);
  }
}

TEST(SentencePieceGolden, Llama2) {
  expect_llama_cpp_ids(*make_sentencepiece(read_model_fixture("tokenizers/llama2/tokenizer.model")));
}

TEST(SentencePieceGolden, Phi3FromGguf) {
  const auto tokenizer = make_sentencepiece(read_file_tokenizer("tokenizers/phi-3/ggml-vocab-phi-3.gguf"));
  EXPECT_EQ(tokenizer->size(), 32064);
  expect_llama_cpp_ids(*tokenizer);
}

TEST(SentencePieceGolden, Llama2AsInTransformersJs) {
  const auto tokenizer = make_sentencepiece(read_model_fixture("tokenizers/llama2/tokenizer.model"));
  const Json vectors = read_json_fixture("tokenizers/llama2/vectors.json");
  const auto& cases = *vectors.find("cases")->as_array();
  ASSERT_EQ(cases.size(), 37);
  for (const Json& each : cases) {
    const std::string& text = *each.find("text")->as_string();
    auto expected = ids_of(*each.find("ids"));
    ASSERT_EQ(expected.front(), 1);  // <s>
    expected.erase(expected.begin());
    EXPECT_EQ(encode(*tokenizer, text), expected) << text;
    EXPECT_EQ("<s> " + decode(*tokenizer, expected), *each.find("decoded")->as_string());
  }
}

// The expected ids were computed by the fixtures' writer, which shares no code with this program.
void expect_texts(const Tokenizer& tokenizer, const Json& entry) {
  const auto& texts = *entry.find("expect")->find("tokenizer")->find("texts")->as_array();
  EXPECT_EQ(texts.size(), 12);
  for (const Json& each : texts) {
    const std::string& text = *each.find("text")->as_string();
    const auto ids = encode(tokenizer, text);
    EXPECT_EQ(ids, ids_of(*each.find("ids"))) << text;
    EXPECT_EQ(decode(tokenizer, ids), *each.find("decoded")->as_string());
  }
}

TEST(SentencePieceGolden, AmbFixtures) {
  for (const std::string file : {"mistral-window.amb", "phi3-fused.amb"}) {
    SCOPED_TRACE(file);
    expect_texts(*make_sentencepiece(read_file_tokenizer("amb/" + file)), expected_entry("amb/expected.json", file));
  }
}

TEST(SentencePieceGolden, AltFixtures) {
  for (const std::string file : {"f32.alt", "end-4.alt", "ref-layout.alt", "ref-tokenizer.alt", "ref-full.alt"}) {
    SCOPED_TRACE(file);
    expect_texts(*make_sentencepiece(read_file_tokenizer("alt/" + file)), expected_entry("alt/expected.json", file));
  }
}

TEST(SentencePieceGolden, WithoutByteFallback) {
  const auto tokenizer = make_sentencepiece(read_model_fixture("sentencepiece/tok105.model"));
  EXPECT_EQ(pieces_of(*tokenizer, "  Once   upon "), "▁ O n c e ▁ u p o n");
  const auto ids = encode(*tokenizer, "a日本b\U0001F600c");
  ASSERT_EQ(ids.size(), 6);  // one unknown piece for the two characters that follow one another
  EXPECT_EQ(ids[2], 0);
  EXPECT_EQ(ids[4], 0);
  // The surface of unknown pieces is the text in the file, which here is an escape that nobody undid.
  EXPECT_EQ(decode(*tokenizer, {ids[1], 0}), "a \\342\\201\\207 ");
}

}  // namespace
}  // namespace quintet::test
