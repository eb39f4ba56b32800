// Checkpoints under the names of torchvision, of the CIFAR ResNets and of fastai.

#include "architectures/vision/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quintet::test {
namespace {

void add(std::vector<TensorInfo>& tensors, const std::string& name, std::vector<uint64_t> shape) {
  TensorInfo info;
  info.name = name;
  info.shape = std::move(shape);
  tensors.push_back(std::move(info));
}

void add_norm(std::vector<TensorInfo>& tensors, const std::string& name, uint64_t channels) {
  for (const char* array : {".weight", ".bias", ".running_mean", ".running_var"})
    add(tensors, name + array, {channels});
  add(tensors, name + ".num_batches_tracked", {});
}

// Tensors in PyTorch's form; `stem`, `stem_norm` and `stage` (with the number of the first) are the scheme's.
std::vector<TensorInfo> body(const std::vector<int>& blocks, uint64_t kernel, const std::string& stem,
                             const std::string& stem_norm, const std::string& stages, int first_stage) {
  std::vector<TensorInfo> tensors;
  add(tensors, stem + ".weight", {4, 3, kernel, kernel});
  add_norm(tensors, stem_norm, 4);
  uint64_t in = 4, out = 4;
  for (size_t stage = 0; stage < blocks.size(); ++stage, out *= 2) {
    for (int block = 0; block < blocks[stage]; ++block) {
      const std::string prefix =
          stages + std::to_string(first_stage + static_cast<int>(stage)) + "." + std::to_string(block) + ".";
      add(tensors, prefix + "conv1.weight", {out, in, 3, 3});
      add_norm(tensors, prefix + "bn1", out);
      add(tensors, prefix + "conv2.weight", {out, out, 3, 3});
      add_norm(tensors, prefix + "bn2", out);
      if (in != out && kernel == 7) {
        add(tensors, prefix + "downsample.0.weight", {out, in, 1, 1});
        add_norm(tensors, prefix + "downsample.1", out);
      }
      in = out;
    }
  }
  return tensors;
}

std::vector<TensorInfo> torchvision() {
  std::vector<TensorInfo> tensors = body({2, 2, 2, 2}, 7, "conv1", "bn1", "layer", 1);
  add(tensors, "fc.weight", {7, 32});
  add(tensors, "fc.bias", {7});
  return tensors;
}

const NetworkSource& source_of(const NetworkCheckpoint& checkpoint, std::string_view name) {
  const auto found =
      std::ranges::find_if(checkpoint.sources, [name](const auto& source) { return source.tensor.name == name; });
  EXPECT_NE(found, checkpoint.sources.end()) << name;
  return *found;
}

TEST(NetworkCheckpoint, ReadsTorchvisionsNames) {
  const auto checkpoint = read_network_checkpoint(torchvision());
  ASSERT_TRUE(checkpoint) << checkpoint.error().detail;
  EXPECT_EQ(checkpoint->graph.architecture, "ResNet-18");
  EXPECT_EQ(checkpoint->graph.tail, tinyruntime::Tail::plain);
  EXPECT_EQ(checkpoint->layers.classes, 7U);
  EXPECT_EQ(checkpoint->layers.convs[5].stride, 2U);
  ASSERT_EQ(checkpoint->sources.size(), 42U);
  const NetworkSource& weight = source_of(*checkpoint, "layer2.0.downsample.0.weight");
  EXPECT_EQ(weight.values, "layer2.0.downsample.0.weight");
  EXPECT_EQ(weight.batch_norm, "layer2.0.downsample.1");
  EXPECT_EQ(weight.tensor.shape, (std::vector<uint64_t>{8, 4, 1, 1}));
  const NetworkSource& bias = source_of(*checkpoint, "conv1.bias");
  EXPECT_EQ(bias.values, "");
  EXPECT_EQ(bias.batch_norm, "bn1");
  EXPECT_EQ(bias.tensor.part, tinyruntime::TensorPart::bias);
  EXPECT_EQ(source_of(*checkpoint, "fc.bias").values, "fc.bias");
  EXPECT_EQ(source_of(*checkpoint, "fc.bias").batch_norm, "");
}

TEST(NetworkCheckpoint, ReadsCifarNamesBehindAPrefix) {
  std::vector<TensorInfo> tensors = body({3, 3, 3}, 3, "module.conv1", "module.bn1", "module.layer", 1);
  add(tensors, "module.linear.weight", {10, 16});
  add(tensors, "module.linear.bias", {10});
  const auto checkpoint = read_network_checkpoint(tensors);
  ASSERT_TRUE(checkpoint) << checkpoint.error().detail;
  EXPECT_EQ(checkpoint->graph.architecture, "ResNet-20");
  EXPECT_EQ(source_of(*checkpoint, "fc.weight").values, "module.linear.weight");
  EXPECT_EQ(source_of(*checkpoint, "layer3.2.conv2.bias").batch_norm, "module.layer3.2.bn2");
}

TEST(NetworkCheckpoint, ReadsFastaisSequentialModel) {
  std::vector<TensorInfo> tensors = body({2, 2, 2, 2}, 7, "0.0", "0.1", "0.", 4);
  add_norm(tensors, "1.2", 64);
  add(tensors, "1.4.weight", {5, 64});
  add_norm(tensors, "1.6", 5);
  add(tensors, "1.8.weight", {7, 5});
  const auto checkpoint = read_network_checkpoint(tensors);
  ASSERT_TRUE(checkpoint) << checkpoint.error().detail;
  EXPECT_EQ(checkpoint->graph.tail, tinyruntime::Tail::concat);
  EXPECT_FALSE(checkpoint->layers.linears[0].bias);
  EXPECT_EQ(source_of(*checkpoint, "conv1.weight").values, "0.0.weight");
  EXPECT_EQ(source_of(*checkpoint, "conv1.weight").batch_norm, "0.1");
  EXPECT_EQ(source_of(*checkpoint, "layer2.0.downsample.0.bias").batch_norm, "0.5.0.downsample.1");
  EXPECT_EQ(source_of(*checkpoint, "head.bn2.running_var").values, "1.6.running_var");
  EXPECT_EQ(source_of(*checkpoint, "head.fc2.weight").values, "1.8.weight");
}

TEST(NetworkCheckpoint, KeepsFoldedConvolutions) {
  const auto folded = read_network_checkpoint(torchvision());
  ASSERT_TRUE(folded);
  std::vector<TensorInfo> tensors;
  for (const NetworkSource& source : folded->sources) add(tensors, source.tensor.name, source.tensor.shape);
  const auto checkpoint = read_network_checkpoint(tensors);
  ASSERT_TRUE(checkpoint) << checkpoint.error().detail;
  for (const NetworkSource& source : checkpoint->sources) {
    EXPECT_EQ(source.values, source.tensor.name);
    EXPECT_EQ(source.batch_norm, "");
  }
}

void expect_refused(const std::vector<TensorInfo>& tensors, Code code, std::string_view named) {
  const auto checkpoint = read_network_checkpoint(tensors);
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().code, code);
  EXPECT_NE(checkpoint.error().detail.find(named), std::string::npos) << checkpoint.error().detail;
}

