// Text to ids and back as a model's file wants it: the fixtures' texts against ids that another program made, and what
// special tokens, their types and the metadata do.

#include "runtime/tokenize/text_codec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/tokenizers/byte_level_fixtures.h"
#include "tests/tokenizers/fixtures.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

size_t expect_texts(const std::string& folder) {
  size_t count = 0;
  const Json fixtures = test::read_json_fixture(folder + "/expected.json");
  for (const Json& each : *fixtures.as_array()) {
    const Json* tokenizer = each.find("expect")->find("tokenizer");
    const Json* texts = tokenizer ? tokenizer->find("texts") : nullptr;
    if (!texts) continue;
    const std::string& file = *each.find("file")->as_string();
    auto read = test::read_file(test::fixture(folder + "/" + file));
    EXPECT_TRUE(read) << file;
    const auto codec = TextCodec::create(read->description);
    EXPECT_TRUE(codec) << file << ": " << codec.error().detail;
    if (!codec) continue;
    for (const Json& text : *texts->as_array()) {
      const Ids expected = test::ids_of(*text.find("ids"));
      EXPECT_EQ(*codec->encode(*text.find("text")->as_string(), {.add_bos = false}), expected)
          << file << ": " << *text.find("text")->as_string();
      const Result<std::string> back = codec->decode(expected);
      EXPECT_TRUE(back) << file;
      const Json* decoded = text.find("decoded");
      if (back && decoded) {
        EXPECT_EQ(*back, *decoded->as_string()) << file;
      }
      ++count;
    }
  }
  return count;
}

TEST(TextCodec, GivesTheIdsOfTheFixtures) {
  EXPECT_EQ(expect_texts("amb"), 46);
  EXPECT_EQ(expect_texts("alt"), 156);
}

TEST(TextCodec, ModelsWithoutATokenizerTakeIdsOnly) {
  for (const std::string file : {"amb/llama-f32.amb", "amb/tok-custom.amb"}) {
    auto read = test::read_file(test::fixture(file));
    ASSERT_TRUE(read);
    const auto codec = TextCodec::create(read->description);
    ASSERT_TRUE(codec);
    EXPECT_FALSE(codec->has_tokenizer());
    EXPECT_EQ(codec->encode("a", {}).error().code, Code::unsupported);
    EXPECT_EQ(codec->decode(Ids{1}).error().code, Code::unsupported);
    EXPECT_EQ(codec->encode_chat("a", {}).error().code, Code::unsupported);
    EXPECT_EQ(codec->token(1), "");
  }
}

// Letters and a few merges, and what a test adds.
ModelDescription small_model(const std::vector<std::string>& more, std::vector<PieceType> types_of_more = {}) {
  std::vector<std::string> tokens = {"a", "b", "\u0120", "ab", "<", "|", ">", "<|"};
  const size_t letters = tokens.size();
  tokens.insert(tokens.end(), more.begin(), more.end());
  ModelDescription model;
  model.tokenizer.kind.emplace<BpeDescription>();
  model.tokenizer.tokens = test::string_table(tokens);
  model.tokenizer.bpe()->merges = test::string_table({"a b", "< |"});
  if (!types_of_more.empty()) {
    model.tokenizer.piece_types.assign(letters, PieceType::normal);
    model.tokenizer.piece_types.insert(model.tokenizer.piece_types.end(), types_of_more.begin(), types_of_more.end());
  }
  return model;
}

TextCodec codec_of(ModelDescription model) {
  auto codec = TextCodec::create(model);
  EXPECT_TRUE(codec) << codec.error().detail;
  return std::move(*codec);
}

TEST(TextCodec, SpecialTokensAreFoundOnDemandOnly) {
  const TextCodec codec = codec_of(small_model({"<|x|>"}, {PieceType::control}));
  EXPECT_EQ(*codec.encode("a<|x|>b", {}), (Ids{0, 7, 5, 6, 1}));
  EXPECT_EQ(*codec.encode("a<|x|>b", {.parse_special = true}), (Ids{0, 8, 1}));
  EXPECT_EQ(*codec.decode(Ids{0, 8, 1}), "ab");
  EXPECT_TRUE(codec.is_special(8));
  EXPECT_EQ(codec.token(8), "<|x|>");
}

TEST(TextCodec, UserDefinedTokensAreFoundInEveryText) {
  const TextCodec codec = codec_of(small_model({"  ", "   "}, {PieceType::user_defined, PieceType::user_defined}));
  EXPECT_EQ(*codec.encode("a   b  a", {}), (Ids{0, 9, 1, 8, 0}));
  EXPECT_EQ(*codec.decode(Ids{0, 9, 1, 8, 0}), "a   b  a");
  EXPECT_FALSE(codec.is_special(8));
}

