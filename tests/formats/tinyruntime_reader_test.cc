// Networks of every kind, architecture and tail, against the facts next to them and a second reader.

#include "formats/tinyruntime/reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/network.h"
#include "tests/formats/expected.h"
#include "tests/formats/plain_tinyruntime.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

class TinyRuntimeFixture : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture("tinyruntime/" + GetParam());
    expect_ = *expected_entry("tinyruntime/expected.json", GetParam()).find("expect");
  }
  std::string fact(std::string_view name) const { return *expect_.find("inspect")->find(name)->as_string(); }

  File bytes_;
  Json expect_;
};

TEST_P(TinyRuntimeFixture, ShowsItsFacts) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read) << read.error().detail;
  const ModelDescription& description = read->description;
  EXPECT_EQ(description.format, Format::tinyruntime);
  EXPECT_EQ(description.file_size, bytes_.size());
  for (const auto& [name, value] : *expect_.find("inspect")->as_object()) {
    if (name == "format") continue;
    if (name == "kind") {
      EXPECT_EQ(description.kind, *value.as_string());
    } else if (name == "architecture") {
      EXPECT_EQ(description.architecture, *value.as_string());
    } else {
      ASSERT_TRUE(description.config.find(name)) << name;
      EXPECT_EQ(write_json(*description.config.find(name)), write_json(value)) << name;
    }
  }
}

TEST_P(TinyRuntimeFixture, HasTheValuesThatAReferenceReaderFinds) {
  const auto read = read_file(bytes_, {.chunk = 1009});
  ASSERT_TRUE(read) << read.error().detail;
  const std::vector<PlainNetworkTensor> plain = plain_tinyruntime(bytes_, fact("kind"), fact("architecture"));
  ASSERT_EQ(read->description.tensors.size(), plain.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    const TensorInfo& info = read->description.tensors[i];
    EXPECT_EQ(info.name, plain[i].name);
    EXPECT_EQ(info.shape, plain[i].shape) << info.name;
    EXPECT_EQ(dequantized(*read, info.name), plain[i].values) << info.name;
  }
}

TEST_P(TinyRuntimeFixture, ListsTheOffsetsOfPayloads) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  for (const TensorInfo& info : read->description.tensors) {
    File payload(bytes_.begin() + static_cast<std::ptrdiff_t>(info.scales_offset),
                 bytes_.begin() + static_cast<std::ptrdiff_t>(info.scales_offset + info.scales_bytes));
    payload.insert(payload.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(info.offset),
                   bytes_.begin() + static_cast<std::ptrdiff_t>(info.offset + info.bytes));
    EXPECT_EQ(read->data.at(info.name), payload) << info.name;
  }
}

TEST_P(TinyRuntimeFixture, ReadsTheSameInPieces) {
  const auto whole = read_file(bytes_);
  ASSERT_TRUE(whole);
  for (const size_t chunk : {1, 2, 3, 27, 500, 65536}) {
    for (const bool known : {true, false}) {
      const auto pieces = read_file(bytes_, {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(pieces) << chunk << " " << pieces.error().detail;
      EXPECT_EQ(whole->data, pieces->data);
      EXPECT_EQ(write_json(whole->description.config), write_json(pieces->description.config));
    }
  }
}

// Wants no data, counts the tensors.
class Inspection final : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival&) override {
    ++tensors;
    return nullptr;
  }
  Status end(ModelDescription read) override {
    description = std::move(read);
    return {};
  }
  size_t tensors = 0;
  ModelDescription description;
};

TEST_P(TinyRuntimeFixture, IsInspectedByItsTableAlone) {
  const auto whole = read_file(bytes_);
  ASSERT_TRUE(whole);
  Inspection sink;
  ByteStream in(bytes_.size(), true);
  Parse<void> parse = tinyruntime::read(in, sink, {.seekable = true, .verify_checksums = false});
  const auto table = static_cast<size_t>(whole->description.tensors[0].offset);
  ASSERT_TRUE(drive(Bytes(bytes_).first(table), in, parse, 64));
  EXPECT_EQ(sink.tensors, whole->description.tensors.size());
  EXPECT_EQ(write_json(sink.description.config), write_json(whole->description.config));
}

TEST_P(TinyRuntimeFixture, IsOnlyOfItsOwnKind) {
  for (const NetworkKind kind : {NetworkKind::vanilla, NetworkKind::dq8, NetworkKind::sq8}) {
    Inspection sink;
    ByteStream in(bytes_.size());
    Parse<void> parse = tinyruntime::read(in, sink, {.network_kind = kind});
    const Status status = drive(bytes_, in, parse, SIZE_MAX);
    EXPECT_EQ(status.has_value(), name_of(kind) == fact("kind"));
    if (status) continue;
    EXPECT_EQ(status.error().format, "tinyruntime");
  }
}

