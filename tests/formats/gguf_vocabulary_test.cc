// The tokenizers of GGUF files.

#include <gtest/gtest.h>

#include <fstream>

#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

TokenizerDescription tokenizer_of(const GgufBuilder& builder) {
  auto read = read_file(builder.build());
  EXPECT_TRUE(read) << (read ? "" : read.error().detail);
  return read ? std::move(read->description.tokenizer) : TokenizerDescription();
}

std::vector<std::string> list(const StringTable& table) {
  std::vector<std::string> strings;
  for (size_t i = 0; i < table.size(); ++i) strings.emplace_back(table[i]);
  return strings;
}

TEST(GgufVocabulary, Llama) {
  const TokenizerDescription tokenizer = tokenizer_of(tiny_gguf_llama());
  EXPECT_EQ(tokenizer.type(), TokenizerType::sentencepiece);
  EXPECT_EQ(list(tokenizer.tokens), (std::vector<std::string>{"<unk>", "<s>", "</s>", "<0x0A>", "▁", "a", "▁a", "b"}));
  EXPECT_EQ(tokenizer.sentencepiece()->scores, (std::vector<float>{0, 0, 0, 0, -1, -2, -0.5, -3}));
  using enum PieceType;
  EXPECT_EQ(tokenizer.piece_types,
            (std::vector<PieceType>{unknown, control, control, byte, normal, normal, normal, user_defined}));
  EXPECT_EQ(tokenizer.special.bos, 1);
  EXPECT_EQ(tokenizer.special.eos, 2);
  EXPECT_FALSE(tokenizer.special.unk);
}

// As the same merges in a tokenizer.json: the first merge of a piece decides, and nothing else makes longer pieces.
TEST(GgufVocabulary, Gemma4HasMergesInsteadOfScores) {
  GgufBuilder builder;
  builder.strings("tokenizer.ggml.tokens", {"<bos>", "▁", "a", "b", "ab", "▁ab", "aa"});
  builder.strings("tokenizer.ggml.merges", {"a b", "▁ ab", "▁a b", "x y"}).text("tokenizer.ggml.model", "gemma4");
  builder.u32("tokenizer.ggml.bos_token_id", 0);
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  ASSERT_EQ(tokenizer.type(), TokenizerType::sentencepiece);
  EXPECT_EQ(tokenizer.sentencepiece()->scores, (std::vector<float>{0, -4, -4, -4, 0, -1, -4}));
  using enum PieceType;
  EXPECT_EQ(tokenizer.piece_types, (std::vector<PieceType>{control, normal, normal, normal, normal, normal, unused}));
  EXPECT_FALSE(tokenizer.sentencepiece()->settings->add_dummy_prefix);
}

TEST(GgufVocabulary, ScoresAndTypesMayBeAbsent) {
  GgufBuilder builder;
  builder.strings("tokenizer.ggml.tokens", {"a", "b"}).text("tokenizer.ggml.model", "llama");
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_EQ(tokenizer.sentencepiece()->scores, (std::vector<float>{0, 0}));
  EXPECT_EQ(tokenizer.piece_types, (std::vector<PieceType>{PieceType::normal, PieceType::normal}));
}

// Bytes by their texts, as in llama.cpp; special tokens by their ids.
TEST(GgufVocabulary, WithoutTypesTokensAreKnownByTheirTextsAndIds) {
  GgufBuilder builder;
  builder.strings("tokenizer.ggml.tokens", {"<0x41>", "<begin>", "<0x0a>", "<?>", "<0xFF>", "<0x100>", "<end>"});
  builder.text("tokenizer.ggml.model", "llama").u32("tokenizer.ggml.bos_token_id", 1);
  builder.u32("tokenizer.ggml.eos_token_id", 6).u32("tokenizer.ggml.unknown_token_id", 3);
  builder.u32("tokenizer.ggml.padding_token_id", 1000);
  using enum PieceType;
  EXPECT_EQ(tokenizer_of(builder).piece_types,
            (std::vector<PieceType>{byte, control, normal, unknown, byte, normal, control}));
}

