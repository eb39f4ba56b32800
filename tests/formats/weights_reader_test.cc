// The fixtures' facts, and every value against a reader that shares nothing with the library's.

#include "formats/weights/reader.h"

#include <gtest/gtest.h>

#include "tests/formats/expected.h"
#include "tests/formats/plain_weights.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

class WeightsFixture : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture("embd/" + GetParam());
    const Json& entry = expected_entry("embd/expected.json", GetParam());
    facts_ = *entry.find("expect")->find("inspect");
  }
  File bytes_;
  Json facts_;
};

void expect_tensor(const Json& fact, const ModelDescription& description) {
  const TensorInfo* info = description.find_tensor(*fact.find("name")->as_string());
  ASSERT_NE(info, nullptr) << *fact.find("name")->as_string();
  EXPECT_EQ(weights_name_of(info->dtype), *fact.find("dtype")->as_string());
  EXPECT_EQ(info->shape, numbers(*fact.find("shape")));
  EXPECT_EQ(info->offset, fact.find("offset")->as_uint());
  EXPECT_EQ(info->bytes, fact.find("bytes")->as_uint());
}

TEST_P(WeightsFixture, ShowsItsFacts) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read) << read.error().detail;
  const ModelDescription& description = read->description;
  EXPECT_EQ(description.file_size, bytes_.size());
  EXPECT_EQ(description.tensors.size(), facts_.find("tensor_count")->as_uint());
  if (const Json* kind = facts_.find("kind")) {
    EXPECT_EQ(description.kind, *kind->as_string());
  }
  if (const Json* flags = facts_.find("flags")) {
    EXPECT_EQ(description.flags, flags->as_uint());
  }
  if (const Json* version = facts_.find("version")) {
    EXPECT_EQ(numbers(*version), (std::vector<uint64_t>{description.version_major, description.version_minor}));
  }
  if (const Json* tokens = facts_.find("vocab_count")) {
    EXPECT_EQ(description.tokenizer.tokens.size(), tokens->as_uint());
  }
  if (const Json* metadata = facts_.find("metadata")) {
    EXPECT_EQ(write_json(description.metadata), write_json(*metadata));
  }
  if (const Json* tensors = facts_.find("tensors")) {
    for (const Json& tensor : *tensors->as_array()) expect_tensor(tensor, description);
  }
}

TEST_P(WeightsFixture, HasTheContentThatAPlainReaderFinds) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const bool flat = read->description.kind == "EMBD (flat)";
  const PlainWeights plain = flat ? read_plain_flat(bytes_) : read_plain_weights(bytes_);
  const StringTable& tokens = read->description.tokenizer.tokens;
  ASSERT_EQ(tokens.size(), plain.tokens.size());
  for (size_t id = 0; id < tokens.size(); ++id) EXPECT_EQ(tokens[id], plain.tokens[id]);
  ASSERT_EQ(read->data.size(), plain.tensors.size());
  for (const auto& [name, tensor] : plain.tensors) {
    std::vector<float> values(tensor.values.size());
    decode(read->description.find_tensor(name)->dtype, read->data.at(name), values);
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(static_cast<double>(values[i]), tensor.values[i]) << name;
  }
}

TEST_P(WeightsFixture, NamesTheSpecialTokens) {
  const auto read = read_file(bytes_);
  const TokenizerDescription& tokenizer = read->description.tokenizer;
  const auto& [tokens, special] = std::tie(tokenizer.tokens, tokenizer.special);
  EXPECT_EQ(tokenizer.type, TokenizerType::wordpiece);
  EXPECT_EQ(tokens[*special.pad], "[PAD]");
  EXPECT_EQ(tokens[*special.unk], "[UNK]");
  EXPECT_EQ(tokens[*special.cls], "[CLS]");
  EXPECT_EQ(tokens[*special.sep], "[SEP]");
  EXPECT_EQ(tokens[*special.mask], "[MASK]");
}

void expect_same(const ReadFile& a, const ReadFile& b) {
  EXPECT_EQ(write_json(a.description.metadata), write_json(b.description.metadata));
  EXPECT_EQ(a.description.tokenizer.tokens.size(), b.description.tokenizer.tokens.size());
  EXPECT_EQ(a.description.file_size, b.description.file_size);
  EXPECT_EQ(a.data, b.data);
}

TEST_P(WeightsFixture, ReadsTheSameInPieces) {
  const auto whole = read_file(bytes_);
  for (const size_t chunk : {1u, 2u, 3u, 7u, 63u, 64u, 65u, 1000u, 4096u, 65536u}) {
    for (const bool known : {true, false}) {
      const auto pieces = read_file(bytes_, {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(pieces) << chunk << " " << pieces.error().detail;
      expect_same(*whole, *pieces);
    }
  }
}

TEST_P(WeightsFixture, InspectionOfASeekableFileSkipsTheData) {
  const auto whole = read_file(bytes_);
  const auto inspected =
      read_file(bytes_, {.chunk = 512, .seekable = true, .wants_data = false, .verify_checksums = false});
  ASSERT_TRUE(inspected);
  EXPECT_TRUE(inspected->data.empty());
  EXPECT_EQ(inspected->description.tensors.size(), whole->description.tensors.size());
  for (const TensorInfo& info : whole->description.tensors) {
    EXPECT_EQ(inspected->description.find_tensor(info.name)->offset, info.offset);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, WeightsFixture, ::testing::ValuesIn(fixture_files("embd/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

TEST(WeightsReader, EveryChunkSizeOfASmallFileIsTheWhole) {
  for (const char* path : {"embd/small.weights", "embd/small-flat.weights"}) {
    const File bytes = fixture(path);
    const auto whole = read_file(bytes);
    ASSERT_TRUE(whole);
    for (size_t chunk = 1; chunk <= bytes.size(); chunk += chunk < 300 ? 1 : 97) {
      const auto pieces = read_file(bytes, {.chunk = chunk});
      ASSERT_TRUE(pieces) << path << " " << chunk;
      expect_same(*whole, *pieces);
    }
  }
}

}  // namespace
}  // namespace quintet::test
