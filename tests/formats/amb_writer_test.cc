// The writer's files, read by a reader that shares no code with the library's; and round trips.

#include "formats/amb/writer.h"

#include <gtest/gtest.h>

#include "base/byte_writer.h"
#include "base/hash.h"
#include "tests/formats/expected.h"
#include "tests/formats/plain_amb.h"
#include "tests/formats/rewriting.h"

namespace quintet::test {
namespace {

class AmbRoundTrip : public ::testing::TestWithParam<std::string> {};

TEST_P(AmbRoundTrip, KeepsTheModel) {
  const auto model = read_file(fixture("amb/" + GetParam()));
  ASSERT_TRUE(model);
  const auto written = write_file(*model, Format::amb, 13);
  ASSERT_TRUE(written) << written.error().detail;
  const auto again = read_file(written->bytes);
  ASSERT_TRUE(again) << again.error().detail;
  expect_same_model(*model, *again);
}

TEST_P(AmbRoundTrip, GivesTheSameBytesAgain) {
  const auto once = rewritten(fixture("amb/" + GetParam()), Format::amb);
  ASSERT_TRUE(once);
  for (const size_t piece : {size_t{1}, size_t{1000}, SIZE_MAX}) {
    const auto twice = rewritten(*once, Format::amb, piece);
    ASSERT_TRUE(twice);
    EXPECT_TRUE(*once == *twice) << piece;
  }
}

// Except for the JSON, which is written without spaces, the writer's file is the fixture: weights that begin at the
// same place modulo 8 are the same bytes.
TEST_P(AmbRoundTrip, KeepsEveryByteAfterTheConfig) {
  const File file = fixture("amb/" + GetParam());
  const PlainAmb plain = read_plain_amb(file);
  auto model = read_file(file);
  ASSERT_TRUE(model);
  const size_t original = plain.metadata.size() + plain.config.size();
  const size_t compact = write_json(model->description.metadata).size() + write_json(model->description.config).size();
  // A letter more or less of metadata puts the weights at the same place modulo 8.
  size_t padding = (original + 64 - compact) % 8;
  while (padding < 7) padding += 8;  // "p":"" and a comma
  model->description.metadata.append("p", std::string(padding - 7, ' '));
  const auto written = write_file(*model, Format::amb);
  ASSERT_TRUE(written);
  const size_t behind_config = 28 + original;
  const size_t weights = plain.end - behind_config;
  const size_t begin = 28 + compact + padding;
  ASSERT_GE(written->bytes.size(), begin + weights);
  EXPECT_TRUE(std::equal(file.begin() + static_cast<std::ptrdiff_t>(behind_config),
                         file.begin() + static_cast<std::ptrdiff_t>(plain.end),
                         written->bytes.begin() + static_cast<std::ptrdiff_t>(begin)));
}

TEST_P(AmbRoundTrip, KnowsAllOffsetsInAdvance) {
  const auto model = read_file(fixture("amb/" + GetParam()));
  const auto written = write_file(*model, Format::amb);
  ASSERT_TRUE(written);
  const auto again = read_file(written->bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(written->description.file_size, written->bytes.size());
  for (size_t i = 0; i < again->description.tensors.size(); ++i) {
    const TensorInfo& told = written->description.tensors[i];
    const TensorInfo& found = again->description.tensors[i];
    EXPECT_EQ(told.offset, found.offset);
    EXPECT_EQ(told.bytes, found.bytes);
    EXPECT_EQ(told.scales_offset, found.scales_offset);
    EXPECT_EQ(told.scales_bytes, found.scales_bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, AmbRoundTrip, ::testing::ValuesIn(fixture_files("amb/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

ReadFile empty_model() {
  ReadFile model;
  model.description.config =
      *parse_json(R"({"architecture":"llama","n_vocab":3,"n_embd":2,"n_layers":1,"n_heads":1,"mine":[1,2.5]})");
  model.description.metadata = *parse_json(R"({"name":"hand-made"})");
  return model;
}

void add(ReadFile& model, const std::string& name, std::vector<uint64_t> shape, const Quantization& quantization,
         std::string_view payload) {
  TensorInfo info;
  info.name = name;
  info.shape = std::move(shape);
  info.quantization = quantization;
  info.bytes = payload.size();
  model.description.tensors.push_back(info);
  model.data[name].assign(as_bytes(payload).begin(), as_bytes(payload).end());
}

constexpr std::string_view kOneAndTwo("\x00\x3c\x00\x40", 4);  // FP16 scales 1 and 2

ReadFile hand_made_model() {
  ReadFile model = empty_model();
  add(model, "f32", {1}, {}, std::string_view("\x00\x00\x80\x3f", 4));
  const auto scheme = [](Scheme scheme, uint32_t block) {
    return Quantization{.scheme = scheme, .block = block, .scale_dtype = Dtype::f16};
  };
  const std::string scales(kOneAndTwo);
  add(model, "int8", {1, 3}, scheme(Scheme::int8, 2), scales + std::string("\x03\xfe\x05\x00", 4));
  add(model, "int4", {3}, scheme(Scheme::int4, 2), scales + "\x91\x07");  // 1, -7; 7, 0
  add(model, "int5", {3}, scheme(Scheme::int5, 2), scales + std::string("\xef\x03\x01\x00", 4));
  add(model, "int4block", {3}, scheme(Scheme::int4_block, 0), std::string("\x00\x40\x91\x07", 4));
  add(model, "adaptive", {3}, scheme(Scheme::adaptive, 2), std::string("\x0c\x00\x40\x91\x00\x3c\x00\x00", 8));
  return model;
}

TEST(AmbWriter, WritesFilesThatAReferenceReaderReads) {
  const auto written = write_file(hand_made_model(), Format::amb);
  ASSERT_TRUE(written) << written.error().detail;
  const PlainAmb plain = read_plain_amb(written->bytes);
  EXPECT_EQ(plain.flags, 0);
  EXPECT_EQ(plain.metadata, R"({"name":"hand-made"})");
  EXPECT_EQ(plain.config, R"({"architecture":"llama","n_vocab":3,"n_embd":2,"n_layers":1,"n_heads":1,"mine":[1,2.5]})");
  EXPECT_EQ(plain.tokenizer.type, -1);
  EXPECT_EQ(plain.names, (std::vector<std::string>{"f32", "int8", "int4", "int5", "int4block", "adaptive"}));
  EXPECT_EQ(plain.end, written->bytes.size());
  const auto& tensors = plain.tensors;
  EXPECT_EQ(tensors.at("int8").shape, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(tensors.at("int8").block, 2);
  EXPECT_EQ(tensors.at("int8").scale_type, 1);
  EXPECT_EQ(tensors.at("f32").values, (std::vector<float>{1}));
  EXPECT_EQ(tensors.at("int8").values, (std::vector<float>{3, -2, 10}));
  EXPECT_EQ(tensors.at("int4").values, (std::vector<float>{1, -7, 14}));
  EXPECT_EQ(tensors.at("int5").values, (std::vector<float>{15, -1, 2}));
  EXPECT_EQ(tensors.at("int4block").values, (std::vector<float>{2, -14, 14}));
  EXPECT_EQ(tensors.at("adaptive").values, (std::vector<float>{2, -14, 1}));
}

TEST(AmbWriter, WritesAChecksumWhereTheFlagsSaySo) {
  ReadFile model = hand_made_model();
  model.description.flags = 0xFFFF;  // of another format: only bit 0 has a meaning here
  const auto written = write_file(model, Format::amb);
  ASSERT_TRUE(written);
  const PlainAmb plain = read_plain_amb(written->bytes);
  EXPECT_EQ(plain.flags, 1);
  ASSERT_EQ(written->bytes.size(), plain.end + 4);
  uint32_t stored;
  std::memcpy(&stored, written->bytes.data() + plain.end, sizeof(stored));
  EXPECT_EQ(stored, crc32(Bytes(written->bytes).first(plain.end)));
}

TEST(AmbWriter, WritesTokenizersOfOtherFormats) {
  ReadFile model = empty_model();
  TokenizerDescription& tokenizer = model.description.tokenizer;
  tokenizer.kind.emplace<WordPieceDescription>();
  for (const char* token : {"[PAD]", "[CLS]", "[SEP]", "ä"}) ASSERT_TRUE(tokenizer.tokens.add(token));
  tokenizer.special.pad = 0;
  tokenizer.special.cls = 1;
  tokenizer.special.sep = 2;
  auto written = write_file(model, Format::amb);
  ASSERT_TRUE(written);
  PlainAmbTokenizer plain = read_plain_amb(written->bytes).tokenizer;
  EXPECT_EQ(plain.type, 2);
  EXPECT_EQ(plain.special, (std::vector<int>{1, 2, 0, 0xFFFF, 0xFFFF}));
  EXPECT_EQ(plain.tokens.at(3), (std::pair<uint32_t, std::string>{3, "ä"}));

  tokenizer.kind.emplace<BpeDescription>();  // without its own ids
  ASSERT_TRUE(tokenizer.bpe()->merges.add("a b"));
  written = write_file(model, Format::amb);
  ASSERT_TRUE(written);
  plain = read_plain_amb(written->bytes).tokenizer;
  EXPECT_EQ(plain.type, 0);
  EXPECT_EQ(plain.merges, (std::vector<std::string>{"a b"}));
  EXPECT_EQ(plain.tokens.at(2), (std::pair<uint32_t, std::string>{2, "[SEP]"}));
}

void expect_refused(const ReadFile& model, Reason reason, std::string_view tensor) {
  const auto written = write_file(model, Format::amb);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::input);
  EXPECT_EQ(written.error().reason, reason) << written.error().detail;
  EXPECT_EQ(written.error().format, "amb");
  EXPECT_EQ(written.error().tensor, tensor);
}

TEST(AmbWriter, RejectsTensorsThatTheFormatCannotStore) {
  const auto refuse = [](Reason reason, const auto& change) {
    ReadFile model = empty_model();
    add(model, "t", {1}, {.scheme = Scheme::int8, .block = 0, .scale_dtype = Dtype::f32}, "12345");
    change(model.description.tensors[0]);
    expect_refused(model, reason, model.description.tensors[0].name);
  };
  refuse(Reason::limit, [](TensorInfo& info) { info.name = std::string(65536, 'n'); });
  refuse(Reason::limit, [](TensorInfo& info) { info.name.clear(); });
  refuse(Reason::invalid_utf8, [](TensorInfo& info) { info.name = "\xff"; });
  refuse(Reason::limit, [](TensorInfo& info) { info.shape.assign(256, 1); });
  refuse(Reason::limit, [](TensorInfo& info) { info.shape = {uint64_t{1} << 32}; });
  refuse(Reason::limit, [](TensorInfo& info) { info.shape.assign(3, UINT32_MAX); });
  refuse(Reason::limit, [](TensorInfo& info) { info.quantization.block = 65536; });
  refuse(Reason::unknown_value, [](TensorInfo& info) { info.quantization.scheme = Scheme::q8_0; });
  refuse(Reason::unknown_value, [](TensorInfo& info) { info.quantization.scale_dtype = Dtype::bf16; });
  refuse(Reason::unknown_value, [](TensorInfo& info) { info.quantization = {}, info.dtype = Dtype::i32; });
  refuse(Reason::out_of_range, [](TensorInfo& info) { info.quantization.scheme = Scheme::adaptive, info.bytes = 1; });
}

TEST(AmbWriter, RejectsModelsThatTheFormatCannotStore) {
  ReadFile twice = empty_model();
  add(twice, "t", {1}, {}, "1234");
  add(twice, "t", {1}, {}, "1234");
  expect_refused(twice, Reason::duplicate, "");

  ReadFile no_layers = empty_model();
  no_layers.description.config.remove("n_layers");
  expect_refused(no_layers, Reason::missing, "");

  ReadFile special = empty_model();
  special.description.tokenizer.kind.emplace<WordPieceDescription>();
  special.description.tokenizer.special.cls = 0xFFFF;
  expect_refused(special, Reason::limit, "");

  ReadFile token = empty_model();
  token.description.tokenizer.kind.emplace<WordPieceDescription>();
  ASSERT_TRUE(token.description.tokenizer.tokens.add(std::string(65536, 't')));
  expect_refused(token, Reason::limit, "");
}

TEST(AmbWriter, DetectsDataOfAnotherSizeThanAnnounced) {
  for (const size_t size : {3u, 5u}) {
    ReadFile model = empty_model();
    add(model, "t", {1}, {}, std::string(size, '\0'));
    const auto written = write_file(model, Format::amb);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Code::internal);
  }
}

TEST(AmbWriter, KeepsIdsBeyond16BitsInTheConfig) {
  ReadFile model = empty_model();
  model.description.tokenizer.kind.emplace<BpeDescription>();
  model.description.tokenizer.special = {
      .bos = 128000, .eos = 128001, .pad = 3, .unk = {}, .mask = {}, .cls = {}, .sep = {}};
  const auto written = write_file(model, Format::amb);
  ASSERT_TRUE(written) << written.error().detail;
  const PlainAmb plain = read_plain_amb(written->bytes);
  EXPECT_EQ(plain.tokenizer.special, (std::vector<int>{0xFFFF, 0xFFFF, 3, 0xFFFF, 0xFFFF}));
  EXPECT_NE(plain.config.find(R"("bos_token_id":128000,"eos_token_id":128001)"), std::string::npos) << plain.config;
  const auto read = read_file(written->bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->description.tokenizer.special.bos, 128000u);
  EXPECT_EQ(read->description.tokenizer.special.eos, 128001u);
  EXPECT_EQ(read->description.tokenizer.special.pad, 3u);
  EXPECT_EQ(write_file(*read, Format::amb)->bytes, written->bytes);
}

}  // namespace
}  // namespace quintet::test
