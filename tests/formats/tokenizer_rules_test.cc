// Rules for tokenizing text and ending an answer, in the words of each format: llama.cpp's names, AMB's keys, and the
// texts of tokens.

#include <gtest/gtest.h>

#include "formats/amb/token_rules.h"
#include "formats/amb/tokenizer_config.h"
#include "formats/pre_tokenizers.h"
#include "formats/special_tokens.h"
#include "tests/formats/gguf_builder.h"
#include "tests/tokenizers/byte_level_fixtures.h"

namespace quintet::test {
namespace {

using Ids = std::vector<uint32_t>;

const std::vector<NormalizerStep> kNfc = {{.kind = NormalizerKind::nfc}};

TokenizerDescription of_gguf(const GgufBuilder& builder) {
  auto read = read_file(builder.build());
  EXPECT_TRUE(read) << (read ? "" : read.error().detail);
  return read ? std::move(read->description.tokenizer) : TokenizerDescription();
}

GgufBuilder gguf(std::string_view pre) {
  GgufBuilder builder;
  builder.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", pre);
  return builder;
}

TEST(TokenizerRules, OfLlamaCppsPreTokenizers) {
  struct Expected {
    const char *pre, *name;
    bool ignore_merges, add_bos, nfc;
  };
  constexpr Expected kExpected[] = {
      {"gpt-2", "gpt2", false, false, false},
      {"modern-bert", "gpt2", false, false, true},
      {"llama-bpe", "llama3", true, true, false},
      {"falcon3", "llama3", true, true, false},
      {"dbrx", "llama3", false, false, false},
      {"smaug-bpe", "llama3", false, false, false},
      {"qwen2", "qwen2", false, false, true},
      {"deepseek-r1-qwen", "qwen2", false, false, true},
      {"starcoder", "starcoder", false, false, false},
      {"smollm", "starcoder", false, false, false},
      {"gpt-4o", "gpt4o", false, false, false},
      {"tekken", "tekken", true, true, false},
      {"qwen35", "qwen35", false, false, true},
      {"stablelm2", "qwen2", false, false, true},
      {"mpt", "gpt2", false, false, true},
      {"refact", "starcoder", false, false, false},
      {"falcon", "falcon", false, false, false},
      {"deepseek-llm", "deepseek-llm", false, false, false},
      {"deepseek-v3", "deepseek-v3", false, false, false},
      {"deepseek-coder", "deepseek-coder", false, false, false},
  };
  for (const Expected& each : kExpected) {
    const TokenizerDescription tokenizer = of_gguf(gguf(each.pre));
    EXPECT_EQ(tokenizer.bpe()->pre_tokenizer, each.name) << each.pre;
    EXPECT_EQ(tokenizer.bpe()->ignore_merges, each.ignore_merges) << each.pre;
    EXPECT_EQ(tokenizer.add_bos, each.add_bos) << each.pre;
    EXPECT_EQ(tokenizer.normalizer == kNfc, each.nfc) << each.pre;
    EXPECT_EQ(tokenizer.normalizer.empty(), !each.nfc) << each.pre;
    EXPECT_TRUE(check_pre_tokenizer(tokenizer)) << each.pre;
    size_t words = 0;
    const PreTokenizer named = pre_tokenizer_named(tokenizer.bpe()->pre_tokenizer);
    EXPECT_TRUE(named.for_each_word("Hello, world", [&](std::string_view) { ++words; })) << each.pre;
    EXPECT_EQ(words, 3u) << each.pre;
  }
}

TEST(TokenizerRules, OthersAreUnsupportedByName) {
  for (const char* pre : {"kimi-k2", "superbpe", "default", "none"}) {
    const TokenizerDescription tokenizer = of_gguf(gguf(pre));
    const Status status = check_pre_tokenizer(tokenizer);
    ASSERT_FALSE(status) << pre;
    EXPECT_EQ(status.error().code, Code::unsupported);
    EXPECT_NE(status.error().detail.find(std::string("\"") + pre), std::string::npos) << status.error().detail;
    EXPECT_NE(status.error().detail.find("gpt2, llama3, qwen2, qwen35, gpt4o, tekken, starcoder"), std::string::npos);
  }
}

TEST(TokenizerRules, GgufNamesUpToThreeEnds) {
  GgufBuilder builder = gguf("llama-bpe");
  builder.strings("tokenizer.ggml.tokens", {"a", "b", "c", "d", "<|eot_id|>"});
  builder.ints("tokenizer.ggml.token_type", {1, 1, 4, 1, 1});
  builder.u32("tokenizer.ggml.eos_token_id", 3)
      .u32("tokenizer.ggml.eot_token_id", 2)
      .u32("tokenizer.ggml.eom_token_id", 1);
  const TokenizerDescription tokenizer = of_gguf(builder);
  EXPECT_EQ(tokenizer.ends, (Ids{1, 2, 3, 4}));
  using enum PieceType;
  EXPECT_EQ(tokenizer.piece_types, (std::vector<PieceType>{normal, normal, control, normal, control}));
}

TokenizerDescription vocabulary(const std::vector<std::string>& tokens, const std::vector<std::string>& merges = {}) {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<BpeDescription>();
  tokenizer.tokens = string_table(tokens);
  tokenizer.bpe()->merges = string_table(merges);
  return tokenizer;
}

Ids ends_of(TokenizerDescription tokenizer) {
  complete_end_tokens(tokenizer);
  return tokenizer.ends;
}

TEST(TokenizerRules, EndsAreKnownByTheirText) {
  EXPECT_EQ(ends_of(vocabulary({"<|im_end|>", "<|im_start|>", "</s>", "[EOS]", "<end_of_turn>", "<eos> ", "[e~["})),
            (Ids{0, 2, 3, 4, 6}));
  EXPECT_EQ(ends_of(vocabulary({"<|fim_pad|>", "<|fim_prefix|>", "<|file_sep|>"})), (Ids{0, 2}));
  EXPECT_EQ(ends_of(vocabulary({"<\uFF5Cend\u2581of\u2581sentence\uFF5C>"})), (Ids{0}));
  EXPECT_EQ(ends_of(vocabulary({"<|end|>", "<|return|>", "<|call|>"})), (Ids{1, 2}));
  EXPECT_EQ(ends_of(vocabulary({"<|end|>", "<|return|>"})), (Ids{0, 1}));
  EXPECT_EQ(ends_of(vocabulary({"</s>", "<|tool_response>"})), (Ids{1}));
}

// A text of a user must not begin or end a turn. Types as in Gemma's tokenizer.model.
TEST(TokenizerRules, TurnsOfGemmaAreControlTokens) {
  TokenizerDescription tokenizer = vocabulary({"<start_of_turn>", "<end_of_turn>", "<start_of_image>", "a"});
  tokenizer.kind.emplace<SentencePieceDescription>();
  using enum PieceType;
  tokenizer.piece_types = {user_defined, user_defined, user_defined, normal};
  complete_end_tokens(tokenizer);
  EXPECT_EQ(tokenizer.piece_types, (std::vector<PieceType>{control, control, user_defined, normal}));
  EXPECT_EQ(tokenizer.ends, (Ids{1}));
}

TEST(TokenizerRules, TokensMadeByMergesAreText) {
  EXPECT_EQ(ends_of(vocabulary({"</", "s>", "</s>"}, {"</ s>"})), Ids());
  EXPECT_EQ(ends_of(vocabulary({"</", "s>", "</s>"}, {"< /s>x"})), (Ids{2}));
  TokenizerDescription added = vocabulary({"</", "s>", "</s>"}, {"</ s>"});
  added.piece_types = {PieceType::normal, PieceType::normal, PieceType::control};
  EXPECT_EQ(ends_of(added), (Ids{2}));  // the file decides
}

struct Amb {
  Json metadata = Json::object(), config = Json::object();
};

Amb put(const TokenizerDescription& tokenizer) {
  Amb amb;
  amb::put_text_rules(tokenizer, amb.metadata, amb.config);
  return amb;
}

TEST(TokenizerRules, AmbKeepsThem) {
  TokenizerDescription tokenizer = vocabulary({"a", "b", "<|im_end|>"});
  tokenizer.bpe()->pre_tokenizer = "qwen2";
  tokenizer.normalizer = kNfc;
  tokenizer.bpe()->ignore_merges = true;
  tokenizer.add_bos = false;
  tokenizer.ends = {1, 2};
  const Amb amb = put(tokenizer);
  EXPECT_EQ(write_json(amb.metadata), R"({"add_bos_token":false})");
  EXPECT_EQ(write_json(amb.config),
            R"({"pre_tokenizer":"qwen2","ignore_merges":true,"normalizer":"nfc","end_token_ids":[1,2]})");
  TokenizerDescription read;
  read.kind.emplace<BpeDescription>();
  ASSERT_TRUE(amb::take_text_rules(amb.metadata, amb.config, 0, read));
  EXPECT_EQ(read.bpe()->pre_tokenizer, "qwen2");
  EXPECT_EQ(read.normalizer, kNfc);
  EXPECT_TRUE(read.bpe()->ignore_merges);
  EXPECT_EQ(read.add_bos, false);
  EXPECT_EQ(read.ends, (Ids{1, 2}));
}

// In the notation of tokenizer.json.
TEST(TokenizerRules, AmbKeepsStepsWithoutAName) {
  TokenizerDescription tokenizer = vocabulary({"a"});
  tokenizer.bpe()->splits = {{.expression = "x+", .behavior = SplitBehavior::merged_with_next, .inverts = true},
                             {.expression = std::string(kGpt2Expression), .adds_space = true, .spells_bytes = true},
                             {.expression = "[0-9]"}};
  tokenizer.normalizer = {{.kind = NormalizerKind::strip, .right = true},
                          {.kind = NormalizerKind::lowercase},
                          {.kind = NormalizerKind::replace, .pattern = "a|b", .content = "c"},
                          {.kind = NormalizerKind::prepend, .content = "d"}};
  const Amb amb = put(tokenizer);
  EXPECT_EQ(write_json(amb.config),
            R"({"pre_tokenizer":{"type":"Sequence","pretokenizers":[)"
            R"({"type":"Split","pattern":{"Regex":"x+"},"behavior":"MergedWithNext","invert":true},)"
            R"({"type":"ByteLevel","add_prefix_space":true,"use_regex":true},)"
            R"({"type":"Split","pattern":{"Regex":"[0-9]"},"behavior":"Isolated","invert":false}]},)"
            R"("normalizer":{"type":"Sequence","normalizers":[{"type":"Strip","strip_left":false,"strip_right":true},)"
            R"({"type":"Lowercase"},{"type":"Replace","pattern":{"Regex":"a|b"},"content":"c"},)"
            R"({"type":"Prepend","prepend":"d"}]}})");
  TokenizerDescription read;
  read.kind.emplace<BpeDescription>();
  ASSERT_TRUE(amb::take_text_rules(amb.metadata, amb.config, 0, read));
  EXPECT_EQ(read.bpe()->splits, tokenizer.bpe()->splits);
  EXPECT_EQ(read.normalizer, tokenizer.normalizer);
}

TEST(TokenizerRules, AmbNeedsNoKeysForDefaults) {
  TokenizerDescription tokenizer = vocabulary({"a", "<|im_end|>"});
  tokenizer.special.eos = 0;
  tokenizer.bpe()->pre_tokenizer = "gpt2";
  complete_end_tokens(tokenizer);
  EXPECT_EQ(write_json(put(tokenizer).metadata) + write_json(put(tokenizer).config), "{}{}");
  tokenizer.bpe()->pre_tokenizer = "llama3";
  EXPECT_EQ(write_json(put(tokenizer).metadata), R"({"add_bos_token":false})");
  EXPECT_EQ(write_json(put(tokenizer).config), R"({"pre_tokenizer":"llama3","ignore_merges":false})");
}

// Like older files, which have nothing else.
TEST(TokenizerRules, Llama3NamesAllRulesOfLlama3) {
  Json config = Json::object();
  config.set("pre_tokenizer", "llama3");
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<BpeDescription>();
  ASSERT_TRUE(amb::take_text_rules(Json::object(), config, 0, tokenizer));
  EXPECT_TRUE(tokenizer.bpe()->ignore_merges);
  EXPECT_EQ(tokenizer.add_bos, true);
  EXPECT_TRUE(tokenizer.normalizer.empty());
  TokenizerDescription pieces;
  pieces.kind.emplace<SentencePieceDescription>();
  ASSERT_TRUE(amb::take_text_rules(Json::object(), config, 0, pieces));
  EXPECT_EQ(pieces.add_bos, true);
}

TEST(TokenizerRules, WrongAmbKeysAreNamed) {
  const auto error = [](std::string_view config) {
    TokenizerDescription tokenizer;
    const Status status = amb::take_text_rules(Json::object(), *parse_json(config), 77, tokenizer);
    EXPECT_FALSE(status) << config;
    return status ? Error() : status.error();
  };
  for (const auto& [key, value] : {std::pair("pre_tokenizer", "1"),
                                   {"ignore_merges", "\"yes\""},
                                   {"normalizer", "[]"},
                                   {"end_token_ids", "3"},
                                   {"end_token_ids", "[-1]"},
                                   {"end_token_ids", "[4294967296]"}}) {
    const Error wrong = error(std::string("{\"") + key + "\":" + value + "}");
    EXPECT_EQ(wrong.code, Code::format);
    EXPECT_EQ(wrong.offset, 77u);
    EXPECT_NE(wrong.detail.find(key), std::string::npos);
  }
  EXPECT_EQ(error(R"({"normalizer":"nfkc"})").code, Code::unsupported);
}

// A token may be special without looking like one, and added without being special.
TEST(TokenizerRules, AmbKeepsTokenTypes) {
  using enum PieceType;
  TokenizerDescription tokenizer = vocabulary({"a", "[X]", "<think>", "<|b|>"});
  tokenizer.bpe()->ids = {0, 1, 7, 8};
  tokenizer.piece_types = {normal, control, user_defined, normal};
  tokenizer.trims_left = {1};
  tokenizer.trims_right = {7, 8};
  Json config = Json::object();
  amb::put_token_rules(tokenizer, {normal, normal, normal, control}, config);
  EXPECT_EQ(write_json(config),
            R"({"special_tokens":[1],"added_tokens":[7],"lstrip_tokens":[1],"rstrip_tokens":[7,8]})");
  TokenizerDescription read = vocabulary({"a", "[X]", "<think>", "<|b|>"});
  read.bpe()->ids = tokenizer.bpe()->ids;
  ASSERT_TRUE(amb::take_token_rules(config, 0, read));
  EXPECT_EQ(read.piece_types, tokenizer.piece_types);
  EXPECT_EQ(read.trims_left, tokenizer.trims_left);
  EXPECT_EQ(read.trims_right, tokenizer.trims_right);

  Json usual = Json::object();
  tokenizer.trims_left = tokenizer.trims_right = {};
  amb::put_token_rules(tokenizer, tokenizer.piece_types, usual);
  EXPECT_EQ(write_json(usual), "{}");
}

TEST(TokenizerRules, AmbRejectsInvalidListsOfIds) {
  constexpr uint64_t kAt = 36;
  for (const char* text : {R"({"special_tokens":"all"})", R"({"added_tokens":[-1]})", R"({"lstrip_tokens":[1.5]})",
                           R"({"rstrip_tokens":[4294967296]})"}) {
    auto config = parse_json(text);
    ASSERT_TRUE(config);
    TokenizerDescription tokenizer = vocabulary({"a"});
    const Status taken = amb::take_token_rules(*config, kAt, tokenizer);
    ASSERT_FALSE(taken) << text;
    EXPECT_EQ(taken.error().code, Code::format) << text;
    EXPECT_EQ(taken.error().offset, kAt) << text;
  }
}

}  // namespace
}  // namespace quintet::test
