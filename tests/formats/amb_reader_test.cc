// The fixtures' facts and values, and every text and number against a reader that shares nothing with the library's.

#include "formats/amb/reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "tests/formats/expected.h"
#include "tests/formats/plain_amb.h"
#include "tests/formats/reading.h"
#include "tests/formats/rewriting.h"

namespace quintet::test {
namespace {

class AmbFixture : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture("amb/" + GetParam());
    expect_ = *expected_entry("amb/expected.json", GetParam()).find("expect");
  }
  File bytes_;
  Json expect_;
};

void expect_tensor(const Json& fact, const TensorInfo& info) {
  EXPECT_EQ(info.name, *fact.find("name")->as_string());
  EXPECT_EQ(dtype_name(Format::amb, info), *fact.find("dtype")->as_string());
  EXPECT_EQ(info.shape, numbers(*fact.find("shape")));
  EXPECT_EQ(info.offset, fact.find("offset")->as_uint());
  EXPECT_EQ(info.bytes, fact.find("bytes")->as_uint());
  if (const Json* block = fact.find("block")) {
    EXPECT_EQ(info.quantization.block, block->as_uint());
    EXPECT_EQ(info.quantization.scale_dtype == Dtype::f16 ? "FP16" : "FP32", *fact.find("scale_type")->as_string());
  }
}

TEST_P(AmbFixture, ShowsItsFacts) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read) << read.error().detail;
  const ModelDescription& description = read->description;
  const Json& facts = *expect_.find("inspect");
  EXPECT_EQ(description.format, Format::amb);
  EXPECT_EQ(description.kind, "AMB");
  EXPECT_EQ(description.file_size, bytes_.size());
  EXPECT_EQ(description.version_major, facts.find("version")->as_uint());
  EXPECT_EQ(description.flags, facts.find("flags")->as_uint());
  EXPECT_EQ(write_json(description.metadata), write_json(*facts.find("metadata")));
  EXPECT_EQ(write_json(description.config), write_json(*facts.find("config")));
  EXPECT_EQ(description.architecture, *facts.find("config")->find("architecture")->as_string());
  EXPECT_EQ(description.tokenizer.stored_bytes, facts.find("tokenizer_bytes")->as_uint());
  const Json::Array& tensors = *facts.find("tensors")->as_array();
  ASSERT_EQ(description.tensors.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) expect_tensor(tensors[i], description.tensors[i]);
}

std::string_view name_of(TokenizerType type) {
  constexpr std::string_view kNames[] = {"none", "WordPiece", "BPE", "SentencePiece", "custom"};
  return kNames[static_cast<size_t>(type)];
}

TEST_P(AmbFixture, HasItsTokenizer) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const TokenizerDescription& tokenizer = read->description.tokenizer;
  const Json& facts = *expect_.find("tokenizer");
  EXPECT_EQ(name_of(tokenizer.type()), *facts.find("type")->as_string());
  if (const Json* special = facts.find("special")) {
    const SpecialIds& ids = tokenizer.special;
    EXPECT_EQ(ids.bos, special->find("bos")->as_uint());
    EXPECT_EQ(ids.eos, special->find("eos")->as_uint());
    EXPECT_EQ(ids.pad, special->find("pad")->as_uint());
    EXPECT_EQ(ids.unk, special->find("unk")->as_uint());
    EXPECT_EQ(ids.mask, special->find("mask")->as_uint());
    const bool wordpiece = tokenizer.type() == TokenizerType::wordpiece;
    EXPECT_EQ(ids.cls, wordpiece ? ids.bos : std::nullopt);
    EXPECT_EQ(ids.sep, wordpiece ? ids.eos : std::nullopt);
  }
  const PlainAmbTokenizer plain = read_plain_amb(bytes_).tokenizer;
  if (const SentencePieceDescription* pieces = tokenizer.sentencepiece()) {
    EXPECT_EQ(as_text(pieces->proto), plain.opaque);
    return;
  }
  const auto* custom = std::get_if<CustomDescription>(&tokenizer.kind);
  EXPECT_EQ(custom ? as_text(custom->section) : "", plain.opaque);
  const StringTable merges = tokenizer.bpe() ? tokenizer.bpe()->merges : StringTable();
  ASSERT_EQ(merges.size(), plain.merges.size());
  for (size_t i = 0; i < plain.merges.size(); ++i) EXPECT_EQ(merges[i], plain.merges[i]);
  ASSERT_EQ(tokenizer.tokens.size(), plain.tokens.size());
  for (size_t i = 0; i < plain.tokens.size(); ++i) {
    EXPECT_EQ(tokenizer.tokens[i], plain.tokens[i].second);
    if (tokenizer.bpe()) {
      EXPECT_EQ(tokenizer.bpe()->ids[i], plain.tokens[i].first);
    }
  }
}

