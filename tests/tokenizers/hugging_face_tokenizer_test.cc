// A tokenizer.json alone, from its file to ids and back: Qwen 2's (tests/fixtures/tokenizers/qwen2).

#include <gtest/gtest.h>

#include "base/unicode/nfc.h"
#include "formats/huggingface/folder.h"
#include "runtime/tokenize/text_codec.h"
#include "tests/tokenizers/coding.h"
#include "tests/tokenizers/fixtures.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

const TextCodec& qwen2() {
  static const TextCodec codec = [] {
    huggingface::Folder folder;
    const Status added = folder.add("tokenizer.json", test::read_text_fixture("tokenizers/qwen2/tokenizer.json"));
    EXPECT_TRUE(added) << added.error().detail;
    auto model = folder.describe_tokenizer();
    EXPECT_TRUE(model) << model.error().detail;
    auto created = TextCodec::create(*model);
    EXPECT_TRUE(created) << created.error().detail;
    return std::move(*created);
  }();
  return codec;
}

bool is_set(const Json& each, const char* key) {
  const Json* value = each.find(key);
  return value && value->as_bool() == true;
}

TEST(Qwen2, GivesTheIdsOfTheReferences) {
  const Json cases = test::read_json_fixture("tokenizers/qwen2/cases.json");
  ASSERT_GE(cases.as_array()->size(), 80u);
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.find("text")->as_string();
    const EncodeOptions options = {.add_bos = is_set(each, "special"), .parse_special = is_set(each, "parse")};
    EXPECT_EQ(*qwen2().encode(text, options), test::ids_of(*each.find("ids"))) << text;
  }
}

// Half of the texts are decomposed. Those that a user types cannot spell special tokens, and come back in NFC.
TEST(Qwen2, EqualsHuggingFaceOnRandomText) {
  const Json cases = test::read_json_fixture("tokenizers/qwen2/random.json");
  ASSERT_EQ(cases.as_array()->size(), 400u);
  const NfcNormalizer normalizer;
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.find("text")->as_string();
    const Ids ids = *qwen2().encode(text, {});
    EXPECT_EQ(ids, test::ids_of(*each.find("ids"))) << text;
    std::string normalized;
    normalizer.normalize(text, normalized);
    EXPECT_EQ(*qwen2().decode(ids), normalized);
  }
}

TEST(Qwen2, TextIsNormalizedFirst) {
  for (const auto& [decomposed, composed] :
       {std::pair("A\u0308pfel", "\u00C4pfel"), {"e\u0301a\u0301", "\u00E9\u00E1"}}) {
    EXPECT_EQ(*qwen2().encode(decomposed, {}), *qwen2().encode(composed, {}));
  }
  EXPECT_EQ(*qwen2().encode("A\u0308pfel", {}), (Ids{86975, 15897, 301}));
}

TEST(Qwen2, EndsAreTheSpecialTokensAndNotTheText) {
  EXPECT_TRUE(qwen2().is_end(151643));   // <|endoftext|>
  EXPECT_TRUE(qwen2().is_end(151645));   // <|im_end|>
  EXPECT_FALSE(qwen2().is_end(151644));  // <|im_start|>
}

}  // namespace
}  // namespace quintet
