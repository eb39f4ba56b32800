// The towers of the models in tests/fixtures/vision, whole and with one tensor or number changed.

#include "architectures/vision/towers.h"

#include <gtest/gtest.h>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/unit/architectures/vision/tensor_list.h"

namespace quintet::vision {
namespace {

using test::fixture;

struct Model {
  std::string folder;
  const char* family;
  uint32_t dimension, max_tokens;
  bool is_pairwise;
};
constexpr const char* kOfEveryText = "text_model.encoder.layers.0.mlp.fc1.weight";
constexpr const char* kOfEveryImage = "vision_model.encoder.layers.0.mlp.fc1.weight";

class EachTowers : public testing::TestWithParam<Model> {
 protected:
  void SetUp() override {
    const std::string folder = "vision/" + GetParam().folder + "/";
    const auto read = test::read_file(fixture(folder + "model.safetensors"), {.format = Format::safetensors});
    ASSERT_TRUE(read) << read.error().detail;
    list_.tensors = read->description.tensors;
    config_ = test::json_fixture(folder + "config.json");
  }
  Result<Towers> towers(const TensorList& list, TowerChoice choice = TowerChoice::both) const {
    return read_towers(config_, list.tensors, choice);
  }

  TensorList list_;
  Json config_;
};

TEST_P(EachTowers, MapImagesAndTextsToTheSameSpace) {
  const auto both = towers(list_);
  ASSERT_TRUE(both) << both.error().detail;
  ASSERT_TRUE(both->image && both->text);
  EXPECT_EQ(both->is_pairwise, GetParam().is_pairwise);
  EXPECT_EQ(both->fills_texts, GetParam().is_pairwise);
  for (const Graph* const graph : {&*both->image, &*both->text}) {
    EXPECT_EQ(graph->family, GetParam().family);
    EXPECT_EQ(graph->classes, 0u);
    EXPECT_EQ(graph->nodes[graph->features].channels, GetParam().dimension);
  }
  EXPECT_EQ(both->image->input_channels(), 3u);
  EXPECT_EQ(both->image->input_size, 40u);
  EXPECT_FALSE(both->image->reads_text());
  EXPECT_EQ(both->text->input_channels(), 1u);
  EXPECT_EQ(both->text->input_size, GetParam().max_tokens);
  EXPECT_TRUE(both->text->reads_text());
}

TEST_P(EachTowers, WorkAlone) {
  // Missing parts of the other tower do not matter.
  const auto image = towers(list_.without(kOfEveryText), TowerChoice::image);
  ASSERT_TRUE(image) << image.error().detail;
  EXPECT_TRUE(image->image && !image->text);
  const auto text = towers(list_.without(kOfEveryImage), TowerChoice::text);
  ASSERT_TRUE(text) << text.error().detail;
  EXPECT_TRUE(text->text && !text->image);
  EXPECT_EQ(towers(list_.without(kOfEveryText)).error().tensor, kOfEveryText);
  EXPECT_EQ(towers(list_.without(kOfEveryImage)).error().tensor, kOfEveryImage);
}

TEST_P(EachTowers, NeedEachTensorInItsShape) {
  for (const TensorInfo& info : list_.tensors) {
    const bool is_optional =
        info.name.ends_with("bias") || info.name.ends_with("position_ids") || info.name == "logit_scale";
    const auto rest = towers(list_.without(info.name));
    const auto names_tensor = [](const Error& error) {
      return !error.tensor.empty() || error.detail.find("tensor \"") != std::string::npos;
    };
    EXPECT_TRUE(rest.has_value() || names_tensor(rest.error())) << info.name;
    EXPECT_TRUE(!rest.has_value() || is_optional) << info.name;
    Shape longer = info.shape;
    longer.push_back(2);
    const auto deeper = towers(list_.with(info.name, longer));
    if (!deeper) {
      EXPECT_EQ(deeper.error().code, Code::format) << info.name << ": " << deeper.error().detail;
    }
  }
}

TEST_P(EachTowers, TakeNoFurtherTensor) {
  const auto more = towers(TensorList(list_).add("further.weight", {4, 4}));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::unsupported);
  EXPECT_NE(more.error().detail.find("\"further.weight\""), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Families, EachTowers,
                         testing::Values(Model{"clip-hf-sparse", "CLIP", 20, 24, false},
                                         Model{"siglip-hf", "SigLIP", 24, 64, true}),
                         [](const auto& info) { return test::test_name(info.param.folder); });

Json json_of(std::string_view text) { return *parse_json(text); }

TEST(Towers, OfImagesAloneHaveNoText) {
  const Json config = test::json_fixture("vision/dinov2-hf/config.json");
  const auto read = test::read_file(fixture("vision/dinov2-hf/model.safetensors"), {.format = Format::safetensors});
  ASSERT_TRUE(read);
  const auto& tensors = read->description.tensors;
  for (const TowerChoice choice : {TowerChoice::both, TowerChoice::image}) {
    const auto towers = read_towers(config, tensors, choice);
    ASSERT_TRUE(towers) << towers.error().detail;
    EXPECT_TRUE(towers->image && !towers->text);
    EXPECT_EQ(towers->image->nodes[towers->image->features].channels, 24u);
  }
  const auto text = read_towers(config, tensors, TowerChoice::text);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, Code::unsupported);
  EXPECT_EQ(text.error().detail, "DINOv2 has no text tower");
}

TEST(Towers, AModelMayHaveOneTower) {
  const auto of = [](std::string_view type, TowerChoice choice) {
    return read_towers(json_of(formatted("{\"model_type\": \"{}\"}", type)), {}, choice).error();
  };
  for (const std::string_view type : {"clip_vision_model", "siglip_vision_model"}) {
    EXPECT_EQ(of(type, TowerChoice::text).code, Code::unsupported) << type;
    EXPECT_EQ(of(type, TowerChoice::both).reason, Reason::missing) << type;  // the first tensor
  }
  for (const std::string_view type : {"clip_text_model", "siglip_text_model"}) {
    EXPECT_EQ(of(type, TowerChoice::image).code, Code::unsupported) << type;
    EXPECT_EQ(of(type, TowerChoice::both).reason, Reason::missing) << type;
  }
}

TEST(Towers, HaveAnEndTokenUnlessTheFileIsOlder) {
  const auto read =
      test::read_file(fixture("vision/clip-hf-sparse/model.safetensors"), {.format = Format::safetensors});
  ASSERT_TRUE(read);
  const auto end_of = [&](std::string_view member) {
    const Json config =
        json_of(formatted("{\"model_type\": \"clip\", \"vision_config\": {\"num_attention_heads\": 4}, "
                          "\"text_config\": {\"num_attention_heads\": 3{}}}",
                          member));
    return read_towers(config, read->description.tensors, TowerChoice::both);
  };
  EXPECT_EQ(end_of(R"(, "eos_token_id": 733)")->end_token, 733u);
  EXPECT_EQ(end_of("")->end_token, 49407u);
  EXPECT_EQ(end_of(R"(, "eos_token_id": 2)")->end_token, std::nullopt);
  for (const std::string_view wrong : {"-1", "\"a\"", "4294967296", "1.5", "[2]"}) {
    const auto towers = end_of(formatted(", \"eos_token_id\": {}", wrong));
    ASSERT_FALSE(towers) << wrong;
    EXPECT_EQ(towers.error().code, Code::format) << wrong;
  }
}

}  // namespace
}  // namespace quintet::vision
