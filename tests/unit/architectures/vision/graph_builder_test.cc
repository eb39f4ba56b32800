// Graphs built from tensors, and tensors that are rejected, each with an error that names the tensor.

#include "architectures/vision/graph_builder.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/architectures/vision/tensor_list.h"

namespace quintet::vision {
namespace {

using Build = std::function<NodeId(GraphBuilder&)>;

Result<Graph> graph_of(const TensorList& list, const Build& build) {
  GraphBuilder builder(list.tensors, "", "Test", 32);
  const NodeId features = build(builder);
  return std::move(builder).finish(features);
}

void expect_refused(const TensorList& list, const Build& build, Code code, Reason reason, const std::string& tensor) {
  const Result<Graph> graph = graph_of(list, build);
  ASSERT_FALSE(graph) << tensor;
  EXPECT_EQ(graph.error().code, code) << graph.error().detail;
  EXPECT_EQ(graph.error().reason, reason) << graph.error().detail;
  EXPECT_EQ(graph.error().tensor, tensor) << graph.error().detail;
  EXPECT_FALSE(graph.error().detail.empty());
}

TensorList small_network() {
  TensorList list;
  list.add("stem.weight", {8, 3, 3, 3}).add_norm("bn", 8).add("dw.weight", {8, 1, 5, 5}).add("dw.bias", {8});
  return list.add_linear("fc", 10, 8);
}

NodeId build_small(GraphBuilder& b) {
  NodeId x = b.conv(b.image(), {"stem", "bn"}, {.stride = 2, .activation = Activation::relu6});
  x = b.conv(x, {"dw"}, {.addend = x});
  const NodeId features = b.mean(x);
  b.linear(features, {"fc"});
  return features;
}

TEST(GraphBuilder, TakesSizesFromTheTensors) {
  const Result<Graph> graph = graph_of(small_network(), build_small);
  ASSERT_TRUE(graph) << graph.error().detail;
  ASSERT_EQ(graph->nodes.size(), 5u);
  EXPECT_EQ(graph->classes, 10u);
  EXPECT_EQ(graph->input_channels(), 3u);
  EXPECT_EQ(graph->features, 3u);
  const Node &stem = graph->nodes[1], &depthwise = graph->nodes[2];
  EXPECT_EQ(stem.channels, 8u);
  EXPECT_EQ(stem.groups, 1u);
  EXPECT_EQ(stem.window.kernel, 3u);
  EXPECT_EQ(stem.window.stride, 2u);
  EXPECT_EQ(stem.window.padding.before, 1u);
  EXPECT_EQ(stem.parameters.norm, "bn");
  EXPECT_EQ(stem.parameters.biases, std::vector<std::string>{""});
  EXPECT_EQ(depthwise.groups, 8u);
  EXPECT_EQ(depthwise.window.padding.after, 2u);
  EXPECT_EQ(depthwise.other, 1u);
  EXPECT_EQ(depthwise.parameters.biases, std::vector<std::string>{"dw.bias"});
}

TEST(GraphBuilder, PadsAsTheFamilyDoes) {
  const auto same = graph_of(small_network(), [](GraphBuilder& b) {
    b.style.same_padding = true;
    return build_small(b);
  });
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->nodes[1].window.padding.same);
}

TEST(GraphBuilder, MissingTensorsAreNamed) {
  for (const char* const name : {"stem.weight", "bn.running_var", "bn.weight", "dw.weight", "fc.weight"}) {
    expect_refused(small_network().without(name), build_small, Code::format, Reason::missing, name);
  }
}

TEST(GraphBuilder, TensorsOfOtherShapesAreNamed) {
  const TensorList list = small_network();
  const std::vector<std::pair<const char*, Shape>> wrong = {
      {"stem.weight", {8, 3, 3}},         // not a convolution
      {"stem.weight", {8, 3, 3, 5}},      // no square
      {"stem.weight", {8, 4, 3, 3}},      // more channels than the image has
      {"stem.weight", {8, 2, 3, 3}},      // which do not divide those of the image
      {"stem.weight", {0, 3, 3, 3}},      // empty
      {"stem.weight", {8, 3, 65, 65}},    // beyond any window
      {"stem.weight", {65537, 3, 3, 3}},  // and any number of channels
      {"stem.weight", {UINT64_MAX, 3, 3, 3}},
      {"dw.weight", {8, 1, UINT64_MAX, UINT64_MAX}},
      {"dw.weight", {12, 1, 5, 5}},  // eight groups do not divide twelve outputs
      {"dw.bias", {9}},
      {"dw.bias", {8, 1}},
      {"bn.running_mean", {7}},
      {"fc.weight", {10, 9}},
      {"fc.weight", {10, 8, 2}},
      {"fc.weight", {10}},
      {"fc.weight", {0, 8}},
      {"fc.weight", {65537, 8}},
      {"fc.bias", {1}},
  };
  for (const auto& [name, shape] : wrong) {
    expect_refused(list.with(name, shape), build_small, Code::format, Reason::mismatch, name);
  }
}

TEST(GraphBuilder, AMatrixMayBeAConvolutionOfOnePixel) {
  const auto graph = graph_of(small_network().with("fc.weight", {10, 8, 1, 1}), build_small);
  EXPECT_TRUE(graph) << graph.error().detail;
}

TEST(GraphBuilder, AnUnusedTensorBelongsToAnotherNetwork) {
  const auto graph = graph_of(small_network().add("layer_scale.gamma", {8}), build_small);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code, Code::unsupported);
  EXPECT_EQ(graph.error().detail, "tensor \"layer_scale.gamma\" is not one of a Test");
  EXPECT_TRUE(graph_of(small_network().add("bn.num_batches_tracked", {}), build_small));
  EXPECT_TRUE(graph_of(small_network().add("layer_scale.gamma", {8}), [](GraphBuilder& b) {
    b.ignore("layer_scale.gamma");
    return build_small(b);
  }));
}

