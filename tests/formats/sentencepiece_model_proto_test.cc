// Real tokenizer.model files, protos written out byte for byte, and broken ones.

#include "formats/sentencepiece/model_proto.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

using sentencepiece::read_model_proto;
using sentencepiece::write_model_proto;

// Protobuf by hand.
std::string delimited(int field, const std::string& content) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(content.size())} + content;
}
std::string varint(int field, const std::string& bytes) {
  std::string tag(1, static_cast<char>(field << 3 & 0x7F));
  if (field >= 16) tag = {static_cast<char>((field << 3 & 0x7F) | 0x80), static_cast<char>(field >> 4)};
  return tag + bytes;
}
std::string piece(const std::string& text, const std::string& more = "") {
  return delimited(1, delimited(1, text) + more);
}
const std::string kUnknown = varint(3, "\x02");
const std::string kControl = varint(3, "\x03");

Result<TokenizerDescription> read(const std::string& proto, uint64_t base = 0) {
  return read_model_proto(as_bytes(proto), base);
}

void expect_refused(const std::string& proto, Reason reason, uint64_t offset) {
  const auto tokenizer = read(proto, 1000);
  ASSERT_FALSE(tokenizer);
  EXPECT_EQ(tokenizer.error().reason, reason) << tokenizer.error().detail;
  EXPECT_EQ(tokenizer.error().offset, 1000 + offset) << tokenizer.error().detail;
}

TEST(ModelProto, HasThePiecesThatItsTrainerListed) {
  const File file = fixture("sentencepiece/tok105.model");
  const auto tokenizer = read_model_proto(file);
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(tokenizer->type(), TokenizerType::sentencepiece);
  EXPECT_EQ(tokenizer->sentencepiece()->proto, file);
  EXPECT_EQ(tokenizer->stored_bytes, file.size());
  std::istringstream lines(std::string(as_text(fixture("sentencepiece/tok105.vocab"))));
  size_t id = 0;
  for (std::string line; std::getline(lines, line); ++id) {
    const size_t tab = line.rfind('\t');
    ASSERT_LT(id, tokenizer->size());
    EXPECT_EQ(tokenizer->tokens[id], line.substr(0, tab));
    EXPECT_EQ(tokenizer->sentencepiece()->scores[id], std::stof(line.substr(tab + 1)));
  }
  EXPECT_EQ(id, 105u);
  EXPECT_EQ(tokenizer->size(), 105u);
  // The trainer of this file left the ids to the defaults.
  EXPECT_EQ(tokenizer->special.unk, 0u);
  EXPECT_EQ(tokenizer->special.bos, 1u);
  EXPECT_EQ(tokenizer->special.eos, 2u);
  EXPECT_EQ(tokenizer->special.pad, std::nullopt);
}

TEST(ModelProto, KnowsTheTypesOfPieces) {
  const auto tokenizer = read_model_proto(fixture("sentencepiece/tok512.model"));
  ASSERT_TRUE(tokenizer);
  ASSERT_EQ(tokenizer->size(), 512u);
  const auto count = [&](PieceType type) { return std::ranges::count(tokenizer->piece_types, type); };
  EXPECT_EQ(count(PieceType::unknown), 1);
  EXPECT_EQ(count(PieceType::control), 2);
  EXPECT_EQ(count(PieceType::byte), 256);
  EXPECT_EQ(count(PieceType::normal), 253);
  EXPECT_EQ(tokenizer->tokens[3], "<0x00>");
  EXPECT_EQ(tokenizer->tokens[300], "\u2581ha");
  EXPECT_EQ(tokenizer->sentencepiece()->scores[300], -41);
  EXPECT_EQ(tokenizer->special.pad, std::nullopt);  // stated as -1
}

TEST(ModelProto, WrittenByteForByte) {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<SentencePieceDescription>();
  for (const char* token : {"<unk>", "<s>", "<0x0A>", "a"}) ASSERT_TRUE(tokenizer.tokens.add(token));
  tokenizer.sentencepiece()->scores = {0, 0, 0, -1};
  tokenizer.piece_types = {PieceType::unknown, PieceType::control, PieceType::byte, PieceType::normal};
  tokenizer.special = {.bos = 1, .eos = {}, .pad = {}, .unk = 0, .mask = {}, .cls = {}, .sep = {}};
  const std::string none = std::string(9, '\xFF') + '\x01';
  const auto scored = [](const std::string& score) { return "\x15" + score; };
  const std::string zero = scored(std::string(4, '\0'));
  const std::string expected =
      piece("<unk>", zero + kUnknown) + piece("<s>", zero + kControl) + piece("<0x0A>", zero + varint(3, "\x06")) +
      piece("a", scored(std::string("\0\0\x80\xBF", 4))) +
      delimited(2, varint(3, "\x02") + varint(4, "\x04") + varint(35, "\x01") + varint(40, std::string(1, '\0')) +
                       varint(41, "\x01") + varint(42, none) + varint(43, none) + "\xEA\x02\x05<unk>" +
                       "\xF2\x02\x03<s>") +
      delimited(3, delimited(1, "identity") + varint(3, "\x01") + varint(4, std::string(1, '\0')) + varint(5, "\x01"));
  const auto written = write_model_proto(tokenizer);
  ASSERT_TRUE(written) << written.error().detail;
  EXPECT_EQ(as_text(*written), expected);
}

