// The fixtures' facts, and every value against a reader that shares nothing with the library's.

#include "formats/embd/reader.h"

#include <gtest/gtest.h>

#include <cstring>

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

TEST_P(WeightsFixture, HasTheContentThatAReferenceReaderFinds) {
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
    const TensorInfo& info = *read->description.find_tensor(name);
    decode(info.dtype, read->data.at(name), values);
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t stored = info.transposed ? i % info.shape[1] * info.shape[0] + i / info.shape[1] : i;
      ASSERT_EQ(static_cast<double>(values[i]), tensor.values[stored]) << name;
    }
  }
}

TEST_P(WeightsFixture, NamesTheSpecialTokens) {
  const auto read = read_file(bytes_);
  const TokenizerDescription& tokenizer = read->description.tokenizer;
  const auto& [tokens, special] = std::tie(tokenizer.tokens, tokenizer.special);
  EXPECT_EQ(tokenizer.type(), TokenizerType::wordpiece);
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

TEST(FlatWeights, TransposedWeightsAreReadLikeTheOthers) {
  const File file = fixture("embd/flat-transposed.weights");
  const auto expected = read_file(fixture("embd/flat.weights"));
  for (const size_t chunk : {size_t{1}, size_t{100}, SIZE_MAX}) {
    const auto read = read_file(file, {.chunk = chunk});
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(read->data, expected->data);
    EXPECT_TRUE(read->description.warnings.empty());
    ASSERT_EQ(read->description.tensors.size(), expected->description.tensors.size());
    for (size_t i = 0; i < read->description.tensors.size(); ++i) {
      EXPECT_EQ(read->description.tensors[i].name, expected->description.tensors[i].name);
      EXPECT_EQ(read->description.tensors[i].shape, expected->description.tensors[i].shape);
    }
  }
}

// Name, shape and values of a tensor of a flat file.
struct FlatTensor {
  std::string name;
  std::vector<uint32_t> shape;
  std::vector<float> values;
};

File flat_file(const std::vector<FlatTensor>& tensors) {
  File file;
  const auto put = [&file](const void* bytes, size_t size) {
    const auto* begin = static_cast<const std::byte*>(bytes);
    file.insert(file.end(), begin, begin + size);
  };
  const auto put_number = [&put](uint32_t number) { put(&number, sizeof(number)); };
  put("EMBD", 4);
  put_number(1);
  put_number(static_cast<uint32_t>(tensors.size()));
  for (const FlatTensor& tensor : tensors) {
    put_number(static_cast<uint32_t>(tensor.name.size()));
    put(tensor.name.data(), tensor.name.size());
    put_number(static_cast<uint32_t>(tensor.shape.size()));
    for (const uint32_t dimension : tensor.shape) put_number(dimension);
    put(tensor.values.data(), tensor.values.size() * sizeof(float));
  }
  put_number(0);
  return file;
}

std::vector<float> values_of(const ReadFile& read, const std::string& name) {
  const auto& bytes = read.data.at(name);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

constexpr const char* kQuery = "encoder.layer.0.attention.self.query.weight";
constexpr const char* kIntermediate = "encoder.layer.0.intermediate.dense.weight";
constexpr const char* kBias = "encoder.layer.0.intermediate.dense.bias";

TEST(FlatWeights, TheBiasDecidesTheOrderWhereNothingElseDoes) {
  const FlatTensor query{kQuery, {2, 2}, {1, 2, 3, 4}};
  const FlatTensor weight{kIntermediate, {2, 3}, {1, 2, 3, 4, 5, 6}};
  const auto in_out = read_file(flat_file({query, weight, {kBias, {3}, {7, 8, 9}}}), {.chunk = 5});
  ASSERT_TRUE(in_out) << in_out.error().detail;
  EXPECT_EQ(values_of(*in_out, kQuery), (std::vector<float>{1, 3, 2, 4}));
  EXPECT_EQ(values_of(*in_out, kIntermediate), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(in_out->description.tensors[1].shape, (std::vector<uint64_t>{3, 2}));
  const auto out_in = read_file(flat_file({query, weight, {kBias, {2}, {7, 8}}}), {.chunk = 5});
  ASSERT_TRUE(out_in) << out_in.error().detail;
  EXPECT_EQ(values_of(*out_in, kQuery), query.values);
  EXPECT_EQ(values_of(*out_in, kIntermediate), weight.values);
}

TEST(FlatWeights, AnAmbiguousOrderIsTakenForTheNewOneWithAWarning) {
  const auto read = read_file(flat_file({{kQuery, {2, 2}, {1, 2, 3, 4}}, {kIntermediate, {2, 2}, {5, 6, 7, 8}}}));
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(values_of(*read, kQuery), (std::vector<float>{1, 3, 2, 4}));
  EXPECT_EQ(values_of(*read, kIntermediate), (std::vector<float>{5, 7, 6, 8}));
  EXPECT_EQ(read->description.warnings.size(), 1u);
}

TEST(FlatWeights, TensorsOfAnyShapeAreListed) {
  const auto read = read_file(flat_file({{"empty", {0, 3}, {}}, {"scalar", {}, {4}}, {"last", {1}, {5}}}));
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(read->description.tensors[0].bytes, 0u);
  EXPECT_EQ(values_of(*read, "scalar"), std::vector<float>{4});
  EXPECT_EQ(values_of(*read, "last"), std::vector<float>{5});
}

}  // namespace
}  // namespace quintet::test
