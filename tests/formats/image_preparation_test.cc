// preprocessor_config.json of transformers and pretrained_cfg of timm.

#include <gtest/gtest.h>

#include "formats/huggingface/image_preparation.h"

namespace quintet::huggingface {
namespace {

using Kind = Scaling::Kind;

Result<Preparation> read(std::string_view text, std::string_view model_type = {}) {
  const auto json = parse_json(text);
  EXPECT_TRUE(json) << text;
  return read_preprocessor_config(*json, model_type);
}

Result<Preparation> read_timm(std::string_view text) {
  const auto json = parse_json(text);
  EXPECT_TRUE(json) << text;
  return read_pretrained_cfg(*json);
}

Preparation of_class(std::string_view name, std::string_view fields = "") {
  auto preparation = read(formatted(R"({"image_processor_type": "{}ImageProcessor"{}})", name, fields));
  EXPECT_TRUE(preparation) << name << ": " << preparation.error().detail;
  return preparation ? *preparation : Preparation();
}

void expect_scaling(const Preparation& preparation, Kind kind, ImageSize size) {
  EXPECT_EQ(preparation.scaling.kind, kind);
  EXPECT_EQ(preparation.scaling.size, size);
}

void expect_crop(const Preparation& preparation, ImageSize size) {
  ASSERT_TRUE(preparation.crop);
  EXPECT_EQ(preparation.crop->size, size);
  EXPECT_EQ(preparation.crop->centering, Crop::Centering::down);
  EXPECT_TRUE(preparation.crop->pads);
}

TEST(PreprocessorConfig, TakesDefaultsFromTheClass) {
  struct Case {
    std::string_view name;
    Kind kind;
    uint32_t size;
    ResizeFilter filter;
    uint32_t crop;  // 0: none
    float mean;     // of red
  };
  for (const Case& c : {
           Case{"ViT", Kind::exact, 224, ResizeFilter::bilinear, 0, 0.5F},
           Case{"DeiT", Kind::exact, 256, ResizeFilter::bicubic, 224, 0.5F},
           Case{"ConvNext", Kind::exact, 384, ResizeFilter::bilinear, 0, 0.5F},
           Case{"MobileNetV1", Kind::shorter_side, 256, ResizeFilter::bilinear, 224, 0.5F},
           Case{"MobileNetV2", Kind::shorter_side, 256, ResizeFilter::bilinear, 224, 0.5F},
           Case{"EfficientNet", Kind::exact, 346, ResizeFilter::nearest, 0, 0.5F},
           Case{"CLIP", Kind::shorter_side, 224, ResizeFilter::bicubic, 224, 0.48145466F},
           Case{"Siglip", Kind::exact, 224, ResizeFilter::bicubic, 0, 0.5F},
           Case{"Bit", Kind::shorter_side, 224, ResizeFilter::bicubic, 224, 0.48145466F},
       }) {
    SCOPED_TRACE(c.name);
    const Preparation preparation = of_class(c.name);
    expect_scaling(preparation, c.kind, {c.size, c.size});
    EXPECT_EQ(preparation.filter, c.filter);
    EXPECT_EQ(preparation.crop.has_value(), c.crop != 0);
    if (preparation.crop) expect_crop(preparation, {c.crop, c.crop});
    EXPECT_EQ(preparation.mean[0], c.mean);
    EXPECT_EQ(preparation.rescale_factor, 1.0 / 255);
    EXPECT_EQ(preparation.rescale_offset, 0);
    EXPECT_EQ(preparation.divides_twice, c.name == "EfficientNet");
  }
}

TEST(PreprocessorConfig, KnowsTheClassByEachOfItsNames) {
  for (const std::string_view text : {
           R"({"image_processor_type": "CLIPImageProcessor"})",
           R"({"image_processor_type": "CLIPImageProcessorFast"})",
           R"({"image_processor_type": "CLIPImageProcessorPil"})",
           R"({"image_processor_type": "CLIPFeatureExtractor"})",
           R"({"feature_extractor_type": "CLIPFeatureExtractor"})",
           R"({"image_processor_type": "CLIPImageProcessor", "feature_extractor_type": "ViTFeatureExtractor"})",
       }) {
    const auto preparation = read(text, "vit");
    ASSERT_TRUE(preparation) << text;
    EXPECT_EQ(preparation->scaling.kind, Kind::shorter_side) << text;
  }
}

TEST(PreprocessorConfig, KnowsTheClassByTheModelWhereItIsNotNamed) {
  EXPECT_EQ(read("{}", "clip")->filter, ResizeFilter::bicubic);
  EXPECT_EQ(read(R"({"size": 224})", "regnet")->scaling.size, (ImageSize{256, 256}));
  EXPECT_EQ(read("{}", "swin")->filter, ResizeFilter::bilinear);
  expect_scaling(*read(R"({"size": 32})", "unheard_of"), Kind::exact, {32, 32});
}

TEST(PreprocessorConfig, ReadsSizes) {
  expect_scaling(of_class("ViT", R"(, "size": 32)"), Kind::exact, {32, 32});
  expect_scaling(of_class("CLIP", R"(, "size": 32)"), Kind::shorter_side, {32, 32});
  expect_scaling(of_class("CLIP", R"(, "size": 32, "default_to_square": true)"), Kind::exact, {32, 32});
  expect_scaling(of_class("Bit", R"(, "size": {"height": 3, "width": 4})"), Kind::exact, {3, 4});
  const Preparation limited = of_class("CLIP", R"(, "size": {"shortest_edge": 30, "longest_edge": 40})");
  expect_scaling(limited, Kind::shorter_side, {30, 30});
  EXPECT_EQ(limited.scaling.longest, 40);
  expect_scaling(of_class("CLIP", R"(, "size": {"shortest_edge": 30, "longest_edge": null})"), Kind::shorter_side,
                 {30, 30});
  expect_crop(of_class("CLIP", R"(, "crop_size": 20)"), {20, 20});
  expect_crop(of_class("CLIP", R"(, "crop_size": {"height": 20, "width": 30})"), {20, 30});
  expect_crop(of_class("EfficientNet", R"(, "do_center_crop": true)"), {289, 289});
  EXPECT_FALSE(of_class("CLIP", R"(, "do_center_crop": false, "crop_size": 20)").crop);
  expect_scaling(of_class("CLIP", R"(, "do_resize": false)"), Kind::none, {});
  EXPECT_EQ(of_class("CLIP", R"(, "resample": 1)").filter, ResizeFilter::lanczos);
}

TEST(PreprocessorConfig, ConvNextCropsBelow384AndSquashesFromThere) {
  const Preparation below = of_class("ConvNext", R"(, "size": {"shortest_edge": 383}, "crop_pct": 0.9)");
  expect_scaling(below, Kind::shorter_side, {425, 425});  // 425.6
  expect_crop(below, {383, 383});
  const Preparation whole = of_class("ConvNext", R"(, "size": 384, "crop_pct": 0.9)");
  expect_scaling(whole, Kind::exact, {384, 384});
  EXPECT_FALSE(whole.crop);
  const Preparation untouched = of_class("ConvNext", R"(, "size": 224, "do_resize": false)");
  expect_scaling(untouched, Kind::none, {});
  EXPECT_FALSE(untouched.crop);
}

TEST(PreprocessorConfig, ReadsTheNormalizationOfSamples) {
  const Preparation scaled = of_class("ViT", R"(, "rescale_factor": 0.5, "image_mean": 3, "image_std": [2, 4, 8])");
  EXPECT_EQ(scaled.rescale_factor, 0.5);
  EXPECT_EQ(scaled.mean, (std::array<float, 3>{3, 3, 3}));
  EXPECT_EQ(scaled.standard_deviation, (std::array<float, 3>{2, 4, 8}));
  EXPECT_EQ(of_class("ViT", R"(, "do_rescale": false)").rescale_factor, 1);
  const Preparation raw = of_class("ViT", R"(, "do_normalize": false)");
  EXPECT_EQ(raw.mean, (std::array<float, 3>{}));
  EXPECT_EQ(raw.standard_deviation, (std::array<float, 3>{1, 1, 1}));

  EXPECT_EQ(of_class("EfficientNet", R"(, "rescale_offset": true)").rescale_offset, 1);
  EXPECT_FALSE(of_class("EfficientNet", R"(, "include_top": false)").divides_twice);
  const Preparation once = of_class("EfficientNet", R"(, "do_normalize": false, "image_std": 0.25)");
  EXPECT_FALSE(once.divides_twice);
  EXPECT_EQ(once.mean[0], 0);
  EXPECT_EQ(once.standard_deviation[0], 0.25);
}

TEST(PreprocessorConfig, TakesNullForAbsent) {
  const Preparation preparation =
      of_class("CLIP", R"(, "size": null, "do_center_crop": null, "crop_size": null, "resample": null, "device": null,
                            "do_convert_rgb": null, "image_mean": null, "rescale_factor": null, "pad_size": null)");
  expect_scaling(preparation, Kind::shorter_side, {224, 224});
  expect_crop(preparation, {224, 224});
}

TEST(PreprocessorConfig, RejectsWrongValuesByName) {
  for (const std::string_view field : {
           R"("image_processor_type": 3)",
           R"("size": 0)",
           R"("size": -1)",
           R"("size": 4097)",
           R"("size": 1.5)",
           R"("size": 1e300)",
           R"("size": "224")",
           R"("size": {})",
           R"("size": {"height": 3})",
           R"("size": {"height": 3, "width": 0})",
           R"("size": {"longest_edge": 3})",
           R"("size": {"shortest_edge": 3, "height": 3})",
           R"("size": {"max_height": 3, "max_width": 3})",
           R"("size": [3, 3])",
           R"("do_resize": 1)",
           R"("do_center_crop": "yes")",
           R"("resample": 6)",
           R"("resample": "bicubic")",
           R"("resample": -1)",
           R"("do_rescale": [])",
           R"("rescale_factor": 0)",
           R"("rescale_factor": -1)",
           R"("rescale_factor": 1e300)",
           R"("rescale_factor": true)",
           R"("image_mean": [1, 2])",
           R"("image_mean": [1, 2, "3"])",
           R"("image_mean": 1e39)",
           R"("image_mean": {})",
           R"("image_std": 0)",
           R"("image_std": [1, 1, -1])",
           R"("image_std": 1e-60)",
           R"("do_normalize": 0)",
       }) {
    const auto preparation = read(formatted("{{}}", field));
    ASSERT_FALSE(preparation) << field;
    const Error& error = preparation.error();
    EXPECT_EQ(error.code, Code::format) << field;
    const std::string_view key = field.substr(1, field.find('"', 1) - 1);
    EXPECT_TRUE(error.detail.starts_with(formatted("preprocessor_config.json: {} is ", key))) << error.detail;
    EXPECT_NE(error.detail.find("expected"), std::string::npos) << error.detail;
  }
  EXPECT_EQ(read("[]").error().code, Code::format);
}

TEST(PreprocessorConfig, RejectsWrongValuesOfAClass) {
  const auto refused = [](std::string_view name, std::string_view fields) {
    const auto preparation = read(formatted(R"({"image_processor_type": "{}ImageProcessor", {}})", name, fields));
    EXPECT_FALSE(preparation) << fields;
    return preparation ? Code::internal : preparation.error().code;
  };
  EXPECT_EQ(refused("CLIP", R"("crop_size": {"shortest_edge": 3})"), Code::format);
  EXPECT_EQ(refused("ViT", R"("do_center_crop": true)"), Code::format);  // has no default of its size
  EXPECT_EQ(refused("ConvNext", R"("size": {"height": 224, "width": 224})"), Code::format);
  EXPECT_EQ(refused("ConvNext", R"("size": {"shortest_edge": 224, "longest_edge": 300})"), Code::format);
  EXPECT_EQ(refused("ConvNext", R"("size": 224, "crop_pct": 0)"), Code::format);
  EXPECT_EQ(refused("ConvNext", R"("size": 224, "crop_pct": 0.001)"), Code::format);
  EXPECT_EQ(refused("ConvNext", R"("size": 224, "crop_pct": 300)"), Code::format);
  EXPECT_EQ(refused("EfficientNet", R"("include_top": 1)"), Code::format);
}

TEST(PreprocessorConfig, RejectsUnknownFields) {
  for (const std::string_view text : {
           R"({"image_processor_type": "Siglip2ImageProcessor"})",
           R"({"image_processor_type": "ViT"})",
           R"({"image_processor_type": ""})",
           R"({"image_processor_type": "ViTImageProcessor", "do_pad": true})",
           R"({"image_processor_type": "ViTImageProcessor", "crop_pct": 0.9})",
           R"({"image_processor_type": "CLIPImageProcessor", "include_top": true})",
       }) {
    const auto preparation = read(text);
    ASSERT_FALSE(preparation) << text;
    EXPECT_EQ(preparation.error().code, Code::unsupported) << text;
  }
  EXPECT_TRUE(read(R"({"do_pad": false, "_processor_class": "CLIPProcessor", "auto_map": {"AutoProcessor": "x"}})"));
}

TEST(PretrainedCfg, ReadsTheModesOfCropping) {
  const auto read_mode = [](std::string_view mode) {
    return *read_timm(formatted(
        R"({"pretrained_cfg": {"input_size": [3, 40, 30], "crop_pct": 0.9, "crop_mode": "{}", "mean": [0.5, 0.1, 2]}})",
        mode));
  };
  const ImageSize scaled = {44, 33};
  for (const auto& [mode, kind] : {std::pair("center", Kind::cover), {"squash", Kind::exact}, {"border", Kind::fit}}) {
    const Preparation preparation = read_mode(mode);
    expect_scaling(preparation, kind, scaled);
    EXPECT_EQ(preparation.fixed_size(), (ImageSize{40, 30}));
    EXPECT_EQ(preparation.crop->centering, Crop::Centering::half_to_even);
    EXPECT_TRUE(preparation.crop->pads);
  }
  EXPECT_EQ(read_mode("center").crop->border, (std::array<uint8_t, 3>{}));
  EXPECT_EQ(read_mode("border").crop->border, (std::array<uint8_t, 3>{128, 26, 255}));  // 127.5 and 25.5 to the even
}

TEST(PretrainedCfg, TakesDefaultsFromTimm) {
  const auto preparation = read_timm("{}");
  ASSERT_TRUE(preparation);
  expect_scaling(*preparation, Kind::shorter_side, {256, 256});
  EXPECT_EQ(preparation->fixed_size(), (ImageSize{224, 224}));
  EXPECT_EQ(preparation->filter, ResizeFilter::bicubic);
  EXPECT_EQ(preparation->mean[0], 0.485F);
  EXPECT_EQ(preparation->standard_deviation[2], 0.225F);
}

TEST(PretrainedCfg, ReadsOlderFilesAndIgnoresSizesForTests) {
  const auto preparation = read_timm(
      R"({"architecture": "resnet18", "input_size": [3, 32, 32], "crop_pct": 1, "interpolation": "bilinear",
          "test_input_size": [3, 64, 64], "test_crop_pct": 0.5, "mean": [0.5], "std": [0.25]})");
  ASSERT_TRUE(preparation);
  expect_scaling(*preparation, Kind::shorter_side, {32, 32});
  EXPECT_EQ(preparation->filter, ResizeFilter::bilinear);
  EXPECT_EQ(preparation->mean[2], 0.5);
  EXPECT_EQ(preparation->standard_deviation[2], 0.25);
}

TEST(PretrainedCfg, RejectsWrongValuesByName) {
  for (const std::string_view field : {
           R"("input_size": 224)",
           R"("input_size": [224, 224])",
           R"("input_size": [1, 224, 224])",
           R"("input_size": [3, 0, 224])",
           R"("input_size": [3, 224, 4097])",
           R"("input_size": [3, 224, 2.5])",
           R"("crop_pct": 0)",
           R"("crop_pct": -1)",
           R"("crop_pct": 1e-9)",
           R"("crop_pct": 300)",
           R"("crop_pct": "1")",
           R"("crop_mode": "random")",
           R"("crop_mode": 1)",
           R"("interpolation": "random")",
           R"("interpolation": 3)",
           R"("mean": [1, 2, 3, 4])",
           R"("mean": "imagenet")",
           R"("std": [0, 1, 1])",
           R"("std": [1, 1])",
       }) {
    const auto preparation = read_timm(formatted(R"({"pretrained_cfg": {{}}})", field));
    ASSERT_FALSE(preparation) << field;
    const std::string_view key = field.substr(1, field.find('"', 1) - 1);
    EXPECT_TRUE(preparation.error().detail.starts_with(formatted("config.json: pretrained_cfg: {} is ", key)))
        << preparation.error().detail;
  }
  EXPECT_FALSE(read_timm(R"({"pretrained_cfg": []})"));
  EXPECT_FALSE(read_timm(R"([])"));
  EXPECT_EQ(read_timm(R"({"crop_mode": "random"})").error().code, Code::unsupported);
}

}  // namespace
}  // namespace quintet::huggingface