TEST(GraphBuilder, NamesInTheFileMayHaveAPrefix) {
  TensorList list;
  for (const TensorInfo& info : small_network().tensors) list.add("inner." + info.name, info.shape);
  GraphBuilder builder(list.tensors, "inner.", "Test", 32);
  const NodeId features = build_small(builder);
  const auto graph = std::move(builder).finish(features);
  ASSERT_TRUE(graph) << graph.error().detail;
  EXPECT_EQ(graph->nodes[1].parameters.weights[0], "inner.stem.weight");
  const TensorList without = list.without("inner.fc.weight");
  GraphBuilder incomplete(without.tensors, "inner.", "Test", 32);
  const NodeId none = build_small(incomplete);
  EXPECT_EQ(std::move(incomplete).finish(none).error().tensor, "inner.fc.weight");
}

TEST(GraphBuilder, AddedMapsHaveTheSameNumberOfChannels) {
  TensorList list;
  list.add("a.weight", {8, 3, 1, 1}).add("b.weight", {4, 8, 1, 1});
  const auto added = graph_of(list, [](GraphBuilder& b) {
    const NodeId x = b.conv(b.image(), {"a"});
    return b.conv(x, {"b"}, {.addend = x});
  });
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().reason, Reason::mismatch);
  EXPECT_EQ(added.error().detail, "b gives 4 channels, to which 8 are added");
  const auto summed = graph_of(list, [](GraphBuilder& b) {
    const NodeId x = b.conv(b.image(), {"a"});
    return b.sum(b.conv(x, {"b"}), x, Activation::relu);
  });
  ASSERT_FALSE(summed);
  EXPECT_EQ(summed.error().reason, Reason::mismatch);
  // A shortcut is taken only where it fits.
  const auto shortcut = graph_of(list, [](GraphBuilder& b) {
    const NodeId x = b.conv(b.image(), {"a"});
    return b.conv(x, {"b"}, {.shortcut = x});
  });
  ASSERT_TRUE(shortcut);
  EXPECT_EQ(shortcut->nodes.back().other, kNoNode);
}

TEST(GraphBuilder, ThereIsAFactorForEachChannel) {
  TensorList list;
  list.add("a.weight", {8, 3, 1, 1}).add_linear("reduce", 2, 8).add_linear("expand", 7, 2);
  const auto graph = graph_of(list, [](GraphBuilder& b) {
    return b.squeeze_excite(b.conv(b.image(), {"a"}), "reduce", "expand", Activation::relu, Activation::sigmoid);
  });
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().detail, "expand gives 7 factors for 8 channels");
}