// AMB has no types of tokens.
TEST(TextCodec, TypesAreTakenFromTheVocabularyWhereTheFileHasNone) {
  ModelDescription model = small_model({"<|x|>", "  ", "[PAD]"});
  model.tokenizer.special.pad = 10;
  model.tokenizer.special.unk = 0;  // a letter: it stays one
  const TextCodec codec = codec_of(std::move(model));
  EXPECT_TRUE(codec.is_special(8));
  EXPECT_TRUE(codec.is_special(10));
  EXPECT_FALSE(codec.is_special(0));
  EXPECT_EQ(*codec.encode("a  b", {}), (Ids{0, 9, 1}));
  EXPECT_FALSE(codec.is_special(7));  // "<|" is made by a merge
}

TEST(TextCodec, TheBeginTokenIsAddedIfTheModelWantsIt) {
  const auto ids = [](std::optional<bool> said, bool add_bos) {
    ModelDescription model = small_model({"<|s|>"});
    model.tokenizer.special.bos = 8;
    model.tokenizer.add_bos = said;
    return *codec_of(std::move(model)).encode("a", {.add_bos = add_bos});
  };
  EXPECT_EQ(ids(std::nullopt, true), (Ids{0}));
  EXPECT_EQ(ids(true, true), (Ids{8, 0}));
  EXPECT_EQ(ids(true, false), (Ids{0}));
  EXPECT_EQ(ids(false, true), (Ids{0}));
}

TEST(TextCodec, WholeWordTokensMayIgnoreMerges) {
  for (const bool ignore : {false, true}) {
    ModelDescription model = small_model({"ba"});
    model.tokenizer.bpe()->pre_tokenizer = "llama3";
    model.tokenizer.bpe()->ignore_merges = ignore;
    EXPECT_EQ(*codec_of(std::move(model)).encode("ba", {}), ignore ? (Ids{8}) : (Ids{1, 0}));
  }
}

TEST(TextCodec, TextIsNormalizedIfTheModelWantsIt) {
  for (const bool nfc : {false, true}) {
    // U+00C5, and U+212B that stands for it: C3 85 and E2 84 AB.
    ModelDescription model = small_model({"\u00C3", "\u0127", "\u00E2", "\u0126", "\u00AB"});
    if (nfc) model.tokenizer.normalizer = {{.kind = NormalizerKind::nfc}};
    EXPECT_EQ(*codec_of(std::move(model)).encode("\u212B", {}), nfc ? (Ids{8, 9}) : (Ids{10, 11, 12}));
  }
}

TEST(TextCodec, EndTokensAreTheModelsAndThoseOfTurns) {
  ModelDescription model = small_model({"<|eot_id|>", "<|x|>", "<|end|>"});
  model.tokenizer.special.eos = 3;
  const TextCodec codec = codec_of(std::move(model));
  for (const uint32_t id : {3u, 8u, 10u}) EXPECT_TRUE(codec.is_end(id));
  for (const uint32_t id : {0u, 9u}) EXPECT_FALSE(codec.is_end(id));
}

TEST(TextCodec, EndTokensNamedInTheFileAreAddedAndHaveNoText) {
  ModelDescription model = small_model({"<turn>", "<|im_end|>", "<x>"},
                                       {PieceType::user_defined, PieceType::normal, PieceType::user_defined});
  model.tokenizer.ends = {1, 8};
  const TextCodec codec = codec_of(std::move(model));
  for (const uint32_t id : {1u, 8u, 9u}) EXPECT_TRUE(codec.is_end(id));
  EXPECT_FALSE(codec.is_end(10));
  EXPECT_EQ(*codec.decode(Ids{0, 8, 9, 10}), "a<x>");
  EXPECT_EQ(*codec.encode("<turn>", {.parse_special = true}), (Ids{8}));
  EXPECT_FALSE(codec.is_special(1));  // a letter stays one
}

TEST(TextCodec, SpecialTokensOfAConversationAreThoseOfTheTemplate) {
  const TextCodec codec = codec_of(small_model({"<|im_end|>", "<|im_end|><|x|>", "<think>"},
                                               {PieceType::control, PieceType::control, PieceType::user_defined}));
  const std::string_view text = "<|im_end|><|im_end|><|x|><think>";
  const auto encode = [&](std::vector<uint32_t> changes) {
    Ids special;
    const auto ids = codec.encode_chat(text, TextOrigin(changes));
    for (const uint32_t id : *ids) {
      if (id >= 8) special.push_back(id);
    }
    return special;
  };
  EXPECT_EQ(encode({}), (Ids{8, 9, 10}));
  EXPECT_EQ(encode({10}), (Ids{8, 10}));
  EXPECT_EQ(encode({0}), (Ids{10}));
  EXPECT_EQ(encode({0, 10}), (Ids{9, 10}));
  // The longer token is not wholly of the template, the shorter one is.
  EXPECT_EQ(encode({20}), (Ids{8, 8, 10}));
  EXPECT_EQ(encode({5, 6}), (Ids{9, 10}));
  EXPECT_EQ(encode({9}), (Ids{10}));
}

