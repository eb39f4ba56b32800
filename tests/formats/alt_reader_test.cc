// The fixtures' facts, values and vocabularies, however the bytes arrive.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

constexpr const char* kExpected = "alt/expected.json";

class AltFixture : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture("alt/" + GetParam());
    expect_ = *expected_entry(kExpected, GetParam()).find("expect");
  }
  const Json* fact(std::string_view name) const { return expect_.find("inspect")->find(name); }

  File bytes_;
  Json expect_;
};

void expect_tensor(const TensorInfo& info, const Json& fact) {
  EXPECT_EQ(info.name, *fact.find("name")->as_string());
  EXPECT_EQ(info.shape, numbers(*fact.find("shape")));
  EXPECT_EQ(info.offset, fact.find("offset")->as_uint()) << info.name;
  EXPECT_EQ(info.bytes, fact.find("bytes")->as_uint()) << info.name;
}

TEST_P(AltFixture, ShowsItsFacts) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read) << read.error().detail;
  const ModelDescription& description = read->description;
  EXPECT_EQ(description.format, Format::alt);
  EXPECT_EQ(description.kind, "ALT");
  EXPECT_EQ(description.version_major, 2);
  EXPECT_EQ(description.file_size, bytes_.size());
  EXPECT_EQ(description.architecture, "mistral");
  EXPECT_EQ(description.tokenizer.size(), fact("vocab_size")->as_uint());
  EXPECT_EQ(description.tensors.size(), fact("tensor_count")->as_uint());
  const Json* general = fact("general");
  if (general) {
    EXPECT_EQ(write_json(description.metadata), write_json(*general));
  }
  if (const Json* tensors = fact("tensors")) {
    for (size_t i = 0; i < description.tensors.size(); ++i) {
      expect_tensor(description.tensors[i], (*tensors->as_array())[i]);
    }
  }
}

TEST_P(AltFixture, HasItsParameters) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const Json* parameters = fact("parameters");
  if (!parameters) return;  // the fixture says nothing of it
  Json config = read->description.config;
  const bool without_seq_len = GetParam() == "end-4.alt" || GetParam().starts_with("ref-");
  EXPECT_EQ(config.find("seq_len") == nullptr, without_seq_len);
  if (!without_seq_len) {
    EXPECT_EQ(config.find("seq_len")->as_int(), 64);
  }
  config.remove("seq_len");
  // Numbers like 10000.0 have no separate kind in JSON.
  ASSERT_EQ(config.as_object()->size(), parameters->as_object()->size());
  for (const auto& [name, value] : *parameters->as_object()) {
    const Json* found = config.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->as_double(), value.as_double()) << name;
    EXPECT_EQ(found->as_bool(), value.as_bool()) << name;
    if (value.as_string()) {
      EXPECT_EQ(*found->as_string(), *value.as_string());
    }
  }
}

TEST_P(AltFixture, HasItsTypes) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const Json* types = fact("data_types");
  if (!types) return;  // the fixture says nothing of it
  for (const TensorInfo& info : read->description.tensors) {
    const std::string_view name = dtype_name(Format::alt, info);
    EXPECT_TRUE(std::ranges::any_of(*types->as_array(), [&](const Json& type) { return *type.as_string() == name; }))
        << name;
  }
}

TEST_P(AltFixture, HasItsValues) {
  const auto read = read_file(bytes_, {.chunk = 1000});
  ASSERT_TRUE(read);
  const Json* expected = expect_.find("dequantized");
  if (!expected) return;  // the fixture says nothing of it
  const File values = fixture("alt/" + *expected->find("file")->as_string());
  size_t at = 0;
  for (const Json& tensor : *expected->find("tensors")->as_array()) {
    const std::vector<float> decoded = dequantized(*read, *tensor.find("name")->as_string());
    ASSERT_EQ(decoded.size(), tensor.find("count")->as_uint());
    ASSERT_EQ(std::memcmp(decoded.data(), values.data() + at, decoded.size() * sizeof(float)), 0) << write_json(tensor);
    at += decoded.size() * sizeof(float);
  }
  EXPECT_EQ(at, values.size());
}