TEST(GraphBuilder, StridesOfZeroAndPaddingsBeyondTheWindowAreRejected) {
  for (const ConvOptions& options : {ConvOptions{.stride = 0}, ConvOptions{.padding = Padding{.before = 4}},
                                     ConvOptions{.padding = Padding{.after = UINT32_MAX}}}) {
    const auto graph = graph_of(small_network(), [&](GraphBuilder& b) { return b.conv(b.image(), {"stem"}, options); });
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().reason, Reason::out_of_range);
    EXPECT_TRUE(graph.error().detail.starts_with("stem has a window of 3")) << graph.error().detail;
  }
}

TEST(GraphBuilder, WeightsInInt8HaveTheirScalesBesideThem) {
  TensorList list = small_network();
  list.add("stem.weight_scale", {8}).add("fc.weight_scale", {10}).add("fc.weight_zero_point", {10});
  EXPECT_TRUE(graph_of(list, build_small));
  for (const char* const name : {"stem.weight_scale", "fc.weight_scale", "fc.weight_zero_point"}) {
    expect_refused(list.with(name, {3}), build_small, Code::format, Reason::mismatch, name);
  }
  // A zero point without a scale belongs to nothing.
  const auto alone = graph_of(list.without("fc.weight_scale"), build_small);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().detail, "tensor \"fc.weight_zero_point\" is not one of a Test");
}

struct Attention {
  uint64_t query = 6, key = 6, value = 6;
  uint32_t heads = 3;
};

Result<Graph> attending(const Attention& sizes, bool in_windows) {
  TensorList list;
  list.add("patches.weight", {6, 3, 4, 4}).add("table", {9, sizes.heads});
  // Only some have a bias.
  list.add("q.weight", {sizes.query, 6}).add_linear("k", sizes.key, 6).add_linear("v", sizes.value, 6);
  return graph_of(list, [&](GraphBuilder& b) {
    if (!in_windows) b.ignore("table");
    const NodeId x = b.linear(b.conv(b.image(), {"patches"}, {.stride = 4, .padding = Padding()}), {"q", "k", "v"});
    return in_windows ? b.window_attention(x, sizes.heads, 2, 1, "table") : b.attention(x, sizes.heads);
  });
}

TEST(GraphBuilder, HeadsDivideTheFeatures) {
  for (const bool in_windows : {false, true}) {
    const auto fits = attending({}, in_windows);
    ASSERT_TRUE(fits) << fits.error().detail;
    EXPECT_EQ(fits->nodes.back().channels, 6u);
    EXPECT_EQ(fits->nodes.back().heads, 3u);
    for (const uint32_t heads : {0U, 4U, 5U, 7U, UINT32_MAX}) {
      EXPECT_EQ(attending({.heads = heads}, in_windows).error().reason, Reason::mismatch) << heads;
    }
  }
}

// The loader fills up a missing bias with zeros, one for each row of all matrices.
TEST(GraphBuilder, StackedMatricesMustMatch) {
  EXPECT_EQ(attending({.query = 10, .key = 1, .value = 1}, false).error().tensor, "k.weight");
  EXPECT_EQ(attending({.query = 6, .key = 6, .value = 9}, false).error().tensor, "v.weight");
  EXPECT_EQ(attending({.query = 1 << 16, .key = 1 << 16, .value = 1 << 16}, true).error().tensor, "q.weight");
}

TEST(GraphBuilder, AnAttentionNeedsQueriesKeysAndValues) {
  TensorList list;
  list.add("a.weight", {8, 3, 1, 1}).add("table", {9, 2});
  const auto whole = graph_of(list, [](GraphBuilder& b) {
    b.ignore("table");
    return b.attention(b.conv(b.image(), {"a"}), 2);
  });
  EXPECT_EQ(whole.error().reason, Reason::mismatch);
  const auto windows =
      graph_of(list, [](GraphBuilder& b) { return b.window_attention(b.conv(b.image(), {"a"}), 2, 2, 0, "table"); });
  EXPECT_EQ(windows.error().reason, Reason::mismatch);
}

