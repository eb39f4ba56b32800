// Conversions of .weights files, against files that the fixtures' generator wrote from the same
// weights.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/formats/converting.h"
#include "tests/formats/plain_weights.h"

namespace quintet::test {
namespace {

File weights_fixture(const std::string& name) { return fixture("embd/" + name + ".weights"); }

constexpr std::string_view kKeep = R"({"to":"weights"})";

TEST(ConvertWeights, ACanonicalFileBecomesItself) {
  for (const char* name : {"f32", "f16", "bf16", "int8-row", "int8-group-16", "small", "long"}) {
    const File file = weights_fixture(name);
    for (const size_t chunk : {size_t{1000}, SIZE_MAX}) {
      const auto converted = convert(file, kKeep, {.chunk = chunk});
      ASSERT_TRUE(converted) << converted.error().detail;
      EXPECT_EQ(*converted, file) << name;
    }
  }
}

TEST(ConvertWeights, AnyFileReachesAFixedPointWithTheSameContent) {
  for (const char* name : {"mixed", "nochk", "unaligned"}) {
    const File file = weights_fixture(name);
    const auto first = convert(file, kKeep);
    ASSERT_TRUE(first);
    const auto second = convert(*first, kKeep);
    ASSERT_TRUE(second);
    EXPECT_EQ(*first, *second) << name;
    const auto before = read_file(file);
    const auto after = read_file(*first);
    EXPECT_EQ(before->data, after->data);
    EXPECT_EQ(write_json(before->description.metadata), write_json(after->description.metadata));
    EXPECT_EQ(after->description.flags, 7u);
    EXPECT_EQ(after->description.version_minor, 0);
  }
}

TEST(ConvertWeights, AnotherTypeIsWhatTheGeneratorWrites) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"to":"weights","quantize":"f16"})", "f16"},
      {R"({"to":"weights","quantize":"bf16"})", "bf16"},
      {R"({"to":"weights","quantize":"none"})", "f32"},
      {R"({"to":"weights","quantize":"int8-row"})", "int8-row"},
      {R"({"to":"weights","quantize":"int8-group","groupSize":16})", "int8-group-16"}};
  for (const auto& [options, expected] : cases) {
    const auto converted = convert(weights_fixture("f32"), options, {.chunk = 777});
    ASSERT_TRUE(converted) << converted.error().detail;
    EXPECT_EQ(*converted, weights_fixture(expected)) << expected;
  }
}

TEST(ConvertWeights, ChunksOfAnySizeGiveTheSameBytes) {
  const File file = weights_fixture("small");
  constexpr std::string_view kOptions = R"({"to":"weights","quantize":"int8-group","groupSize":4})";
  const auto whole = convert(file, kOptions);
  ASSERT_TRUE(whole);
  for (const size_t chunk : {1u, 2u, 3u, 5u, 31u, 33u, 64u, 100u, 4096u}) {
    for (const bool known : {true, false}) {
      const auto pieces = convert(file, kOptions, {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(pieces);
      EXPECT_EQ(*pieces, *whole) << chunk;
    }
  }
}

TEST(ConvertWeights, Int8BecomesTheProductsOfValuesAndScales) {
  for (const char* name : {"int8-row", "int8-group-16"}) {
    const auto converted = convert(weights_fixture(name), R"({"to":"weights","quantize":"none"})", {.chunk = 5000});
    ASSERT_TRUE(converted) << converted.error().detail;
    const PlainWeights before = read_plain_weights(weights_fixture(name));
    const PlainWeights after = read_plain_weights(*converted);
    EXPECT_FALSE(after.metadata.contains("quantization"));
    EXPECT_EQ(after.tensors.size(), 37u);
    for (const auto& [tensor, plain] : after.tensors) {
      const auto& stored = before.tensors.at(tensor);
      EXPECT_EQ(plain.dtype, 0);
      const auto scale = before.tensors.find(tensor + ".scale");
      for (size_t i = 0; i < plain.values.size(); ++i) {
        double expected = stored.values[i];
        if (scale != before.tensors.end()) {
          expected *= scale->second.values[i / (stored.values.size() / scale->second.values.size())];
        }
        ASSERT_EQ(plain.values[i], static_cast<double>(static_cast<float>(expected))) << tensor;
      }
    }
  }
}

TEST(ConvertWeights, Int8InOtherGroupsIsThatOfTheDequantizedModel) {
  constexpr std::string_view kGroups = R"({"to":"weights","quantize":"int8-group","groupSize":16})";
  const auto plain = convert(weights_fixture("int8-row"), R"({"to":"weights","quantize":"none"})");
  ASSERT_TRUE(plain);
  const auto direct = convert(weights_fixture("int8-row"), kGroups);
  ASSERT_TRUE(direct);
  EXPECT_EQ(*direct, *convert(*plain, kGroups));
}

TEST(ConvertWeights, MetadataIsReplacedAddedAndRemoved) {
  const auto converted =
      convert(weights_fixture("small"),
              R"({"to":"weights","metadata":{"model_name":"other","note":7,"created_at":"2030-01-01T00:00:00Z"}})");
  ASSERT_TRUE(converted);
  const auto metadata = read_plain_weights(*converted).metadata;
  EXPECT_EQ(metadata.at("model_name"), "other");
  EXPECT_EQ(metadata.at("note"), "7");
  EXPECT_EQ(metadata.at("created_at"), "2030-01-01T00:00:00Z");
  const auto removed = convert(*converted, R"({"to":"weights","metadata":{"note":null}})");
  ASSERT_TRUE(removed);
  EXPECT_FALSE(read_plain_weights(*removed).metadata.contains("note"));
}

TEST(ConvertWeights, AFlatFileGetsItsMetadataFromItsShapes) {
  const auto converted = convert(weights_fixture("flat"), R"({"to":"weights","metadata":{"num_attention_heads":"4",
      "model_name":"tiny-bert-public","created_at":"2025-01-16T12:00:00Z"}})",
                                 {.chunk = 999});
  ASSERT_TRUE(converted) << converted.error().detail;
  EXPECT_EQ(*converted, weights_fixture("f32"));
  const auto quantized = convert(weights_fixture("flat"), R"({"to":"weights","quantize":"int8-row","metadata":{
      "num_attention_heads":"4","model_name":"tiny-bert-public","created_at":"2025-01-16T12:00:00Z"}})");
  ASSERT_TRUE(quantized);
  EXPECT_EQ(*quantized, weights_fixture("int8-row"));
}