// llama.cpp, src/llama-vocab.cpp, byte_to_token: regardless of their type.
TEST(GgufVocabulary, BytesOfOtherTypesAreBytes) {
  GgufBuilder builder;
  builder.strings("tokenizer.ggml.tokens", {"<unk>", "<0x41>", "a", "<0xFF>"}).text("tokenizer.ggml.model", "llama");
  builder.ints("tokenizer.ggml.token_type", {2, 1, 1, 4});
  using enum PieceType;
  EXPECT_EQ(tokenizer_of(builder).piece_types, (std::vector<PieceType>{unknown, byte, normal, byte}));
}

// llama.cpp, src/llama-vocab.cpp: the defaults of a vocabulary of T5's kind.
TEST(GgufVocabulary, OfUnigramWithoutSettings) {
  GgufBuilder builder;
  builder.strings("tokenizer.ggml.tokens", {"<pad>", "</s>", "<unk>", "a"}).text("tokenizer.ggml.model", "t5");
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_EQ(tokenizer.special.unk, 2u);
  ASSERT_TRUE(tokenizer.sentencepiece()->settings);
  EXPECT_FALSE(tokenizer.sentencepiece()->settings->add_dummy_prefix);
  EXPECT_FALSE(tokenizer.sentencepiece()->settings->remove_extra_whitespaces);
}