// The scales of a run's stages are those that the original runtime found in the table.
TEST_P(TinyRuntimeFixture, WalksThroughTheActivationsAsTheOriginal) {
  if (fact("kind") != "sq8" || !expect_.find("runs")) return;
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read);
  const LayerTable& layers = *read->description.layers;
  const auto graph = tinyruntime::recognise_network(layers);
  ASSERT_TRUE(graph);
  const std::vector<ActivationQuantization> inputs = layer_inputs(layers, *graph);
  const auto expect_stage = [](const Json& stage, const ActivationQuantization& found) {
    EXPECT_FLOAT_EQ(static_cast<float>(*stage.find("scale")->as_double()), found.scale);
    EXPECT_EQ(stage.find("zero_point")->as_int(), found.zero_point);
  };
  size_t block = 0;
  for (const Json& stage : *(*expect_.find("runs")->as_array())[0].find("stages")->as_array()) {
    const std::string& name = *stage.find("name")->as_string();
    if (name == "input") expect_stage(stage, inputs[0]);
    if (name == "stem") expect_stage(stage, inputs[1]);
    if (name == "block") expect_stage(stage, layers.activations[graph->blocks[block++].sum_activation]);
    if (name == "pooled") expect_stage(stage, layers.activations[graph->tail_activation]);
    if (name == "concat") expect_stage(stage, layers.activations[graph->concatenation_activation()]);
    if (name == "fc0_in") expect_stage(stage, inputs[layers.convs.size()]);
    if (name == "fc1_in") expect_stage(stage, inputs[layers.convs.size() + 1]);
    if (name == "fc0_out") expect_stage(stage, layers.linears[0].output);
    if (name == "fc1_out") expect_stage(stage, layers.linears[1].output);
  }
  EXPECT_EQ(block, graph->blocks.size());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, TinyRuntimeFixture, ::testing::ValuesIn(fixture_files("tinyruntime/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

File with_word(File file, size_t at, int32_t value) {
  std::memcpy(file.data() + at, &value, sizeof(value));
  return file;
}

TEST(TinyRuntimeReader, AWeightMayHaveAnyZeroPointThatLeavesSixteenBits) {
  constexpr size_t kZeroPointAt = 56;
  const File file = fixture("tinyruntime/small-sq.bin");
  for (const int32_t zero_point : {-32640, -129, -128, 127, 128, 32640}) {
    const auto read = read_file(with_word(file, kZeroPointAt, zero_point), {.format = Format::tinyruntime});
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(read->description.tensors[0].quantization.zero_point, zero_point);
  }
  for (const int32_t zero_point : {INT32_MIN, -32641, 32641, INT32_MAX}) {
    const auto read = read_file(with_word(file, kZeroPointAt, zero_point), {.format = Format::tinyruntime});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().offset, kZeroPointAt);
  }
}

TEST(TinyRuntimeReader, ErrorsSayWhatIsSupported) {
  const auto read =
      read_file(with_word(fixture("tinyruntime/small-vanilla.bin"), 4, 104), {.format = Format::tinyruntime});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::unsupported);
  EXPECT_NE(read.error().detail.find("20, 36, 53"), std::string::npos) << read.error().detail;
  EXPECT_NE(read.error().detail.find("19, 31, 43, 55"), std::string::npos);
}

TEST(TinyRuntimeReader, ErrorsSayWhatTheKindSupports) {
  File file = fixture("tinyruntime/small-dq.bin");
  file.push_back(std::byte{0});
  const auto longer = read_file(file, {.format = Format::tinyruntime});
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().reason, Reason::trailing);
  EXPECT_EQ(longer.error().offset, 7166U);
  EXPECT_NE(longer.error().detail.find("dq8"), std::string::npos);
  EXPECT_NE(longer.error().detail.find("7166"), std::string::npos);
  const auto shorter = read_file(Bytes(file).first(7000), {.format = Format::tinyruntime});
  ASSERT_FALSE(shorter);
  EXPECT_EQ(shorter.error().reason, Reason::truncated);
  EXPECT_EQ(shorter.error().offset, 7000U);
}

TEST(TinyRuntimeReader, NamesTheTensorInWhichAFileOfUnknownLengthEnds) {
  const File file = fixture("tinyruntime/small-dq.bin");
  const auto read = read_file(Bytes(file).first(1000), {.format = Format::tinyruntime, .length_known = false});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().reason, Reason::truncated);
  EXPECT_FALSE(read.error().tensor.empty());
}

}  // namespace
}  // namespace quintet::test