TEST(ConvertWeights, AFlatFileWithTransposedWeightsBecomesTheSame) {
  for (const char* quantize : {"none", "f16", "int8-row"}) {
    const std::string options = std::string(R"({"to":"weights","quantize":")") + quantize + R"("})";
    const auto expected = convert(weights_fixture("flat"), options);
    for (const size_t chunk : {size_t{777}, SIZE_MAX}) {
      const auto converted = convert(weights_fixture("flat-transposed"), options, {.chunk = chunk});
      ASSERT_TRUE(converted) << converted.error().detail;
      EXPECT_EQ(*converted, *expected) << quantize;
    }
  }
}

TEST(ConvertWeights, RejectsUnsupportedConversions) {
  const File small = weights_fixture("small");
  const std::pair<const char*, Code> cases[] = {
      {R"({"to":"amb"})", Code::unsupported},
      {R"({"to":"weights","quantize":"int4"})", Code::unsupported},
      {R"({"to":"weights","quantize":"int8-group","groupSize":0})", Code::input},
      {R"({"to":"weights","quantize":"int8-group","groupSize":3})", Code::input},
      {R"({"to":"weights","groupSize":16})", Code::input},
      {R"({"to":"weights","scaleType":"fp16"})", Code::input},
      {R"({"to":"weights","metadata":{"a":[]}})", Code::input},
      {R"({"to":"weights","metadata":{"model_name":null}})", Code::input},
      {R"({"to":"weights","metadata":{"hidden_size":"16"}})", Code::input},
      {R"([])", Code::input}};
  for (const auto& [options, code] : cases) {
    const auto converted = convert(small, options);
    ASSERT_FALSE(converted) << options;
    EXPECT_EQ(converted.error().code, code) << options;
  }
}

TEST(ConvertWeights, AFileThatEndsEarlyIsAnError) {
  File cut = weights_fixture("small");
  cut.resize(5000);
  for (const bool known : {true, false}) {
    const auto converted = convert(cut, kKeep, {.chunk = 100, .length_known = known});
    ASSERT_FALSE(converted);
    EXPECT_EQ(converted.error().reason, Reason::truncated);
    EXPECT_EQ(converted.error().format, "weights");
  }
}

TEST(ConvertWeights, ProgressCountsTensors) {
  Converter converter(*read_convert_options(kKeep));
  const File file = weights_fixture("small");
  ASSERT_TRUE(converter.begin_file("", file.size(), false));
  ASSERT_TRUE(converter.feed(file));
  ASSERT_FALSE(*converter.end_file());
  ASSERT_TRUE(converter.plan());
  size_t done = 0;
  while (const auto range = converter.next_range()) {
    ASSERT_TRUE(converter.feed(Bytes(file).subspan(range->offset, range->bytes)));
    EXPECT_EQ(converter.progress().done, done++);
  }
  ASSERT_TRUE(converter.finish());
  EXPECT_EQ(converter.progress().done, 21u);
  EXPECT_EQ(converter.progress().total, 21u);
}

TEST(ConvertWeights, AFileWithChecksumsIsReadOnceMore) {
  Converter converter(*read_convert_options(kKeep));
  File file = weights_fixture("small");
  file[file.size() - 20] ^= std::byte{1};  // a bit of the last tensor
  ASSERT_TRUE(converter.begin_file("", file.size(), true));
  ASSERT_TRUE(converter.feed(Bytes(file).first(4000)));
  while (converter.position() < file.size()) ASSERT_TRUE(converter.feed(Bytes(file).subspan(converter.position())));
  ASSERT_TRUE(*converter.end_file());
  const auto converted = convert(file, kKeep);
  ASSERT_FALSE(converted);
  EXPECT_EQ(converted.error().reason, Reason::checksum);
}

}  // namespace
}  // namespace quintet::test