TEST(NetworkCheckpoint, RejectsOtherNetworks) {
  std::vector<TensorInfo> missing = torchvision();
  std::erase_if(missing, [](const TensorInfo& info) { return info.name == "layer1.1.bn2.running_var"; });
  expect_refused(missing, Code::input, "layer1.1.bn2.running_var");

  std::vector<TensorInfo> more = torchvision();
  add(more, "layer1.0.se.fc1.weight", {1, 4});
  expect_refused(more, Code::unsupported, "layer1.0.se.fc1.weight");

  std::vector<TensorInfo> deeper = torchvision();
  add(deeper, "layer4.2.conv1.weight", {32, 32, 3, 3});
  expect_refused(deeper, Code::unsupported, "21 convolutions");

  std::vector<TensorInfo> misshapen = torchvision();
  misshapen[1].shape = {5};
  expect_refused(misshapen, Code::input, "bn1.weight");

  std::vector<TensorInfo> enormous = torchvision();
  enormous[0].shape = {uint64_t{1} << 40, 3, 7, 7};
  expect_refused(enormous, Code::input, "conv1.weight");

  std::vector<TensorInfo> renamed = torchvision();
  renamed[0].name = "stem.weight";
  expect_refused(renamed, Code::unsupported, "conv1.weight");
  expect_refused({}, Code::unsupported, "conv1.weight");
}

}  // namespace
}  // namespace quintet::test
