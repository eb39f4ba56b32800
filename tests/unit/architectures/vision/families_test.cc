// Graphs of the models in tests/fixtures/vision, whole and with one tensor or number changed: what is refused names it.

#include "architectures/vision/families.h"

#include <gtest/gtest.h>

#include <set>

#include "models/vision/plan.h"
#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/unit/architectures/vision/tensor_list.h"

namespace quintet::vision {
namespace {

using test::fixture;

Json json_of(std::string_view text) {
  auto json = parse_json(text);
  EXPECT_TRUE(json) << text;
  return json ? *std::move(json) : Json();
}

// The models that the list of expected values names.
std::vector<std::string> models() {
  std::set<std::string> paths;
  for (const Json& each : *test::json_fixture("vision/expected.json").as_array()) {
    const std::string& path = *each.get("path").as_string();
    paths.insert(path.substr(0, path.find('/')));
  }
  return {paths.begin(), paths.end()};
}

class EachModel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string folder = "vision/" + GetParam() + "/";
    const auto read = test::read_file(fixture(folder + "model.safetensors"), {.format = Format::safetensors});
    ASSERT_TRUE(read) << read.error().detail;
    list_.tensors = read->description.tensors;
    if (GetParam().ends_with("-torchvision")) return;
    const test::File bytes = fixture(folder + "config.json");
    text_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    config_ = json_of(text_);
  }
  Result<Graph> graph(const TensorList& list) const { return read_graph(config_, list.tensors); }

  TensorList list_;
  std::string text_;
  Json config_;  // null: a file alone
};

bool names_something(const Error& error) {
  return !error.tensor.empty() || error.detail.find("tensor \"") != std::string::npos ||
         error.detail.find("config.json") != std::string::npos || error.detail.find(" channels") != std::string::npos ||
         error.detail.find("attention heads") != std::string::npos ||
         error.detail.find("groups") != std::string::npos || error.detail.find("factors") != std::string::npos ||
         error.detail.find("a window of") != std::string::npos ||
         error.detail.find("tensor names") != std::string::npos;
}

void expect_clear(const Error& error, const std::string& what) {
  EXPECT_TRUE(error.code == Code::format || error.code == Code::unsupported) << what << ": " << error.detail;
  EXPECT_TRUE(names_something(error)) << what << ": " << error.detail;
}

TEST_P(EachModel, IsAGraphOfTenClasses) {
  const auto whole = graph(list_);
  ASSERT_TRUE(whole) << whole.error().detail;
  EXPECT_EQ(whole->classes, 10u);
  EXPECT_EQ(whole->input_channels(), 3u);
  EXPECT_GT(whole->features, 0u);
  EXPECT_LT(whole->features, whole->nodes.size());
  for (size_t id = 1; id < whole->nodes.size(); ++id) {
    ASSERT_LT(whole->nodes[id].input, id);
    if (whole->nodes[id].other != kNoNode) {
      ASSERT_LT(whole->nodes[id].other, id);
    }
    ASSERT_GT(whole->nodes[id].channels, 0u);
  }
}

TEST_P(EachModel, NeedsEachTensorButBiasesAndScales) {
  for (const TensorInfo& info : list_.tensors) {
    const auto rest = graph(list_.without(info.name));
    if (rest) {
      // Some networks have no layer scale.
      const std::vector<std::string_view> endings = {
          ".bias", "num_batches_tracked", "relative_position_index", "mask_token", ".gamma", ".lambda1"};
      const bool is_optional = std::ranges::any_of(endings, [&](auto ending) { return info.name.ends_with(ending); });
      EXPECT_TRUE(is_optional || rest->classes == 0) << info.name;
    } else {
      expect_clear(rest.error(), info.name);
    }
  }
}

TEST_P(EachModel, NeedsTheShapeOfEachTensor) {
  for (const TensorInfo& info : list_.tensors) {
    for (size_t axis = 0; axis < info.shape.size(); ++axis) {
      for (const uint64_t size : {uint64_t{0}, info.shape[axis] + 1, uint64_t{1} << 20}) {
        Shape shape = info.shape;
        shape[axis] = size;
        const auto changed = graph(list_.with(info.name, shape));
        // The size of pictures and the number of classes may differ.
        if (!changed) expect_clear(changed.error(), info.name + " " + shape_text(shape));
      }
    }
    Shape longer = info.shape;
    longer.push_back(2);
    const auto deeper = graph(list_.with(info.name, longer));
    if (!deeper) expect_clear(deeper.error(), info.name + " " + shape_text(longer));
  }
}

