// Files written again: those with offsets in elements give their bytes back, the others reach them.

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/model_writer.h"
#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/formats/rewriting.h"

namespace quintet::test {
namespace {

class TinyRuntimeRewritten : public ::testing::TestWithParam<std::string> {};

TEST_P(TinyRuntimeRewritten, GivesTheSameBytes) {
  const File file = fixture("tinyruntime/" + GetParam());
  const bool offsets_in_bytes = GetParam().ends_with("-bytes.bin");
  for (const size_t piece : {size_t{1}, size_t{13}, SIZE_MAX}) {
    const auto once = rewritten(file, Format::tinyruntime, piece);
    ASSERT_TRUE(once) << once.error().detail;
    EXPECT_EQ(*once == file, !offsets_in_bytes);
    const auto twice = rewritten(*once, Format::tinyruntime, piece);
    ASSERT_TRUE(twice);
    EXPECT_TRUE(*twice == *once);
    const auto model = read_file(file), again = read_file(*once);
    ASSERT_TRUE(again) << again.error().detail;
    expect_same_model(*model, *again);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, TinyRuntimeRewritten,
                         ::testing::ValuesIn(fixture_files("tinyruntime/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

// The same network with offsets in elements lies beside those with offsets in bytes.
TEST(TinyRuntimeWriter, WritesOffsetsInElements) {
  for (const char* network : {"r50-dq", "r50-sq"}) {
    const std::string path = std::string("tinyruntime/") + network;
    const auto written = rewritten(fixture(path + "-bytes.bin"), Format::tinyruntime);
    ASSERT_TRUE(written);
    EXPECT_TRUE(*written == fixture(path + ".bin")) << network;
  }
}

TEST(TinyRuntimeWriter, OrdersTensorsByTheirNames) {
  for (const char* network : {"r50-dq.bin", "r18-plain-sq.bin"}) {
    const File file = fixture(std::string("tinyruntime/") + network);
    auto model = read_file(file);
    ASSERT_TRUE(model);
    std::ranges::reverse(model->description.tensors);
    const auto written = write_file(*model, Format::tinyruntime);
    ASSERT_TRUE(written) << written.error().detail;
    EXPECT_TRUE(written->bytes == file);
    EXPECT_EQ(written->description.file_size, file.size());
  }
}

class Refused : public ::testing::Test {
 protected:
  void SetUp() override {
    auto read = read_file(fixture("tinyruntime/small-dq.bin"));
    ASSERT_TRUE(read);
    model_ = *std::move(read);
  }
  void expect_refused() {
    const auto written = write_file(model_, Format::tinyruntime);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Code::input);
    EXPECT_FALSE(written.error().offset);
  }
  ReadFile model_;
};

TEST_F(Refused, WithoutLayers) {
  model_.description.layers.reset();
  expect_refused();
}

TEST_F(Refused, TensorsOfAnotherKind) {
  model_.description.layers->kind = NetworkKind::vanilla;
  expect_refused();
}

TEST_F(Refused, GroupsThatDoNotDivide) {
  model_.description.tensors[0].quantization.block = 5;
  expect_refused();
}

TEST_F(Refused, SymmetricTensorsAmongAsymmetricOnes) {
  model_.description.tensors[0].quantization.asymmetric ^= true;
  expect_refused();
}

TEST_F(Refused, ATensorTooMany) {
  TensorInfo extra = model_.description.tensors[0];
  extra.name = "extra.weight";
  model_.data["extra.weight"] = model_.data[model_.description.tensors[0].name];
  model_.description.tensors.push_back(extra);
  expect_refused();
}

TEST_F(Refused, AnotherShape) {
  model_.description.tensors[0].shape = {1, 3, 7, 8};
  expect_refused();
}

TEST_F(Refused, ChannelsThatDoNotChain) {
  model_.description.layers->convs[1].in_channels = 4;
  expect_refused();
}

TEST_F(Refused, OtherDataThanAnnounced) {
  model_.data.begin()->second.pop_back();
  const auto written = write_file(model_, Format::tinyruntime);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::internal);
}

}  // namespace
}  // namespace quintet::test