TEST(GraphBuilder, WindowsHaveTheSizeOfTheirTable) {
  TensorList list;
  list.add("a.weight", {6, 3, 1, 1}).add("table", {9, 1});
  const auto with_side = [&](uint32_t side) {
    return graph_of(list,
                    [&](GraphBuilder& b) { return b.window_attention(b.conv(b.image(), {"a"}), 1, side, 0, "table"); });
  };
  EXPECT_TRUE(with_side(2));
  EXPECT_EQ(with_side(3).error().tensor, "table");
  for (const uint32_t side : {0U, 65U, UINT32_MAX}) EXPECT_EQ(with_side(side).error().reason, Reason::mismatch);
}

TensorList tokens_list() {
  TensorList list;
  return list.add("patches.weight", {6, 3, 4, 4}).add("class", {1, 1, 6}).add("positions", {1, 10, 6});
}

Build tokens_build(Resizing resizing) {
  return [=](GraphBuilder& b) {
    const NodeId x = b.conv(b.image(), {"patches"}, {.stride = 4, .padding = Padding()});
    return b.token(b.tokens(x, {"class"}, "positions", resizing), 0);
  };
}

TEST(GraphBuilder, TokensHaveTheWidthOfPatches) {
  for (const Resizing resizing : {Resizing::none, Resizing::bicubic}) {
    const auto graph = graph_of(tokens_list(), tokens_build(resizing));
    ASSERT_TRUE(graph) << graph.error().detail;
    EXPECT_EQ(graph->nodes[2].first, 1u);
    const std::vector<std::pair<const char*, Shape>> wrong = {
        {"class", {1, 1, 5}},   {"class", {}},     {"class", {1, 0, 6}}, {"class", {1025, 6}},
        {"positions", {10, 5}}, {"positions", {}}, {"positions", {0, 6}}};
    for (const auto& [name, shape] : wrong) {
      expect_refused(tokens_list().with(name, shape), tokens_build(resizing), Code::format, Reason::mismatch, name);
    }
    for (const char* const name : {"class", "positions"}) {
      expect_refused(tokens_list().without(name), tokens_build(resizing), Code::format, Reason::missing, name);
    }
  }
}

TEST(GraphBuilder, ResizedPositionsFormAGrid) {
  for (const uint64_t count : {1, 3, 9, 11}) {
    expect_refused(tokens_list().with("positions", {1, count, 6}), tokens_build(Resizing::bicubic), Code::format,
                   Reason::mismatch, "positions");
  }
  for (const uint64_t count : {2, 5, 10, 17}) {
    EXPECT_TRUE(graph_of(tokens_list().with("positions", {1, count, 6}), tokens_build(Resizing::bicubic))) << count;
  }
}

TEST(GraphBuilder, NormsHaveTheSizeOfTheirMaps) {
  TensorList list;
  list.add("a.weight", {6, 3, 1, 1}).add("norm.weight", {6}).add("norm.bias", {6});
  list.add("grn.weight", {1, 1, 1, 6}).add("grn.bias", {1, 1, 1, 6});
  const Build build = [](GraphBuilder& b) {
    return b.response_norm(b.layer_norm(b.conv(b.image(), {"a"}), "norm", 1e-6F), "grn.weight", "grn.bias", 1e-6F);
  };
  EXPECT_TRUE(graph_of(list, build));
  for (const char* const name : {"norm.weight", "norm.bias", "grn.weight", "grn.bias"}) {
    expect_refused(list.with(name, {5}), build, Code::format, Reason::mismatch, name);
    expect_refused(list.without(name), build, Code::format, Reason::missing, name);
  }
}

TEST(GraphBuilder, NetworksThatDoNotEndAreRejected) {
  const auto graph = graph_of({}, [](GraphBuilder& b) {
    NodeId x = b.image();
    for (int i = 0; i < 20'000; ++i) x = b.mean(x);
    return x;
  });
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code, Code::unsupported);
  EXPECT_EQ(graph.error().detail, "the network has more than 16384 nodes");
}

}  // namespace
}  // namespace quintet::vision
