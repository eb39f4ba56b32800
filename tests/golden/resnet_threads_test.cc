// Every stage of an image network is the same bits for any number of threads.

#include <gtest/gtest.h>

#include "tests/formats/expected.h"
#include "tests/golden/random_resnet.h"
#include "tests/kernels/thread_count.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

using testing::kThreadCounts;
using testing::ThreadCount;

template <class T>
std::vector<std::byte> copied_bytes(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

class StageBits final : public StageObserver {
 public:
  using StageObserver::StageObserver;

  void see_float_stage(std::string_view, std::span<const float> values) override {
    stages.push_back(copied_bytes(values));
  }
  void see_byte_stage(std::string_view, const ActivationQuantization&, std::span<const uint8_t> values) override {
    stages.push_back(copied_bytes(values));
  }
  std::vector<std::vector<std::byte>> stages;
};

struct Picture {
  size_t height, width;
  std::vector<float> values;
};

// The bits of all stages, the logits last.
std::vector<std::vector<std::byte>> bits_of_pass(const vision::ImageNetwork& network, const Picture& picture) {
  StageBits seen(network.graph());
  const auto logits = network.logits(picture.values, picture.height, picture.width, &seen);
  if (!logits) {
    ADD_FAILURE() << logits.error().detail;
    return {};
  }
  seen.stages.push_back(copied_bytes(std::span<const float>(*logits)));
  return seen.stages;
}

void expect_same_bits(const vision::ImageNetwork& network, const Picture& picture) {
  SCOPED_TRACE(std::to_string(picture.height) + " x " + std::to_string(picture.width));
  const auto expected = bits_of_pass(network, picture);
  ASSERT_GT(expected.size(), 1U);
  for (const size_t threads : kThreadCounts) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    const ThreadCount count(threads);
    const auto stages = bits_of_pass(network, picture);
    ASSERT_EQ(stages.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(stages[i], expected[i]) << "stage " << i;
  }
}

// Down to a pixel; the largest has every algorithm's loops shared.
void expect_same_bits_at_all_sizes(const vision::ImageNetwork& network) {
  constexpr std::pair<size_t, size_t> kSizes[] = {{1, 1}, {1, 9}, {40, 3}, {33, 37}, {70, 67}};
  for (const auto& [height, width] : kSizes) {
    expect_same_bits(network, {height, width, generated_input(3, 3 * height * width)});
  }
}

// Work is cut in the same way for all of them; the first, the definition, is slow.
std::vector<const Kernels*> fast_kernels() {
  const std::vector<const Kernels*> all = testing::all_kernels();
  return {all.begin() + 1, all.end()};
}

// So wide that layers are worth sharing.
const std::vector<Form> kForms = {
    {"resnet18", {2, 2, 2, 2}, false, false, true, 7, 32},
    {"resnet50", {3, 4, 6, 3}, true, false, false, 0, 16},
    {"resnet20", {3, 3, 3}, false, true, false, 3, 12},
};

class ThreadsInResNet : public ::testing::TestWithParam<std::tuple<Form, const Kernels*>> {
 protected:
  const Form& form() const { return std::get<0>(GetParam()); }
  const Kernels& kernels() const { return *std::get<1>(GetParam()); }
};

TEST_P(ThreadsInResNet, KeepTheBitsOfFloats) {
  const ResNetFixture fixture = random_float_network(form());
  const auto network = float_network(kernels(), fixture);
  ASSERT_TRUE(network);
  expect_same_bits_at_all_sizes(*network);
}

TEST_P(ThreadsInResNet, KeepTheBitsOfStaticInt8) {
  const StaticFixture fixture = random_static_network(form());
  const auto network = make_network(kernels(), fixture.plain.table, fixture.tensors);
  ASSERT_TRUE(network);
  expect_same_bits_at_all_sizes(*network);
}

TEST_P(ThreadsInResNet, KeepTheBitsOfDynamicInt8) {
  for (const bool asymmetric : {false, true}) {
    const DynamicFixture fixture = random_dynamic_network(form(), asymmetric);
    const auto network = make_network(kernels(), fixture.table, fixture.tensors);
    ASSERT_TRUE(network);
    expect_same_bits_at_all_sizes(*network);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, ThreadsInResNet,
                         ::testing::Combine(::testing::ValuesIn(kForms), ::testing::ValuesIn(fast_kernels())),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" +
                                  std::string(std::get<1>(info.param)->name);
                         });

class ThreadsInResNetFile : public ::testing::TestWithParam<const char*> {};

TEST_P(ThreadsInResNetFile, KeepTheBits) {
  const std::string folder = "tinyruntime/";
  const auto network = network_fixture(active_kernels(), folder + GetParam());
  ASSERT_TRUE(network);
  const Json& runs = *expected_entry(folder + "expected.json", GetParam()).find("expect")->find("runs");
  ASSERT_FALSE(runs.as_array()->empty());
  for (const Json& run : *runs.as_array()) {
    const std::vector<uint64_t> shape = numbers(*run.find("input")->find("shape"));
    expect_same_bits(*network, {shape[1], shape[2], run_input(folder, *run.find("input"))});
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ThreadsInResNetFile,
                         ::testing::Values("r18-vanilla-bytes.bin", "r18-plain-vanilla.bin", "r18-sq.bin",
                                           "r50-sq-bytes.bin", "r18-dq-asym.bin", "r18-dq-sym.bin", "r50-dq-bytes.bin"),
                         [](const auto& info) { return test_name(info.param); });

}  // namespace
}  // namespace quintet::test
