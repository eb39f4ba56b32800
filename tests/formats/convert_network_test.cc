// Conversions of ResNets to tinyRuntime, read back by the plain reader.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/formats/converting.h"
#include "tests/formats/plain_tinyruntime.h"
#include "tests/golden/resnet_fixture.h"

namespace quintet::test {
namespace {

File network(const char* name) { return fixture("tinyruntime/" + std::string(name) + ".bin"); }

std::map<std::string, std::vector<float>> plain_values(const File& file, const char* kind, const char* architecture) {
  std::map<std::string, std::vector<float>> values;
  for (auto& tensor : plain_tinyruntime(file, kind, architecture)) values[tensor.name] = tensor.values;
  return values;
}

// Converts and, for static quantization, calibrates.
Result<File> quantized(const NamedFiles& files, std::string_view options, uint32_t images = 4) {
  QUINTET_TRY(ConvertOptions read, read_convert_options(options));
  Converter converter(std::move(read));
  for (const auto& [name, bytes] : files) {
    QUINTET_CHECK(converter.begin_file(name, bytes.size(), false));
    QUINTET_CHECK(converter.feed(bytes));
    QUINTET_CHECK(converter.end_file());
  }
  QUINTET_CHECK(converter.plan());
  while (const auto range = converter.next_range()) {
    QUINTET_CHECK(converter.feed(Bytes(files[range->file].second).subspan(range->offset, range->bytes)));
  }
  if (converter.wants_calibration()) {
    constexpr uint32_t kSide = 64;
    for (uint32_t i = 0; i < images; ++i) {
      QUINTET_CHECK(converter.calibrate(generated_input(i + 1, 3 * kSide * kSide), kSide, kSide));
    }
  }
  QUINTET_CHECK(converter.finish());
  return converter.take();
}

TEST(ConvertNetwork, EveryKindBecomesItself) {
  for (const char* name : {"small-vanilla", "small-dq", "small-sq", "r18-dq-asym", "r50-sq"}) {
    const auto copy = convert(network(name), R"({"to":"tinyruntime"})", {.chunk = 1000});
    ASSERT_TRUE(copy) << name << copy.error().detail;
    EXPECT_EQ(*copy, network(name)) << name;
  }
}

TEST(ConvertNetwork, GroupsAreWithinHalfAStep) {
  const File source = network("small-vanilla");
  const auto exact = plain_values(source, "vanilla", "ResNet-18");
  for (const char* options : {R"({"to":"tinyruntime","quantize":"dq8","groupSize":16})",
                              R"({"to":"tinyruntime","quantize":"dq8-symmetric"})"}) {
    const auto file = quantized({{"", source}}, options);
    ASSERT_TRUE(file) << file.error().detail;
    for (const auto& [name, values] : plain_values(*file, "dq8", "ResNet-18")) {
      const std::vector<float>& before = exact.at(name);
      float low = 0, high = 0;
      for (const float value : before) low = std::min(low, value), high = std::max(high, value);
      const float step = std::max((high - low) / 255, std::max(high, -low) / 127);
      // A bias is a group by itself: a multiple of the scale of constant groups.
      const float allowed = name.ends_with(".bias") ? 0.51e-4F : step * 0.51F + 1e-4F;
      for (size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], before[i], allowed) << name;
    }
  }
}

TEST(ConvertNetwork, DequantizedFilesHoldTheirValues) {
  for (const auto& [name, kind] : {std::pair("small-dq", "dq8"), std::pair("small-sq", "sq8")}) {
    const auto file = quantized({{"", network(name)}}, R"({"to":"tinyruntime","quantize":"none"})");
    ASSERT_TRUE(file) << file.error().detail;
    EXPECT_EQ(plain_values(*file, "vanilla", "ResNet-18"), plain_values(network(name), kind, "ResNet-18"));
  }
}

TEST(ConvertNetwork, StaticQuantizationKeepsWhatTheNetworkSays) {
  const File source = network("r18-plain-vanilla");
  const auto exact = plain_values(source, "vanilla", "ResNet-18");
  for (const char* options : {R"({"to":"tinyruntime","quantize":"sq8"})",
                              R"({"to":"tinyruntime","quantize":"sq8","observer":"histogram"})"}) {
    const auto file = quantized({{"", source}}, options);
    ASSERT_TRUE(file) << file.error().detail;
    const auto values = plain_values(*file, "sq8", "ResNet-18");
    ASSERT_EQ(values.size(), exact.size());
    for (const auto& [name, tensor] : values) {
      if (!name.ends_with(".weight")) continue;
      float largest = 0;
      for (const float value : exact.at(name)) largest = std::max(largest, std::fabs(value));
      for (size_t i = 0; i < tensor.size(); ++i)
        ASSERT_NEAR(tensor[i], exact.at(name)[i], largest / 127 * 0.51F) << name;
    }
  }
  const auto without = quantized({{"", source}}, R"({"to":"tinyruntime","quantize":"sq8"})", 0);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, Code::input);
}

}  // namespace
}  // namespace quintet::test
