#include "runtime/generation/generated_text.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

// One letter each, and an end marker that has no text.
constexpr uint32_t kMarker = 2;
Result<TextCodec> letters() {
  ModelDescription description;
  TokenizerDescription& tokenizer = description.tokenizer;
  tokenizer.kind.emplace<SentencePieceDescription>();
  for (const std::string_view token : {"<unk>", "▁", "<end_of_call>", "}", "<", "e"}) {
    EXPECT_TRUE(tokenizer.tokens.add(token));
  }
  tokenizer.sentencepiece()->scores.assign(tokenizer.tokens.size(), 0.0F);
  using enum PieceType;
  tokenizer.piece_types = {unknown, normal, control, normal, normal, normal};
  return TextCodec::create(description);
}

TEST(GeneratedText, HeldTextComesWithTheSpecialTokenAfterIt) {
  const auto codec = letters();
  ASSERT_TRUE(codec) << codec.error().detail;
  GeneratedText text(*codec, {"<e", "}}"}, false);
  EXPECT_EQ(text.push(3), "");
  EXPECT_EQ(text.push(kMarker), "}");
  EXPECT_EQ(text.push(3), "");
  EXPECT_EQ(text.push(4), "}");
  EXPECT_EQ(text.push(kMarker), "<");
  EXPECT_EQ(text.push(5), "e");
  EXPECT_FALSE(text.stopped());
  EXPECT_EQ(text.push(4), "");
  EXPECT_EQ(text.push(5), "");
  EXPECT_TRUE(text.stopped());
}

}  // namespace
}  // namespace quintet