TEST_P(EachModel, TakesNoFurtherTensor) {
  const auto more = graph(TensorList(list_).add("further.weight", {4, 4}));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::unsupported);
  EXPECT_NE(more.error().detail.find("\"further.weight\""), std::string::npos);
}

TEST_P(EachModel, TakesNumbersOfItsConfigurationThatFit) {
  if (config_.is_null()) return;
  const std::vector<std::string> values = {"null",  "-1", "0",   "1.5", "1e300",           "18446744073709551615",
                                           "\"a\"", "[]", "[0]", "{}",  "[1e9, -1, \"\"]", "true"};
  std::vector<std::pair<std::string, std::string>> members;
  const Json::Object& inner =
      config_.get("model_args").as_object() ? *config_.get("model_args").as_object() : *config_.as_object();
  for (const auto& [key, value] : inner) members.emplace_back(key, write_json(value));
  for (const auto& [key, value] : members) {
    for (const std::string& other : values) {
      // The first of two members of the same name is an error or is taken, so the old one is replaced.
      Json config = Json::object(), arguments = Json::object();
      for (const auto& [name, old] : members) arguments.append(name, json_of(name == key ? other : old));
      if (config_.get("model_args").as_object()) {
        for (const auto& [name, old] : *config_.as_object()) {
          config.append(name, name == "model_args" ? arguments : json_of(write_json(old)));
        }
      } else {
        config = std::move(arguments);
      }
      const auto changed = read_graph(config, list_.tensors);
      if (!changed && key != "model_type" && key != "architecture") {
        expect_clear(changed.error(), key + ": " + other);
      }
    }
  }
}

TEST_P(EachModel, HasAPlanForImagesOfAnySizeOrSaysWhyNot) {
  const auto whole = graph(list_);
  ASSERT_TRUE(whole);
  for (const size_t height : {1, 2, 7, 31, 32, 64, 225}) {
    for (const size_t width : {1, 33, 224}) {
      const auto plan = plan_pass(*whole, height, width);
      if (!plan) {
        EXPECT_EQ(plan.error().code, Code::input) << plan.error().detail;
        continue;
      }
      for (const PlannedMap& map : *plan) {
        ASSERT_GT(map.height, 0u);
        ASSERT_GT(map.width, 0u);
      }
      EXPECT_EQ(plan->back().height * plan->back().width, 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EachModel, testing::ValuesIn(models()),
                         [](const auto& info) { return test::test_name(info.param); });

TEST(Families, OthersAreRejectedWithThoseThatAreSupported) {
  const auto of = [](std::string_view text) { return read_graph(json_of(text), {}).error(); };
  const Error timm = of(R"({"architecture": "mixer_b16_224"})"), type = of(R"({"model_type": "bert"})");
  EXPECT_EQ(timm.code, Code::unsupported);
  EXPECT_TRUE(timm.detail.starts_with("the architecture \"mixer_b16_224\" of timm; supported are mobilenetv2_,"));
  EXPECT_EQ(type.code, Code::unsupported);
  EXPECT_TRUE(type.detail.starts_with(
      "the model_type \"bert\" is not one of an image classifier; supported are mobilenet_v1, "));
  for (const char* const text : {"null", "{}", R"({"model_type": 3})", R"({"architecture": [], "model_type": null})"}) {
    EXPECT_EQ(of(text).detail, "the tensor names are not those of an image network that is known") << text;
  }
}

TEST(Families, AModelWithoutTensorsMissesTheFirst) {
  for (const char* const type :
       {"mobilenet_v1", "mobilenet_v2", "efficientnet", "resnet", "regnet", "convnext", "convnextv2", "vit", "deit",
        "dinov2", "dinov2_with_registers", "dinov3_vit", "swin"}) {
    const auto graph = read_graph(json_of(formatted("{\"model_type\": \"{}\"}", std::string_view(type))), {});
    ASSERT_FALSE(graph) << type;
    EXPECT_EQ(graph.error().code, Code::format) << type;
    EXPECT_EQ(graph.error().reason, Reason::missing) << type;
    EXPECT_FALSE(graph.error().tensor.empty()) << type;
  }
}

}  // namespace
}  // namespace quintet::vision