// llama.cpp, src/llama-vocab.cpp: attributes by the model's name.
TEST(GgufVocabulary, TokensOfPhi3TakeTheSpaceAfterThem) {
  const auto trims = [](const char* name) {
    GgufBuilder builder;
    builder.text("general.name", name).text("tokenizer.ggml.model", "llama");
    builder.strings("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "a", "<|endoftext|>", "<|user|>", "<|end|>"});
    builder.ints("tokenizer.ggml.token_type", {2, 3, 3, 1, 3, 3, 4});
    const TokenizerDescription tokenizer = tokenizer_of(builder);
    EXPECT_TRUE(tokenizer.trims_left.empty());
    return tokenizer.trims_right;
  };
  EXPECT_EQ(trims("Phi3"), (std::vector<uint32_t>{2, 5, 6}));
  EXPECT_EQ(trims("Microsoft PHI-3 mini"), (std::vector<uint32_t>{2, 5, 6}));
  EXPECT_EQ(trims("Llama"), (std::vector<uint32_t>{}));
}

TEST(GgufVocabulary, AnEndMayBeAdded) {
  EXPECT_EQ(tokenizer_of(tiny_gguf_llama()).add_eos, std::nullopt);
  for (const uint8_t flag : {0, 1}) {
    GgufBuilder builder = tiny_gguf_llama();
    builder.value("tokenizer.ggml.add_eos_token", kGgufBool, GgufBytes().number(flag));
    EXPECT_EQ(tokenizer_of(builder).add_eos, flag == 1);
  }
}

TEST(GgufVocabulary, Gpt2) {
  GgufBuilder builder;
  builder.strings("tokenizer.ggml.merges", {"Ġ t", "h e"}).text("tokenizer.ggml.model", "gpt2");
  builder.strings("tokenizer.ggml.tokens", {"Ġ", "t", "Ġt", "h", "e", "he", "<|endoftext|>"});
  builder.ints("tokenizer.ggml.token_type", {1, 1, 1, 1, 1, 1, 3}).u32("tokenizer.ggml.eos_token_id", 6);
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_EQ(tokenizer.type(), TokenizerType::bpe);
  EXPECT_EQ(list(tokenizer.tokens), (std::vector<std::string>{"Ġ", "t", "Ġt", "h", "e", "he", "<|endoftext|>"}));
  EXPECT_EQ(list(tokenizer.bpe()->merges), (std::vector<std::string>{"Ġ t", "h e"}));
  EXPECT_EQ(tokenizer.special.eos, 6);
}

// The vocabulary of BERT uncased, in the spelling of llama.cpp's converter.
TEST(GgufVocabulary, Bert) {
  std::ifstream in(QUINTET_FIXTURES "/tokenizers/minilm/vocab.txt");
  std::vector<std::string> tokens, spelled;
  for (std::string line; std::getline(in, line);) {
    tokens.push_back(line);
    const bool name = line.front() == '[' && line.back() == ']';
    spelled.push_back(name ? line : line.starts_with("##") ? line.substr(2) : "\u2581" + line);
  }
  ASSERT_EQ(tokens.size(), 30522);
  GgufBuilder builder;
  builder.text("tokenizer.ggml.model", "bert").strings("tokenizer.ggml.tokens", spelled);
  builder.u32("tokenizer.ggml.unknown_token_id", 100).u32("tokenizer.ggml.seperator_token_id", 102);
  builder.u32("tokenizer.ggml.padding_token_id", 0).u32("tokenizer.ggml.cls_token_id", 101);
  builder.u32("tokenizer.ggml.mask_token_id", 103);
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_EQ(tokenizer.type(), TokenizerType::wordpiece);
  EXPECT_EQ(list(tokenizer.tokens), tokens);
  EXPECT_EQ(tokenizer.tokens[*tokenizer.special.unk], "[UNK]");
  EXPECT_EQ(tokenizer.tokens[*tokenizer.special.sep], "[SEP]");
  EXPECT_EQ(tokenizer.tokens[*tokenizer.special.pad], "[PAD]");
  EXPECT_EQ(tokenizer.tokens[*tokenizer.special.cls], "[CLS]");
  EXPECT_EQ(tokenizer.tokens[*tokenizer.special.mask], "[MASK]");
}

TEST(GgufVocabulary, BertMayNameItsEndTokensLikeOthers) {
  GgufBuilder builder;
  builder.text("tokenizer.ggml.model", "bert").strings("tokenizer.ggml.tokens", {"[CLS]", "[SEP]"});
  builder.u32("tokenizer.ggml.bos_token_id", 0).u32("tokenizer.ggml.eos_token_id", 1);
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_EQ(tokenizer.special.cls, 0);
  EXPECT_EQ(tokenizer.special.sep, 1);
}

TEST(GgufVocabulary, OthersAreOnlyListed) {
  GgufBuilder builder;
  builder.text("tokenizer.ggml.model", "rwkv").strings("tokenizer.ggml.tokens", {"a", "b"});
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_EQ(tokenizer.type(), TokenizerType::none);
  EXPECT_EQ(tokenizer.size(), 2);
}

TEST(GgufVocabulary, MinusOneIsNotAnId) {
  GgufBuilder builder;
  builder.u32("tokenizer.ggml.bos_token_id", 0xFFFFFFFF);
  builder.value("tokenizer.ggml.eos_token_id", kGgufI32, GgufBytes().number(int32_t{-1}));
  const TokenizerDescription tokenizer = tokenizer_of(builder);
  EXPECT_FALSE(tokenizer.special.bos);
  EXPECT_FALSE(tokenizer.special.eos);
}

TEST(GgufVocabulary, CountsTheTokenizersBytes) {
  GgufBuilder builder;
  builder.text("general.name", "x").strings("tokenizer.ggml.tokens", {"a", "bc"}).u32("tokenizer.ggml.bos_token_id", 1);
  const uint64_t tokens = 8 + 21 + 4 + 4 + 8 + (8 + 1) + (8 + 2);
  const uint64_t bos = 8 + 27 + 4 + 4;
  EXPECT_EQ(tokenizer_of(builder).stored_bytes, tokens + bos);
}

}  // namespace
}  // namespace quintet::test
