// Sizes and borders of maps, against the definitions of paddings and a search for the pixels that windows reach.

#include "models/vision/plan.h"

#include <gtest/gtest.h>

namespace quintet::vision {
namespace {

constexpr Window kSame3 = {.kernel = 3, .stride = 2, .padding = {.same = true}};

Graph graph_of(std::vector<Node> nodes) {
  Graph graph;
  graph.family = "Test";
  graph.input_size = 32;
  graph.nodes = {{.op = Op::image, .channels = 3}};
  for (Node& node : nodes) {
    node.channels = 3;
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

Node conv(NodeId input, const Window& window, NodeId other = kNoNode) {
  return {.op = Op::conv, .input = input, .other = other, .window = window};
}

std::vector<PlannedMap> planned(const Graph& graph, size_t height, size_t width) {
  auto plan = plan_pass(graph, height, width);
  EXPECT_TRUE(plan) << plan.error().detail;
  return plan ? *std::move(plan) : std::vector<PlannedMap>(graph.nodes.size());
}

// tensorflow.org's definition: ceil(length / stride) outputs, and of the zeros that this takes, half come before.
TEST(Zeros, OfSameFollowTensorFlow) {
  for (size_t kernel = 1; kernel <= 7; ++kernel) {
    for (size_t stride = 1; stride <= 4; ++stride) {
      for (size_t length = 1; length <= 40; ++length) {
        const size_t outputs = length % stride == 0 ? length / stride : length / stride + 1;
        size_t zeros = 0;
        while ((length + zeros < kernel ? 0 : (length + zeros - kernel) / stride + 1) < outputs) ++zeros;
        const Window window = {static_cast<uint32_t>(kernel), static_cast<uint32_t>(stride), {.same = true}};
        const Zeros found = zeros_of(window, length);
        ASSERT_EQ(found.before + found.after, zeros) << kernel << ", " << stride << ", " << length;
        ASSERT_EQ(found.before, zeros / 2) << kernel << ", " << stride << ", " << length;
        const auto plan = planned(graph_of({conv(0, window)}), length, length);
        ASSERT_EQ(plan[1].height, outputs);
        ASSERT_EQ(plan[1].width, outputs);
      }
    }
  }
}

TEST(Zeros, OfSameDependOnTheParityOfTheLength) {
  EXPECT_EQ(zeros_of(kSame3, 224).before, 0u);
  EXPECT_EQ(zeros_of(kSame3, 224).after, 1u);
  EXPECT_EQ(zeros_of(kSame3, 225).before, 1u);
  EXPECT_EQ(zeros_of(kSame3, 225).after, 1u);
}

TEST(Zeros, FillUpToWholeWindows) {
  for (size_t stride = 1; stride <= 5; ++stride) {
    for (size_t length = 1; length <= 20; ++length) {
      const Window window = {static_cast<uint32_t>(stride), static_cast<uint32_t>(stride), {.fills = true}};
      const Zeros zeros = zeros_of(window, length);
      EXPECT_EQ(zeros.before, 0u);
      EXPECT_LT(zeros.after, stride);
      EXPECT_EQ((length + zeros.after) % stride, 0u);
    }
  }
}

// A map has `border` zeros above and to the left, and one more below and to the right.
TEST(Plan, BordersHoldAllThatWindowsReach) {
  for (const Padding& padding : {Padding{}, Padding{.before = 1, .after = 1}, Padding{.before = 0, .after = 1},
                                 Padding{.before = 2, .after = 1}, Padding{.same = true}, Padding{.fills = true}}) {
    for (uint32_t kernel = 3; kernel <= 6; ++kernel) {
      for (uint32_t stride = 1; stride <= 3; ++stride) {
        const Window window = {kernel, stride, padding};
        for (size_t height = 6; height < 12; ++height) {
          constexpr size_t kWidth = 9;
          const auto plan = planned(graph_of({conv(0, window)}), height, kWidth);
          for (const auto& [length, outputs] : {std::pair(height, plan[1].height), std::pair(kWidth, plan[1].width)}) {
            const Zeros zeros = zeros_of(window, length);
            ASSERT_GE(plan[0].border, zeros.before);
            ASSERT_LE((outputs - 1) * stride + kernel, zeros.before + length + plan[0].border + 1);
          }
        }
      }
    }
  }
}

TEST(Plan, AddendsHaveTheBorderOfWhatTheyAreAddedTo) {
  const Window large = {.kernel = 7, .stride = 1, .padding = {.before = 3, .after = 3}};
  const Window one = {};
  // 1 -> 2 -> 3 = conv + 1 -> 4 = conv + 3, which a large window reads.
  const Graph graph = graph_of({conv(0, one), conv(1, one), conv(2, one, 1), conv(3, one, 3), conv(4, large)});
  const auto plan = planned(graph, 8, 8);
  EXPECT_EQ(plan[4].border, 3u);
  EXPECT_EQ(plan[3].border, 3u);
  EXPECT_EQ(plan[1].border, 3u);
  EXPECT_EQ(plan[2].border, 0u);
  EXPECT_EQ(plan[0].border, 0u);
  EXPECT_EQ(plan[5].border, 0u);
}

TEST(Plan, KnowsTheLastReaderOfAMap) {
  const Graph graph = graph_of({conv(0, {}), conv(1, {}), conv(2, {}, 1), {.op = Op::mean, .input = 3}});
  const auto plan = planned(graph, 5, 5);
  EXPECT_EQ(plan[0].last_reader, 1u);
  EXPECT_EQ(plan[1].last_reader, 3u);
  EXPECT_EQ(plan[2].last_reader, 3u);
  EXPECT_EQ(plan[3].last_reader, 4u);
  EXPECT_EQ(plan[4].last_reader, kNoNode);
}

TEST(Plan, KnowsTheSizesOfAllOperations) {
  const Window patch = {.kernel = 4, .stride = 4};
  const Window pool = {.kernel = 3, .stride = 2, .padding = {.before = 1, .after = 1}};
  const Graph graph = graph_of({{.op = Op::max_pool, .input = 0, .window = pool},
                                {.op = Op::merge, .input = 1},
                                conv(0, patch),
                                {.op = Op::tokens, .input = 3, .first = 2},
                                {.op = Op::layer_norm, .input = 4},
                                {.op = Op::token, .input = 5, .first = 1},
                                {.op = Op::patch_mean, .input = 5, .first = 2},
                                {.op = Op::concat, .input = 6, .other = 7},
                                {.op = Op::batch_norm, .input = 8},
                                {.op = Op::maximum, .input = 0},
                                {.op = Op::subsample, .input = 0, .window = {.kernel = 1, .stride = 2}}});
  const auto plan = planned(graph, 17, 22);
  const auto expect_size = [&](NodeId id, size_t height, size_t width) {
    EXPECT_EQ(plan[id].height, height) << id;
    EXPECT_EQ(plan[id].width, width) << id;
  };
  expect_size(1, 9, 11);
  expect_size(2, 5, 6);
  expect_size(3, 4, 5);
  expect_size(4, 1, 22);
  expect_size(5, 1, 22);
  expect_size(6, 1, 1);
  expect_size(7, 1, 1);
  expect_size(8, 1, 1);
  expect_size(9, 1, 1);
  expect_size(10, 1, 1);
  expect_size(11, 9, 11);
}

// Three channels and a row and column more than the map: the image is held while the first node computes, then both
// maps.
TEST(Plan, TheMemoryOfAPassIsTheImageTheMapsThatAreHeldAndOneMore) {
  const Graph graph = graph_of({conv(0, {.kernel = 2, .stride = 2}), conv(1, {})});
  constexpr uint64_t kImage = 3 * 32 * 32, kImageMap = 3 * 33 * 33, kMap = 3 * 17 * 17;
  EXPECT_EQ(pass_bytes(graph, sizeof(float)).max(), 4 * (kImage + (kImageMap + kMap) + kImageMap));
  EXPECT_EQ(pass_bytes(graph, sizeof(int16_t)).max(), 4 * kImage + 2 * ((kImageMap + kMap) + kImageMap));
}

TEST(Plan, TooSmallImagesAreRejected) {
  const Graph graph = graph_of({conv(0, {.kernel = 8, .stride = 8})});
  EXPECT_TRUE(plan_pass(graph, 8, 8));
  for (const auto& [height, width] : {std::pair(7, 8), std::pair(8, 7), std::pair(1, 1)}) {
    const auto plan = plan_pass(graph, static_cast<size_t>(height), static_cast<size_t>(width));
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, Code::input);
    EXPECT_EQ(plan.error().reason, Reason::out_of_range);
    EXPECT_NE(plan.error().detail.find("too small"), std::string::npos);
  }
}

TEST(Plan, MapsOfTwoSizesAreNotAdded) {
  const Graph graph = graph_of({conv(0, kSame3), conv(0, {.kernel = 2, .stride = 2}, 1)});
  EXPECT_TRUE(plan_pass(graph, 8, 8));
  const auto odd = plan_pass(graph, 9, 8);
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, Code::input);
  EXPECT_EQ(odd.error().reason, Reason::mismatch);
}

}  // namespace
}  // namespace quintet::vision