TEST_P(AltFixture, IsAffineWhereMinAndMaxSay) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const bool affine = GetParam().find("-aff") != std::string::npos;
  for (const TensorInfo& info : read->description.tensors) {
    // Embeddings and head are symmetric wherever the blocks have 4 bits.
    if (GetParam() == "small.alt" || !info.name.starts_with("model.layers.")) continue;
    EXPECT_EQ(info.quantization.asymmetric, info.quantized() && affine) << info.name;
  }
}

TEST_P(AltFixture, HasAVocabulary) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const TokenizerDescription& tokenizer = read->description.tokenizer;
  EXPECT_EQ(tokenizer.type(), TokenizerType::sentencepiece);
  EXPECT_EQ(tokenizer.special.bos, 1u);
  EXPECT_EQ(tokenizer.special.eos, 2u);
  EXPECT_EQ(tokenizer.special.pad, std::nullopt);
  EXPECT_EQ(tokenizer.special.unk, 0u);
  ASSERT_EQ(tokenizer.sentencepiece()->scores.size(), tokenizer.size());
  ASSERT_EQ(tokenizer.piece_types.size(), tokenizer.size());
  EXPECT_EQ(tokenizer.tokens[0], "<unk>");
  EXPECT_EQ(tokenizer.piece_types[0], PieceType::unknown);
  EXPECT_EQ(tokenizer.tokens[1], "<s>");
  EXPECT_EQ(tokenizer.piece_types[1], PieceType::control);
  EXPECT_EQ(tokenizer.tokens[2], "</s>");
  EXPECT_EQ(tokenizer.piece_types[2], PieceType::control);
  for (size_t id = 3; id < tokenizer.size(); ++id) {
    const bool byte = tokenizer.tokens[id].starts_with("<0x");
    EXPECT_EQ(tokenizer.piece_types[id], byte ? PieceType::byte : PieceType::normal) << tokenizer.tokens[id];
  }
}

TEST_P(AltFixture, HasTheTokensAndScoresOfItsGenerator) {
  if (GetParam() == "small.alt") return;  // the fixture says nothing of it
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const TokenizerDescription& tokenizer = read->description.tokenizer;
  const std::pair<size_t, const char*> some[] = {{3, "<0x00>"}, {258, "<0xFF>"},       {262, "\xE2\x96\x81the"},
                                                 {282, "The"},  {287, "\xE2\x96\x81"}, {344, "\xC3\xBC"}};
  for (const auto& [id, text] : some) EXPECT_EQ(tokenizer.tokens[id], text);
  for (size_t id = 259; id < tokenizer.size(); ++id)
    EXPECT_EQ(tokenizer.sentencepiece()->scores[id], -static_cast<float>(id - 259));
}

TEST_P(AltFixture, ReadsTheSameInPieces) {
  const auto whole = read_file(bytes_);
  for (const size_t chunk : {1uz, 2uz, 3uz, 7uz, 31uz, 32uz, 33uz, 64uz, 113uz, 1000uz, 4096uz, 30000uz}) {
    for (const bool known : {true, false}) {
      const auto pieces = read_file(bytes_, {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(pieces) << chunk;
      EXPECT_EQ(whole->data, pieces->data);
      EXPECT_EQ(write_json(whole->description.config), write_json(pieces->description.config));
      EXPECT_EQ(pieces->description.file_size, bytes_.size());
    }
  }
}

TEST_P(AltFixture, IsInspectedWithoutItsData) {
  const auto whole = read_file(bytes_);
  for (const size_t chunk : {1uz, 100uz, 5000uz}) {
    const auto read = read_file(bytes_, {.chunk = chunk, .seekable = true, .wants_data = false});
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_TRUE(read->data.empty());
    ASSERT_EQ(read->description.tensors.size(), whole->description.tensors.size());
    for (size_t i = 0; i < read->description.tensors.size(); ++i) {
      EXPECT_EQ(read->description.tensors[i].offset, whole->description.tensors[i].offset);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, AltFixture, ::testing::ValuesIn(fixture_files(kExpected)),
                         [](const auto& info) { return test_name(info.param); });

}  // namespace
}  // namespace quintet::test
