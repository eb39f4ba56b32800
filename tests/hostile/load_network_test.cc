// Broken files of image networks, loaded: each is rejected with an error that states what is wrong and where, or was
// whole after all.

#include <gtest/gtest.h>

#include <cstring>

#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/tensors.h"
#include "formats/tinyruntime/writer.h"
#include "tests/formats/resnet_tables.h"
#include "tests/golden/classifying.h"
#include "tests/golden/resnet_fixture.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

TEST(BrokenNetwork, IsRejected) {
  const std::vector<float> input = generated_input(1, 3 * 9 * 7);
  size_t refused = 0;
  for (const BrokenFile& file : broken_files(Format::tinyruntime)) {
    for (const bool known : {true, false}) {
      SCOPED_TRACE(file.id + (known ? "" : " of unknown length"));
      const auto classifier =
          load_classifier(file.bytes, {.format = Format::tinyruntime, .chunk = 1000, .length_known = known});
      EXPECT_FALSE(file.expect == "error" && classifier);
      EXPECT_FALSE(file.expect == "ok" && !classifier);
      if (classifier) {
        EXPECT_TRUE(logits_of(**classifier, input, 9, 7));
        continue;
      }
      ++refused;
      const Error& error = classifier.error();
      EXPECT_EQ(error.format, "tinyruntime");
      EXPECT_FALSE(error.detail.empty());
      ASSERT_TRUE(error.offset) << error.detail;
      EXPECT_LE(*error.offset, std::max<uint64_t>(file.bytes.size(), file.offset.value_or(0))) << error.detail;
    }
  }
  EXPECT_GT(refused, 100u);
}

// A correct table of a network too large for any memory, in a file that ends soon after it.
File giant(NetworkKind kind) {
  ModelDescription description;
  description.format = Format::tinyruntime;
  LayerTable layers = resnet_table({2, 2, 2, 2}, false, false, false);
  layers.kind = kind;
  layers.asymmetric = kind != NetworkKind::vanilla;
  // 1.5 thousand million weights: offsets, in elements, are 32-bit numbers.
  constexpr uint32_t kTimes = 180;
  for (ConvLayer& conv : layers.convs) {
    conv.in_channels *= conv.in_channels == 3 ? 1 : kTimes;
    conv.out_channels *= kTimes;
    conv.output = {.scale = 1, .zero_point = 0};
  }
  layers.linears[0].in_features *= kTimes;
  layers.linears[0].output = {.scale = 1, .zero_point = 0};
  layers.activations.assign(64, {.scale = 1, .zero_point = 0});
  const auto graph = tinyruntime::recognise_network(layers);
  EXPECT_TRUE(graph);
  for (tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(layers, *graph)) {
    TensorInfo info{.name = std::move(tensor.name), .quantization = {}, .shape = std::move(tensor.shape)};
    const uint64_t filter =
        tensor.part == tinyruntime::TensorPart::bias ? info.elements() : info.elements() / info.shape[0];
    if (kind == NetworkKind::dq8) {
      info.quantization = {.scheme = Scheme::group_int8, .block = static_cast<uint32_t>(filter), .asymmetric = true};
    } else if (kind == NetworkKind::sq8) {
      info.quantization = {
          .scheme = tensor.part == tinyruntime::TensorPart::bias ? Scheme::tensor_int32 : Scheme::tensor_int8,
          .scale = 1};
    }
    description.tensors.push_back(std::move(info));
  }
  description.layers = std::move(layers);
  const auto table = tinyruntime::plan_table(description, *graph);
  EXPECT_TRUE(table) << table.error().detail;
  File file;
  if (table) tinyruntime::write_table(*table, file);
  file.resize(file.size() + 5000);
  return file;
}

class GiantNetwork : public testing::TestWithParam<NetworkKind> {};

// Memory that was taken at once would be more than there is: the error would be another one.
TEST_P(GiantNetwork, AllocatesOnlyWhatItsBytesFill) {
  const File file = giant(GetParam());
  for (const bool known : {true, false}) {
    const auto classifier = load_classifier(file, {.format = Format::tinyruntime, .chunk = 512, .length_known = known});
    ASSERT_FALSE(classifier);
    EXPECT_EQ(classifier.error().reason, Reason::truncated) << classifier.error().detail;
    EXPECT_EQ(classifier.error().format, "tinyruntime");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GiantNetwork, testing::Values(NetworkKind::vanilla, NetworkKind::dq8, NetworkKind::sq8),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace quintet::test
