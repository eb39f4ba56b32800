// The writer makes the canonical fixtures byte for byte, and files that a plain reader of the specification's tables
// understands.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/formats/expected.h"
#include "tests/formats/plain_alt.h"
#include "tests/formats/rewriting.h"

namespace quintet::test {
namespace {

constexpr const char* kExpected = "alt/expected.json";

class AltRewriting : public ::testing::TestWithParam<std::string> {};

// The layout that a writer uses: not the reference's, not the overview's marker, with seq_len, sizes of the fields.
bool is_canonical(const std::string& name) {
  return name != "magic-altc.alt" && name != "end-4.alt" && !name.starts_with("ref-");
}

TEST_P(AltRewriting, GivesTheSameBytesOrAFixedPoint) {
  const File file = fixture("alt/" + GetParam());
  const auto once = rewritten(file, Format::alt, 1000);
  ASSERT_TRUE(once) << once.error().detail;
  EXPECT_EQ(*once == file, is_canonical(GetParam()));
  const auto twice = rewritten(*once, Format::alt, 7);
  ASSERT_TRUE(twice) << twice.error().detail;
  EXPECT_EQ(*once, *twice);
}

TEST_P(AltRewriting, KeepsTheModel) {
  const auto before = read_file(fixture("alt/" + GetParam()));
  ASSERT_TRUE(before);
  const auto written = write_file(*before, Format::alt);
  ASSERT_TRUE(written) << written.error().detail;
  auto after = read_file(written->bytes);
  ASSERT_TRUE(after) << after.error().detail;
  EXPECT_EQ(written->description.file_size, written->bytes.size());
  for (size_t i = 0; i < after->description.tensors.size(); ++i) {
    EXPECT_EQ(written->description.tensors[i].offset, after->description.tensors[i].offset);
    EXPECT_EQ(written->description.tensors[i].bytes, after->description.tensors[i].bytes);
  }
  // A layout without seq_len has the most positions written for it.
  if (!before->description.config.find("seq_len")) {
    EXPECT_EQ(after->description.config.find("seq_len")->as_int(), 64);
    after->description.config.remove("seq_len");
  }
  expect_same_model(*before, *after);
}

TEST_P(AltRewriting, IsReadByThePlainReader) {
  const auto model = read_file(fixture("alt/" + GetParam()));
  ASSERT_TRUE(model);
  const auto written = write_file(*model, Format::alt);
  ASSERT_TRUE(written);
  const PlainAlt plain = read_plain_alt(written->bytes);
  EXPECT_EQ(plain.general.at(0), "mistral");
  EXPECT_EQ(plain.bytes_read, written->bytes.size());
  ASSERT_EQ(plain.tensors.size(), model->description.tensors.size());
  for (size_t i = 0; i < plain.tensors.size(); ++i) {
    const TensorInfo& info = model->description.tensors[i];
    EXPECT_EQ(plain.tensors[i].name, info.name);
    EXPECT_EQ(plain.tensors[i].data, model->data.at(info.name));
  }
  ASSERT_EQ(plain.tokens.size(), model->description.tokenizer.size());
  for (size_t id = 0; id < plain.tokens.size(); ++id) {
    EXPECT_EQ(plain.tokens[id].text, model->description.tokenizer.tokens[id]);
    EXPECT_EQ(plain.tokens[id].score, model->description.tokenizer.sentencepiece()->scores[id]);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, AltRewriting, ::testing::ValuesIn(fixture_files(kExpected)),
                         [](const auto& info) { return test_name(info.param); });

ReadFile small_model() { return *read_file(fixture("alt/small.alt")); }

Error refusal(const ReadFile& model) {
  const auto written = write_file(model, Format::alt);
  EXPECT_FALSE(written);
  return written ? Error() : written.error();
}

TEST(AltWriter, WritesTheNumbersOfTheTables) {
  const PlainAlt plain = read_plain_alt(write_file(small_model(), Format::alt)->bytes);
  const PlainAltTensor& q = plain.tensors.at(11);  // of block 1
  EXPECT_EQ(q.numbers, (std::array<int32_t, 4>{0, 1, 1, 1}));
  EXPECT_EQ(q.shape, (std::vector<int32_t>{4, 4}));
  EXPECT_EQ(q.type, 2);
  EXPECT_EQ(plain.tensors.at(7).type, 3);
  EXPECT_EQ(plain.tensors.at(7).packing, 1);
  EXPECT_EQ(plain.tensors.at(0).numbers, (std::array<int32_t, 4>{1, -1, 0, 0}));
  EXPECT_EQ(plain.tensors.at(19).numbers, (std::array<int32_t, 4>{3, -3, 0, 0}));
  EXPECT_EQ(plain.tensors.at(20).numbers, (std::array<int32_t, 4>{2, -2, 0, 0}));
  const int32_t types[] = {3, 5, 6, 1, 0, 0, 0, 0};
  for (size_t id = 0; id < 8; ++id) EXPECT_EQ(plain.tokens.at(id).type, types[id]) << id;
}

TEST(AltWriter, KeepsTheOrderOfTheTensors) {
  ReadFile model = small_model();
  std::ranges::reverse(model.description.tensors);
  const PlainAlt plain = read_plain_alt(write_file(model, Format::alt)->bytes);
  EXPECT_EQ(plain.tensors.front().name, "lm_head.weight");
  EXPECT_EQ(plain.tensors.back().name, "model.embed_tokens.weight");
}

TEST(AltWriter, WritesATokenizerAlone) {
  ReadFile model = small_model();
  model.description.tensors.clear();
  const auto written = write_file(model, Format::alt);
  ASSERT_TRUE(written);
  const auto read = read_file(written->bytes);
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_TRUE(read->description.tensors.empty());
  EXPECT_EQ(read->description.tokenizer.size(), 8u);
}

TEST(AltWriter, LeavesNoMetadataEmptyUnlessGivenEmpty) {
  ReadFile model = small_model();
  model.description.metadata = Json::object();
  const PlainAlt plain = read_plain_alt(write_file(model, Format::alt)->bytes);
  EXPECT_EQ(plain.general, std::vector<std::string>(7, "unknown"));
  model.description.metadata.set("license", "");
  EXPECT_EQ(read_plain_alt(write_file(model, Format::alt)->bytes).general[5], "");
}

TEST(AltWriter, RejectsNamesThatTheFormatCannotStore) {
  for (const char* name : {"model.layers.0.self_attn.qkv_proj.weight", "model.layers.0.self_attn.q_proj.bias",
                           "model.layers.00.self_attn.q_proj.weight", "model.layers.2147483648.self_attn.q_proj.weight",
                           "model.layers.lm_head.weight", "self_attn.q_proj.weight", "norm.weight", ""}) {
    ReadFile model = small_model();
    model.description.tensors[2].name = name;
    const Error error = refusal(model);
    EXPECT_EQ(error.code, Code::unsupported) << name;
    EXPECT_EQ(error.tensor, name);
  }
}

TEST(AltWriter, RejectsUnsupportedTypes) {
  ReadFile model = small_model();
  model.description.tensors[1].dtype = Dtype::bf16;
  EXPECT_EQ(refusal(model).code, Code::unsupported);
  model = small_model();
  model.description.tensors[2].quantization.scheme = Scheme::int8;
  EXPECT_EQ(refusal(model).tensor, "model.layers.0.self_attn.q_proj.weight");
}

TEST(AltWriter, RejectsShapesThatTheFormatCannotStore) {
  for (const std::vector<uint64_t>& shape :
       std::vector<std::vector<uint64_t>>{{}, {16}, {4, 0}, {1, 4, 4}, {4, uint64_t{1} << 31}}) {
    ReadFile model = small_model();
    model.description.tensors[2].shape = shape;
    EXPECT_EQ(refusal(model).code, Code::unsupported);
  }
}

TEST(AltWriter, RejectsBlocksWithAGapAndTensorsTwice) {
  ReadFile model = small_model();
  std::erase_if(model.description.tensors,
                [](const TensorInfo& info) { return info.name.starts_with("model.layers.0"); });
  EXPECT_EQ(refusal(model).reason, Reason::missing);
  model = small_model();
  model.description.tensors[20].name = model.description.tensors[0].name;
  EXPECT_EQ(refusal(model).reason, Reason::duplicate);
}

TEST(AltWriter, RejectsParametersThatAreMissingOrWrong) {
  const ReadFile whole = small_model();
  for (const auto& [name, value] : *whole.description.config.as_object()) {
    if (name == "seq_len") continue;
    ReadFile model = small_model();
    model.description.config.remove(name);
    const Error error = refusal(model);
    EXPECT_EQ(error.code, Code::input) << name;
    EXPECT_NE(error.detail.find(name), std::string::npos) << error.detail;
  }
  const std::pair<const char*, Json> wrong[] = {{"hidden_size", 0},         {"hidden_size", -4},
                                                {"num_attention_heads", 3}, {"head_size", 4},
                                                {"rope_theta", "many"},     {"num_hidden_layers", uint64_t{1} << 31},
                                                {"sliding_window", 1.5},    {"hidden_act", 1},
                                                {"tie_word_embeddings", 0}, {"seq_len", uint64_t{1} << 31},
                                                {"rms_norm_eps", 1e300}};
  for (const auto& [name, value] : wrong) {
    ReadFile model = small_model();
    model.description.config.set(name, value);
    EXPECT_EQ(refusal(model).code, Code::input) << name;
  }
}

TEST(AltWriter, RejectsDataThatWouldBeLost) {
  ReadFile model = small_model();
  model.description.metadata.set("description", "tiny");
  EXPECT_EQ(refusal(model).code, Code::unsupported);
  model = small_model();
  model.description.config.set("attention_bias", true);
  EXPECT_EQ(refusal(model).code, Code::unsupported);
  model = small_model();
  model.description.tokenizer.piece_types[5] = PieceType::user_defined;
  EXPECT_EQ(refusal(model).code, Code::unsupported);
}

TEST(AltWriter, RejectsATokenizerThatItCannotStore) {
  ReadFile model = small_model();
  model.description.tokenizer.kind = {};
  EXPECT_EQ(refusal(model).reason, Reason::missing);
  model.description.tokenizer.kind.emplace<BpeDescription>();
  EXPECT_EQ(refusal(model).code, Code::unsupported);
  model = small_model();
  model.description.tokenizer.sentencepiece()->scores.pop_back();
  EXPECT_EQ(refusal(model).reason, Reason::mismatch);
  model = small_model();
  model.description.tokenizer.special.bos = 8;
  EXPECT_EQ(refusal(model).code, Code::input);
}

TEST(AltWriter, RejectsTextThatIsNotUtf8) {
  ReadFile model = small_model();
  model.description.metadata.set("author", "\xFF");
  const Error error = refusal(model);
  EXPECT_EQ(error.code, Code::input);
  EXPECT_EQ(error.reason, Reason::invalid_utf8);
  EXPECT_FALSE(error.offset);
}

}  // namespace
}  // namespace quintet::test
