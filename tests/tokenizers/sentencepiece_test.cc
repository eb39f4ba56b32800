// The effects of settings and types of pieces, as in google/sentencepiece's normalizer.cc, bpe_model.cc and
// sentencepiece_processor.cc.

#include "tokenizers/sentencepiece/sentencepiece.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/tokenizers/sentencepiece_models.h"

namespace quintet::test {
namespace {

const Piece kUnk = {"<unk>", 0, PieceType::unknown};
const Piece kBegin = {"<s>", 0, PieceType::control};

std::vector<Piece> letters(const std::vector<Piece>& more = {}) {
  std::vector<Piece> pieces = {kUnk, kBegin, {"▁", -9}, {"a", -9}, {"b", -9}, {"c", -9}};
  pieces.insert(pieces.end(), more.begin(), more.end());
  return pieces;
}

SentencePieceSettings settings_with(void (*change)(SentencePieceSettings&)) {
  SentencePieceSettings settings;
  change(settings);
  return settings;
}

std::string cut(const std::vector<Piece>& pieces, std::string_view text, SentencePieceSettings settings = {}) {
  return pieces_of(*make_sentencepiece(pieces, std::move(settings)), text);
}

TEST(SentencePiece, DummyPrefix) {
  const auto tokenizer = make_sentencepiece(letters(), {});
  EXPECT_EQ(pieces_of(*tokenizer, "a b"), "▁ a ▁ b");
  EXPECT_EQ(pieces_of(*tokenizer, "a b", false), "a ▁ b");
  EXPECT_EQ(pieces_of(*tokenizer, " a"), "▁ ▁ a");
  EXPECT_EQ(pieces_of(*tokenizer, "▁a"), "▁ ▁ a");
  EXPECT_EQ(encode(*tokenizer, ""), std::vector<uint32_t>());
  EXPECT_EQ(cut(letters(), "a", settings_with([](auto& s) { s.add_dummy_prefix = false; })), "a");
}

TEST(SentencePiece, WhitespaceAsSuffix) {
  EXPECT_EQ(cut(letters(), "a b", settings_with([](auto& s) { s.treat_whitespace_as_suffix = true; })), "a ▁ b ▁");
}

TEST(SentencePiece, ExtraWhitespace) {
  const auto settings = settings_with([](auto& s) { s.remove_extra_whitespaces = true; });
  const auto tokenizer = make_sentencepiece(letters(), settings);
  EXPECT_EQ(pieces_of(*tokenizer, "   a   b  "), "▁ a ▁ b");
  EXPECT_EQ(pieces_of(*tokenizer, "   a ", false), "a");
  EXPECT_EQ(pieces_of(*tokenizer, "    "), "");
}

TEST(SentencePiece, UnescapedWhitespace) {
  const auto settings = settings_with([](auto& s) { s.escape_whitespaces = false; });
  EXPECT_EQ(cut(letters({{" ", -9}, {" a", -1}}), "a a", settings), " a  a");
}

TEST(SentencePiece, TheLeftmostOfEqualScoresIsJoined) {
  EXPECT_EQ(cut(letters({{"ab", -1}, {"bc", -1}}), "abc"), "▁ ab c");
  EXPECT_EQ(cut(letters({{"ab", -2}, {"bc", -1}}), "abc"), "▁ a bc");
  EXPECT_EQ(cut(letters({{"aa", -1}}), "aaaaa"), "▁ aa aa a");
}

TEST(SentencePiece, JoinsAcrossWordsWhereAPieceDoes) {
  EXPECT_EQ(cut(letters({{"a▁", -1}, {"a▁b", -2}}), "a b"), "▁ a▁b");
}

TEST(SentencePiece, UserDefinedSymbolsComeFirstAndTheLongest) {
  const auto pieces = letters(
      {{"ab", -1}, {"b▁", -1}, {"bc", 0, PieceType::user_defined}, {"bcc", 0, PieceType::user_defined}, {"cb", -1}});
  EXPECT_EQ(cut(pieces, "abc"), "▁ a bc");
  EXPECT_EQ(cut(pieces, "abccb"), "▁ a bcc b");
  // Here only by what it counts: more than "bc" and "c", but less than "bc" and "cb".
  const auto unigram = settings_with([](auto& s) { s.model = SentencePieceModel::unigram; });
  EXPECT_EQ(cut(pieces, "abcc", unigram), "▁ a bcc");
  EXPECT_EQ(cut(pieces, "abccb", unigram), "▁ a bc cb");
}

TEST(SentencePiece, UnusedPiecesAreOnlyStepsOnTheWay) {
  const auto pieces = letters({{"ab", -1, PieceType::unused}, {"abc", -2}, {"bc", -3}});
  EXPECT_EQ(cut(pieces, "abc"), "▁ abc");
  EXPECT_EQ(cut(pieces, "abb"), "▁ a b b");
  // Matches the official library: it undoes the merges that were made, not those that could have been.
  EXPECT_EQ(cut(letters({{"ab", -1}, {"abb", -2, PieceType::unused}}), "abb"), "▁ ab b");
  EXPECT_EQ(cut(letters({{"d", 0, PieceType::unused}}), "d"), "▁ d");
}

TEST(SentencePiece, TextNeverSpellsControlPieces) {
  const auto pieces = letters({{"<", -9}, {"s", -9}, {">", -9}, {"<s", -1}, {"x", 0, PieceType::control}});
  EXPECT_EQ(cut(pieces, "<s>x"), "▁ <s > <unk>");
}

TEST(SentencePiece, UnknownCharacters) {
  const auto tokenizer = make_sentencepiece(letters(), {});
  EXPECT_EQ(pieces_of(*tokenizer, "axyb\xFF"), "▁ a <unk> b <unk>");
  auto vocabulary = vocabulary_of(letters());
  vocabulary.unknown_id = 5;
  const auto named = create_sentencepiece(std::move(vocabulary), {});
  ASSERT_TRUE(named);
  EXPECT_EQ(pieces_of(**named, "axyb"), "▁ a c b");
  auto without = letters();
  without.erase(without.begin());
  EXPECT_EQ(cut(without, "axb"), "▁ a b");
}

std::vector<Piece> byte_pieces(int count) {
  std::vector<Piece> pieces;
  for (int byte = 0; byte < count; ++byte) {
    constexpr char kHex[] = "0123456789ABCDEF";
    pieces.push_back({std::string("<0x") + kHex[byte / 16] + kHex[byte % 16] + ">", 0, PieceType::byte});
  }
  return pieces;
}

TEST(SentencePiece, ByteFallbackTakesAllBytesOfACharacter) {
  EXPECT_EQ(cut(letters(byte_pieces(256)), "xé"), "▁ <0x78> <0xC3> <0xA9>");
  EXPECT_EQ(cut(letters(byte_pieces(0xC4)), "xé"), "▁ <0x78> <0xC3> <0xA9>");
  EXPECT_EQ(cut(letters(byte_pieces(0xC3)), "xéé"), "▁ <0x78> <unk>");
  EXPECT_EQ(cut(letters(byte_pieces(256)), "xé", settings_with([](auto& s) { s.byte_fallback = false; })), "▁ <unk>");
  EXPECT_EQ(cut(letters(byte_pieces(256)), "\xC3"), "▁ <0xEF> <0xBF> <0xBD>");
}

TEST(SentencePiece, Decodes) {
  auto pieces = letters({{"▁a▁▁b", -1}, {"c▁", -1}});
  const auto bytes = byte_pieces(256);
  pieces.insert(pieces.end(), bytes.begin(), bytes.end());
  const auto tokenizer = make_sentencepiece(pieces, {});
  const uint32_t first_byte = 8;
  EXPECT_EQ(decode(*tokenizer, {6, 6}), "a  b a  b");
  EXPECT_EQ(decode(*tokenizer, {7, 2, 3}), "c  a");
  EXPECT_EQ(decode(*tokenizer, {2, 2}), " ");
  EXPECT_EQ(decode(*tokenizer, {1, 3, 1}), "a");
  EXPECT_EQ(decode(*tokenizer, {3, 0}), "a \u2047 ");
  EXPECT_EQ(decode(*tokenizer, {first_byte + 0xC3, first_byte + 0xA9, first_byte}), std::string("é\0", 3));
  const auto bare = make_sentencepiece(pieces, settings_with([](auto& s) { s.add_dummy_prefix = false; }));
  EXPECT_EQ(decode(*bare, {6}), " a  b");
}

TEST(SentencePiece, RejectsInvalidVocabularies) {
  const auto error_of = [](SentencePieceVocabulary vocabulary, SentencePieceSettings settings = {}) {
    auto tokenizer = create_sentencepiece(std::move(vocabulary), std::move(settings));
    EXPECT_FALSE(tokenizer);
    return tokenizer ? Reason::checksum : tokenizer.error().reason;
  };
  EXPECT_EQ(error_of({}), Reason::missing);
  auto short_scores = vocabulary_of(letters());
  short_scores.scores.pop_back();
  EXPECT_EQ(error_of(std::move(short_scores)), Reason::mismatch);
  const std::vector<Piece> no_number = letters({{"d", std::nanf("")}});
  EXPECT_EQ(error_of(vocabulary_of(no_number)), Reason::malformed);
  for (const char* text : {"<0x0a>", "<0x0A", "0x0A", "<0x0AA>"}) {
    EXPECT_EQ(error_of(vocabulary_of(letters({{text, 0, PieceType::byte}}))), Reason::malformed) << text;
  }
  EXPECT_EQ(error_of(vocabulary_of(letters({{"\xFF", 0}}))), Reason::invalid_utf8);
  EXPECT_EQ(error_of(vocabulary_of(letters({{std::string(8000, 'x'), 0}}))), Reason::limit);
  auto unknown_outside = vocabulary_of(letters());
  unknown_outside.unknown_id = 6;
  EXPECT_EQ(error_of(std::move(unknown_outside)), Reason::limit);
  EXPECT_EQ(error_of(vocabulary_of(letters()), settings_with([](auto& s) { s.character_map = "abc"; })),
            Reason::truncated);
}

TEST(SentencePiece, InfiniteScoresAreValid) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto pieces = letters({{"ab", infinity}, {"bc", -infinity}});
  EXPECT_EQ(cut(pieces, "abcbc"), "▁ ab c bc");
}

}  // namespace
}  // namespace quintet::test
