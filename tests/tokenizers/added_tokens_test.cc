// Added tokens of a tokenizer.json with `normalized`, whose ids are those of @huggingface/tokenizers 0.2.0, and with
// `single_word`, which only the Rust library has (huggingface/tokenizers, tokenizer/added_vocabulary.rs).

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tokenizers/standalone_tokenizers.h"

namespace quintet::test {
namespace {

using Ids = std::vector<uint32_t>;

// Single letters: a to z are 0 to 25, then a space, "!" and two bytes of U+00E9. The added token is 30.
StandaloneTokenizer with_added(const std::string& normalizer, const std::string& content, const std::string& rules) {
  std::string json = R"({"added_tokens":[{"id":30,"content":")" + content + R"(","lstrip":false,"rstrip":false,)" +
                     rules + R"(}],"normalizer":)" + normalizer +
                     R"(,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":true},)"
                     R"("post_processor":null,"decoder":{"type":"ByteLevel"},)"
                     R"("model":{"type":"BPE","unk_token":null,"merges":[],"vocab":{)";
  for (int i = 0; i < 26; ++i) json += std::string("\"") + static_cast<char>('a' + i) + "\":" + std::to_string(i) + ",";
  json += R"("Ġ":26,"!":27,"Ã":28,"©":29}}})";
  auto made = read_standalone_tokenizer(json);
  EXPECT_TRUE(made) << made.error().detail;
  return std::move(*made);
}

constexpr const char* kLowercase = R"({"type":"Lowercase"})";
constexpr const char* kNfc = R"({"type":"NFC"})";

Ids ids(const StandaloneTokenizer& tokenizer, std::string_view text) { return *tokenizer.encode(text, false, false); }

TEST(AddedTokens, NormalizedOnesAreFoundInNormalizedText) {
  const std::string normalized = R"("normalized":true,"single_word":false,"special":false)";
  for (const char* content : {"qz", "Qz"}) {
    const StandaloneTokenizer tokenizer = with_added(kLowercase, content, normalized);
    EXPECT_EQ(ids(tokenizer, "Qz I"), (Ids{30, 26, 8})) << content;
    EXPECT_EQ(ids(tokenizer, "aqZqzB"), (Ids{0, 30, 30, 1})) << content;
  }
  const StandaloneTokenizer composed = with_added(kNfc, "\u00E9!", normalized);
  EXPECT_EQ(ids(composed, "e\u0301! \u00E9!\u00E9"), (Ids{30, 26, 30, 28, 29}));
}

TEST(AddedTokens, OthersAreFoundInTheOriginalText) {
  const StandaloneTokenizer tokenizer =
      with_added(kLowercase, "Qz", R"("normalized":false,"single_word":false,"special":false)");
  EXPECT_EQ(ids(tokenizer, "Qz qz"), (Ids{30, 26, 16, 25}));
}

TEST(AddedTokens, SingleWordTokensMatchWholeWords) {
  const std::string word = R"("normalized":false,"single_word":true,"special":false)";
  const StandaloneTokenizer tokenizer = with_added("null", "qz", word);
  EXPECT_EQ(ids(tokenizer, "qz"), (Ids{30}));
  EXPECT_EQ(ids(tokenizer, "a qz!qz"), (Ids{0, 26, 30, 27, 30}));
  EXPECT_EQ(ids(tokenizer, "aqz qza qzqz"), (Ids{0, 16, 25, 26, 16, 25, 0, 26, 16, 25, 16, 25}));
  EXPECT_EQ(ids(tokenizer, "\u00E9qz qz\u00E9"), (Ids{28, 29, 16, 25, 26, 16, 25, 28, 29}));
}

}  // namespace
}  // namespace quintet::test