// Equal to the bit, except for the payload of a NaN.
void expect_same_values(const std::vector<float>& values, const float* expected, size_t count,
                        const std::string& name) {
  ASSERT_EQ(values.size(), count) << name;
  for (size_t i = 0; i < count; ++i) {
    const bool same = std::bit_cast<uint32_t>(values[i]) == std::bit_cast<uint32_t>(expected[i]);
    const bool both_nan = values[i] != values[i] && expected[i] != expected[i];
    ASSERT_TRUE(same || both_nan) << name << " " << i << ": " << values[i] << ", expected " << expected[i];
  }
}

TEST_P(AmbFixture, HasItsValues) {
  const Json* dequantized_facts = expect_.find("dequantized");
  if (!dequantized_facts) return;
  const auto read = read_file(bytes_, {.chunk = 999});
  ASSERT_TRUE(read);
  const File file = fixture(*dequantized_facts->find("file")->as_string());
  std::vector<float> expected(file.size() / sizeof(float));
  std::memcpy(expected.data(), file.data(), file.size());
  for (const Json& fact : *dequantized_facts->find("tensors")->as_array()) {
    const std::string& name = *fact.find("name")->as_string();
    const size_t start = *fact.find("start")->as_uint();
    expect_same_values(dequantized(*read, name), expected.data() + start, *fact.find("count")->as_uint(), name);
  }
}

TEST_P(AmbFixture, HasTheValuesThatAReferenceReaderFinds) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const PlainAmb plain = read_plain_amb(bytes_);
  ASSERT_EQ(read->data.size(), plain.tensors.size());
  for (const auto& [name, tensor] : plain.tensors) {
    expect_same_values(dequantized(*read, name), tensor.values.data(), tensor.values.size(), name);
  }
}

TEST_P(AmbFixture, ReadsTheSameInPieces) {
  const auto whole = read_file(bytes_);
  ASSERT_TRUE(whole);
  for (const size_t chunk : {1u, 2u, 3u, 7u, 63u, 1000u, 4096u, 65536u}) {
    for (const bool known : {true, false}) {
      const auto pieces = read_file(bytes_, {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(pieces) << chunk << " " << pieces.error().detail;
      expect_same_model(*whole, *pieces);
    }
  }
}

TEST_P(AmbFixture, InspectionOfASeekableFileSkipsTheData) {
  const auto whole = read_file(bytes_);
  const auto inspected =
      read_file(bytes_, {.chunk = 64, .seekable = true, .wants_data = false, .verify_checksums = false});
  ASSERT_TRUE(inspected) << inspected.error().detail;
  EXPECT_TRUE(inspected->data.empty());
  ASSERT_EQ(inspected->description.tensors.size(), whole->description.tensors.size());
  for (size_t i = 0; i < whole->description.tensors.size(); ++i) {
    EXPECT_EQ(inspected->description.tensors[i].offset, whole->description.tensors[i].offset);
    EXPECT_EQ(inspected->description.tensors[i].bytes, whole->description.tensors[i].bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, AmbFixture, ::testing::ValuesIn(fixture_files("amb/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

TEST(AmbReader, EveryChunkSizeOfASmallFileIsTheWhole) {
  for (const char* path : {"amb/small.amb", "amb/small-q.amb"}) {
    const File bytes = fixture(path);
    const auto whole = read_file(bytes);
    for (size_t chunk = 1; chunk <= bytes.size(); chunk += chunk < 100 ? 1 : 41) {
      const auto pieces = read_file(bytes, {.chunk = chunk, .length_known = chunk % 2 == 0});
      ASSERT_TRUE(pieces) << path << " " << chunk;
      EXPECT_EQ(whole->data, pieces->data);
    }
  }
}

}  // namespace
}  // namespace quintet::test