// The text is not split where the origin changes.
TEST(TextCodec, TextOfAConversationIsOneTextWhoeverWroteIt) {
  const TextCodec codec = codec_of(small_model({}));
  const std::string_view text = "abab";
  const Ids whole = *codec.encode(text, {.add_bos = false});
  for (uint32_t at = 0; at <= text.size(); ++at) {
    const std::vector<uint32_t> changes = {at};
    EXPECT_EQ(*codec.encode_chat(text, TextOrigin(changes)), whole);
  }
}

std::string chat_of(ModelDescription model) {
  auto codec = TextCodec::create(model);
  EXPECT_TRUE(codec) << codec.error().detail;
  return codec->chat(model);
}

TEST(TextCodec, ReturnsTheModelsTemplates) {
  ModelDescription model = small_model({"<s>"});
  model.tokenizer.special.bos = 8;
  model.metadata.set("tokenizer.chat_template", "d");
  model.metadata.set("tokenizer.chat_template.tool_use", "t");
  EXPECT_EQ(chat_of(std::move(model)), R"({"templates":{"default":"d","tool_use":"t"},"tokens":{"bos_token":"<s>"}})");
  model = small_model({});
  model.metadata.set("chat_template", *parse_json(R"([{"name":"rag","template":"r"},{"name":1},{"name":"default"}])"));
  EXPECT_EQ(chat_of(std::move(model)), R"({"templates":{"rag":"r"},"tokens":{}})");
}

TEST(TextCodec, IdsOutsideTheVocabularyHaveNoText) {
  const TextCodec codec = codec_of(small_model({}));
  EXPECT_EQ(codec.decode(Ids{0, 8}).error().reason, Reason::out_of_range);
  EXPECT_EQ(codec.token(8), "");
  std::string bytes;
  codec.append_bytes(8, true, bytes);
  EXPECT_EQ(bytes, "");
}

TEST(TextCodec, UnknownPatternsAreNamed) {
  ModelDescription model = small_model({});
  model.tokenizer.bpe()->pre_tokenizer = "kimi-k2";
  const auto codec = TextCodec::create(model);
  ASSERT_FALSE(codec);
  EXPECT_EQ(codec.error().code, Code::unsupported);
  EXPECT_NE(codec.error().detail.find("kimi-k2"), std::string::npos);
}

TEST(SpecialTokens, FindsTheFirstAndOfThoseTheLongest) {
  const SpecialTokens tokens({{"<s>", 1}, {"<s><s>", 2}, {"x", 3}, {"", 4}, {std::string(300, 'y'), 5}});
  const auto found = tokens.next("ab<s><s>x", 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, 2);
  EXPECT_EQ(found->size, 6);
  EXPECT_EQ(found->id, 2);
  EXPECT_EQ(tokens.next("ab<s><s>x", 3)->begin, 5);
  EXPECT_FALSE(tokens.next("<s", 0));
  EXPECT_FALSE(tokens.next(std::string(300, 'y'), 0));  // too long to be looked for
  EXPECT_FALSE(SpecialTokens().next("a", 0));
}

// Strips like `lstrip` and `rstrip` of an added token (tokenizers/src/tokenizer/added_vocabulary.rs of
// huggingface/tokenizers).
TEST(SpecialTokens, MayStripTheWhiteSpaceAroundThem) {
  const SpecialTokens tokens({{.text = "<l>", .id = 1, .trims_left = true},
                              {.text = "<r>", .id = 2, .trims_right = true},
                              {.text = "<b>", .id = 3, .trims_left = true, .trims_right = true}});
  const auto place = [&](std::string_view text, size_t from = 0) {
    const auto found = tokens.next(text, from);
    EXPECT_TRUE(found) << text;
    return std::pair(found->begin, found->begin + found->size);
  };
  using Place = std::pair<size_t, size_t>;
  EXPECT_EQ(place("a \n<l> b"), Place(1, 6));
  EXPECT_EQ(place("a <r> \u00A0\u3000b"), Place(2, 11));
  EXPECT_EQ(place(" <b>  "), Place(0, 6));
  EXPECT_EQ(place("<r> <l>", 4), Place(4, 7));    // what another token took
  EXPECT_EQ(place("\x80\xA0 <l>"), Place(2, 6));  // half a character is none
  EXPECT_EQ(place("<b>"), Place(0, 3));
}

}  // namespace
}  // namespace quintet