TEST(ModelProto, ReadWrittenReadIsTheSame) {
  for (const char* path : {"sentencepiece/tok512.model", "sentencepiece/tok105.model"}) {
    const auto first = read_model_proto(fixture(path));
    const auto written = write_model_proto(*first);
    ASSERT_TRUE(written);
    const auto second = read_model_proto(*written);
    ASSERT_TRUE(second) << second.error().detail;
    ASSERT_EQ(second->size(), first->size());
    for (size_t i = 0; i < first->size(); ++i) EXPECT_EQ(second->tokens[i], first->tokens[i]);
    EXPECT_EQ(second->sentencepiece()->scores, first->sentencepiece()->scores);
    EXPECT_EQ(second->piece_types, first->piece_types);
    EXPECT_EQ(second->special.unk, first->special.unk);
    EXPECT_EQ(second->special.bos, first->special.bos);
    EXPECT_EQ(second->special.eos, first->special.eos);
    EXPECT_EQ(second->special.pad, first->special.pad);
    EXPECT_EQ(*write_model_proto(*second), *written);
  }
}

TEST(ModelProto, SkipsWhatItDoesNotKnow) {
  const std::string unknown = varint(9, "\xFF\x01") + delimited(10, "abc") + "\x5D" + "1234" + "\x61" + "12345678";
  const auto tokenizer = read(unknown + delimited(1, unknown + delimited(1, "a") + unknown) + unknown);
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(tokenizer->size(), 1u);
  EXPECT_EQ(tokenizer->sentencepiece()->scores[0], 0);
  EXPECT_EQ(tokenizer->piece_types[0], PieceType::normal);
}

TEST(ModelProto, DefaultIdsApplyIfThePiecesHaveTheirType) {
  const auto none = read(piece("a") + piece("b") + piece("c"));
  EXPECT_EQ(none->special.unk, std::nullopt);
  EXPECT_EQ(none->special.bos, std::nullopt);
  EXPECT_EQ(none->special.eos, std::nullopt);
  const auto some = read(piece("a", kUnknown) + piece("b", kControl));
  EXPECT_EQ(some->special.unk, 0u);
  EXPECT_EQ(some->special.bos, 1u);
  EXPECT_EQ(some->special.eos, std::nullopt);
}

TEST(ModelProto, RejectsOtherFiles) {
  expect_refused("", Reason::missing, 0);
  expect_refused(delimited(2, varint(3, "\x02")), Reason::missing, 0);             // no pieces
  expect_refused("noise that is no proto", Reason::malformed, 0);                  // wire type 6
  expect_refused(std::string("\x02\x00", 2), Reason::malformed, 0);                // field 0
  expect_refused("\x0B", Reason::malformed, 0);                                    // a group
  expect_refused("\x08\x01", Reason::malformed, 1);                                // a piece that is a number
  expect_refused(std::string(10, '\xFF') + "\x01", Reason::malformed, 0);          // 70 bits
  expect_refused("\x48" + std::string(9, '\xFF') + "\x02", Reason::malformed, 1);  // 65 bits
}

TEST(ModelProto, RejectsLengthsBeyondTheEnd) {
  expect_refused("\x0A", Reason::truncated, 1);
  expect_refused(
      "\x0A\x05\x0A\x01"
      "a",
      Reason::truncated, 1);
  expect_refused(
      "\x0A\x03\x0A\x02"
      "a",
      Reason::truncated, 3);
  expect_refused("\x0A" + std::string(9, '\xFF') + "\x01", Reason::truncated, 1);  // 2^64 - 1
  expect_refused("\x0A\x03\x15\x01\x01", Reason::truncated, 3);                    // a score of 2 bytes
}

TEST(ModelProto, RejectsInvalidPieces) {
  expect_refused(piece("a") + piece(""), Reason::malformed, 7);
  expect_refused(piece("a\xFF"), Reason::invalid_utf8, 5);
  expect_refused(piece("a") + piece("b") + piece("a"), Reason::duplicate, 12);
  expect_refused(piece("a", varint(3, "\x07")), Reason::unknown_value, 6);
  expect_refused(piece("a", varint(3, std::string(1, '\0'))), Reason::unknown_value, 6);
}

TEST(ModelProto, RejectsAnInvalidTrainer) {
  expect_refused(piece("a") + delimited(2, varint(41, "\x01")), Reason::limit, 9);
  expect_refused(piece("a") + delimited(2, varint(3, "\x04")), Reason::unknown_value, 8);  // characters
  expect_refused(piece("a") + delimited(3, "\x0A\x09"), Reason::truncated, 8);
}

TEST(ModelProto, EveryPrefixIsReadOrRejected) {
  const File whole = fixture("sentencepiece/tok105.model");
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto tokenizer = read_model_proto(Bytes(whole).first(length));
    if (tokenizer) continue;
    EXPECT_LE(*tokenizer.error().offset, length);
  }
}

TEST(ModelProto, IsNotWrittenFromMismatchedLists) {
  TokenizerDescription tokenizer;
  EXPECT_FALSE(write_model_proto(tokenizer));  // no SentencePiece
  tokenizer.kind.emplace<SentencePieceDescription>();
  EXPECT_FALSE(write_model_proto(tokenizer));  // no pieces
  ASSERT_TRUE(tokenizer.tokens.add("a"));
  EXPECT_FALSE(write_model_proto(tokenizer));  // no scores
  tokenizer.sentencepiece()->scores = {0};
  tokenizer.piece_types = {PieceType::normal};
  EXPECT_TRUE(write_model_proto(tokenizer));
  tokenizer.special.eos = 1;
  EXPECT_FALSE(write_model_proto(tokenizer));
}

}  // namespace
}  // namespace quintet::test
