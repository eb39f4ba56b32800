// Files written again: those with offsets in elements give their bytes back, the others reach them.

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/model_files.h"
#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/tensors.h"
#include "tests/formats/expected.h"
#include "tests/formats/plain_tinyruntime.h"
#include "tests/formats/reading.h"
#include "tests/formats/resnet_tables.h"
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

// Each network lies in two fixtures: with offsets in elements, and with offsets in bytes.
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

// A network of CIFAR, for which there is no fixture, with payloads that count up.
ReadFile cifar_network(NetworkKind kind) {
  ReadFile model;
  model.description.layers = resnet_table({3, 3, 3}, false, true, false);
  LayerTable& layers = *model.description.layers;
  layers.kind = kind;
  layers.asymmetric = true;
  layers.activations.assign(30, {0.5F, 3});
  for (const tinyruntime::NetworkTensor& tensor :
       tinyruntime::network_tensors(layers, *tinyruntime::recognise_network(layers))) {
    TensorInfo info;
    info.name = tensor.name;
    info.shape = tensor.shape;
    const bool bias = tensor.part == tinyruntime::TensorPart::bias;
    const auto elements = static_cast<size_t>(tensor.elements());
    size_t bytes = 4 * elements;
    if (kind == NetworkKind::dq8) {
      info.quantization = {.scheme = Scheme::group_int8,
                           .block = bias ? 1U : static_cast<uint32_t>(tensor.shape[1]),
                           .asymmetric = true};
      bytes = elements + 8 * (elements / info.quantization.block);
    } else if (kind == NetworkKind::sq8) {
      info.quantization = {
          .scheme = bias ? Scheme::tensor_int32 : Scheme::tensor_int8, .scale = 0.25F, .zero_point = bias ? 0 : -7};
      if (!bias) bytes = elements;
    }
    std::vector<std::byte>& payload = model.data[info.name];
    for (size_t i = 0; i < bytes; ++i) payload.push_back(static_cast<std::byte>(i % 61));
    model.description.tensors.push_back(std::move(info));
  }
  return model;
}

TEST(TinyRuntimeWriter, WritesNetworksOfCifarInEveryKind) {
  for (const NetworkKind kind : {NetworkKind::vanilla, NetworkKind::dq8, NetworkKind::sq8}) {
    const ReadFile model = cifar_network(kind);
    const auto written = write_file(model, Format::tinyruntime, 100);
    ASSERT_TRUE(written) << written.error().detail;
    const auto read = read_file(written->bytes);
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(read->description.kind, name_of(kind));
    EXPECT_EQ(read->description.architecture, "ResNet-20");
    EXPECT_TRUE(read->data == model.data);
    for (const PlainNetworkTensor& tensor : plain_tinyruntime(written->bytes, read->description.kind, "ResNet-20")) {
      EXPECT_EQ(dequantized(*read, tensor.name), tensor.values) << tensor.name;
    }
  }
}

class TinyRuntimeRejected : public ::testing::Test {
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

TEST_F(TinyRuntimeRejected, WithoutLayers) {
  model_.description.layers.reset();
  expect_refused();
}

TEST_F(TinyRuntimeRejected, TensorsOfAnotherKind) {
  model_.description.layers->kind = NetworkKind::vanilla;
  expect_refused();
}

TEST_F(TinyRuntimeRejected, GroupsThatDoNotDivide) {
  model_.description.tensors[0].quantization.block = 5;
  expect_refused();
}

TEST_F(TinyRuntimeRejected, SymmetricTensorsAmongAsymmetricOnes) {
  model_.description.tensors[0].quantization.asymmetric ^= true;
  expect_refused();
}

TEST_F(TinyRuntimeRejected, OneTensorTooMany) {
  TensorInfo extra = model_.description.tensors[0];
  extra.name = "extra.weight";
  model_.data["extra.weight"] = model_.data[model_.description.tensors[0].name];
  model_.description.tensors.push_back(extra);
  expect_refused();
}

TEST_F(TinyRuntimeRejected, AnotherShape) {
  model_.description.tensors[0].shape = {1, 3, 7, 8};
  expect_refused();
}

TEST_F(TinyRuntimeRejected, ChannelsThatDoNotChain) {
  model_.description.layers->convs[1].in_channels = 4;
  expect_refused();
}

TEST_F(TinyRuntimeRejected, DataOfAnotherSizeThanAnnounced) {
  model_.data.begin()->second.pop_back();
  const auto written = write_file(model_, Format::tinyruntime);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::internal);
}

}  // namespace
}  // namespace quintet::test
