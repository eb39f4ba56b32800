// Reading GGUF files, compared with the content that the tests' own writer has put into them.

#include "formats/gguf/reader.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <chrono>
#include <cmath>

#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

ReadFile read(const File& file, const Reading& how = {}) {
  auto result = read_file(file, how);
  EXPECT_TRUE(result) << (result ? "" : result.error().detail);
  return result ? std::move(*result) : ReadFile();
}

TEST(GgufReader, ShowsMetadataOfEveryTypeInTheFilesOrder) {
  GgufBuilder builder;
  builder.value("a.u8", kGgufU8, GgufBytes().number(uint8_t{255}))
      .value("a.i8", kGgufI8, GgufBytes().number(int8_t{-128}))
      .value("a.u16", kGgufU16, GgufBytes().number(uint16_t{65535}))
      .value("a.i16", kGgufI16, GgufBytes().number(int16_t{-32768}))
      .value("a.u32", kGgufU32, GgufBytes().number(uint32_t{4294967295}))
      .value("a.i32", kGgufI32, GgufBytes().number(int32_t{-2147483647}))
      .value("a.f32", kGgufF32, GgufBytes().number(0.1F))
      .value("a.no", kGgufBool, GgufBytes().number(uint8_t{0}))
      .value("a.yes", kGgufBool, GgufBytes().number(uint8_t{1}))
      .text("a.text", "h\xC3\xA9\"")
      .value("a.u64", kGgufU64, GgufBytes().number(uint64_t{18446744073709551615u}))
      .value("a.i64", kGgufI64, GgufBytes().number(int64_t{-9007199254740993}))
      .value("a.f64", kGgufF64, GgufBytes().number(0.1));
  const ReadFile file = read(builder.build());
  EXPECT_EQ(write_json(file.description.metadata),
            "{\"a.u8\":255,\"a.i8\":-128,\"a.u16\":65535,\"a.i16\":-32768,\"a.u32\":4294967295,\"a.i32\":-2147483647,"
            "\"a.f32\":0.10000000149011612,\"a.no\":false,\"a.yes\":true,\"a.text\":\"h\xC3\xA9\\\"\","
            "\"a.u64\":18446744073709551615,\"a.i64\":-9007199254740993,\"a.f64\":0.1}");
}

TEST(GgufReader, ShowsArrays) {
  const auto bools = GgufBytes().number(uint32_t{kGgufBool}).number(uint64_t{2}).number(uint8_t{1}).number(uint8_t{0});
  GgufBytes nested;
  nested.number(uint32_t{kGgufArray}).number(uint64_t{2}).raw(as_text(bools.bytes));
  nested.number(uint32_t{kGgufU16}).number(uint64_t{1}).number(uint16_t{7});
  GgufBuilder builder;
  builder.ints("ints", {1, -2}).strings("strings", {"", "x"}).floats("none", {}).value("nested", kGgufArray, nested);
  EXPECT_EQ(write_json(read(builder.build()).description.metadata),
            "{\"ints\":[1,-2],\"strings\":[\"\",\"x\"],\"none\":[],\"nested\":[[true,false],[7]]}");
}

TEST(GgufReader, SumsUpLongArrays) {
  GgufBuilder builder;
  builder.ints("listed", std::vector<int32_t>(1024, 5)).ints("long", std::vector<int32_t>(1025, 5));
  builder.strings("long.strings", std::vector<std::string>(2000, "x")).floats("tokenizer.ggml.scores", {});
  const File bytes = builder.build();
  for (const bool seekable : {true, false}) {
    const Json metadata = read(bytes, {.chunk = 100, .seekable = seekable}).description.metadata;
    EXPECT_EQ(metadata.find("listed")->as_array()->size(), 1024);
    EXPECT_EQ(write_json(*metadata.find("long")), "{\"array_of\":\"int32\",\"length\":1025}");
    EXPECT_EQ(write_json(*metadata.find("long.strings")), "{\"array_of\":\"string\",\"length\":2000}");
    EXPECT_EQ(write_json(*metadata.find("tokenizer.ggml.scores")), "{\"array_of\":\"float32\",\"length\":0}");
  }
}

TEST(GgufReader, ShowsTheFilesFacts) {
  for (const uint32_t version : {2u, 3u}) {
    GgufBuilder builder = tiny_gguf_llama();
    builder.version = version;
    const File bytes = builder.build();
    const ModelDescription description = read(bytes).description;
    EXPECT_EQ(description.format, Format::gguf);
    EXPECT_EQ(description.kind, "GGUF");
    EXPECT_EQ(description.version_major, version);
    EXPECT_EQ(description.file_size, bytes.size());
    EXPECT_EQ(description.architecture, "llama");
    EXPECT_EQ(description.tensors.size(), 11);
  }
}

struct TypeCase {
  uint32_t number;
  const char* name;
  size_t block, block_bytes;  // of the specification
};
constexpr std::array<TypeCase, 30> kTypes = {
    {{0, "F32", 1, 4},        {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},    {3, "Q4_1", 32, 20},
     {6, "Q5_0", 32, 22},     {7, "Q5_1", 32, 24},      {8, "Q8_0", 32, 34},    {12, "Q4_K", 256, 144},
     {13, "Q5_K", 256, 176},  {14, "Q6_K", 256, 210},   {10, "Q2_K", 256, 84},  {11, "Q3_K", 256, 110},
     {20, "IQ4_NL", 32, 18},  {23, "IQ4_XS", 256, 136}, {39, "MXFP4", 32, 17},  {24, "I8", 1, 1},
     {25, "I16", 1, 2},       {26, "I32", 1, 4},        {27, "I64", 1, 8},      {28, "F64", 1, 8},
     {30, "BF16", 1, 2},      {9, "Q8_1", 32, 36},      {15, "Q8_K", 256, 292}, {16, "IQ2_XXS", 256, 66},
     {17, "IQ2_XS", 256, 74}, {18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50}, {21, "IQ3_S", 256, 110},
     {22, "IQ2_S", 256, 82},  {29, "IQ1_M", 256, 56}}};

TEST(GgufReader, PlacesTensorsOfEveryType) {
  for (const size_t alignment : {8u, 32u, 4096u}) {
    GgufBuilder builder;
    builder.alignment = alignment;
    builder.u32("general.alignment", static_cast<uint32_t>(alignment));
    for (const TypeCase& type : kTypes) {
      builder.tensor(type.name, {type.block * 3, 2}, type.number, counting_bytes(type.block_bytes * 6));
    }
    const File bytes = builder.build();
    const ReadFile file = read(bytes);
    uint64_t end = 0;
    for (size_t i = 0; i < kTypes.size(); ++i) {
      const TensorInfo& info = file.description.tensors.at(i);
      EXPECT_EQ(info.name, kTypes[i].name);
      EXPECT_EQ(dtype_name(Format::gguf, info), kTypes[i].name);
      EXPECT_EQ(info.shape, (std::vector<uint64_t>{2, kTypes[i].block * 3}));
      EXPECT_EQ(info.bytes, kTypes[i].block_bytes * 6);
      EXPECT_EQ(info.offset % alignment, 0);
      EXPECT_TRUE(end == 0 || (info.offset >= end && info.offset < end + alignment));
      end = info.offset + info.bytes;
      EXPECT_EQ(file.data.at(info.name), counting_bytes(info.bytes)) << info.name;
    }
  }
}

TEST(GgufReader, ListsDimensionsFromTheOutermost) {
  GgufBuilder builder;
  builder.tensor("four", {2, 3, 4, 5}, 24, counting_bytes(120)).tensor("none", {}, 0, counting_bytes(4));
  const ModelDescription description = read(builder.build()).description;
  EXPECT_EQ(description.tensors[0].shape, (std::vector<uint64_t>{5, 4, 3, 2}));
  EXPECT_EQ(description.tensors[1].shape, std::vector<uint64_t>());
}

// The formulas of ggml's definitions, written out for chosen values.
TEST(GgufReader, GivesValues) {
  GgufBytes q8;
  q8.number(uint16_t{0x3800});  // 0.5
  for (int i = 0; i < 32; ++i) q8.number(static_cast<int8_t>(i * 7 - 128));
  GgufBytes q4;
  q4.number(uint16_t{0xC000});  // -2
  for (int i = 0; i < 16; ++i) q4.number(static_cast<uint8_t>(i | ((15 - i) << 4)));
  GgufBuilder builder;
  builder.tensor("q8", {32}, 8, q8.bytes).tensor("q4", {32}, 2, q4.bytes);
  const ReadFile file = read(builder.build());
  const std::vector<float> eights = dequantized(file, "q8");
  const std::vector<float> fours = dequantized(file, "q4");
  ASSERT_EQ(eights.size(), 32);
  ASSERT_EQ(fours.size(), 32);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(eights[i], 0.5F * static_cast<float>(i * 7 - 128));
    const int q = i < 16 ? i : 15 - (i - 16);
    EXPECT_EQ(fours[i], -2.0F * static_cast<float>(q - 8));
  }
}

TEST(GgufReader, EveryChunkSizeIsTheWhole) {
  const File bytes = tiny_gguf_llama().build();
  const ReadFile whole = read(bytes);
  for (size_t chunk = 1; chunk < 700; ++chunk) {
    const ReadFile pieces = read(bytes, {.chunk = chunk, .length_known = chunk % 2 == 0});
    ASSERT_EQ(whole.data, pieces.data) << chunk;
    ASSERT_EQ(write_json(whole.description.metadata), write_json(pieces.description.metadata));
    ASSERT_EQ(whole.description.tokenizer.sentencepiece()->scores,
              pieces.description.tokenizer.sentencepiece()->scores);
    ASSERT_EQ(whole.description.file_size, pieces.description.file_size);
  }
}

TEST(GgufReader, InspectionOfASeekableFileSkipsTheData) {
  const File bytes = tiny_gguf_llama().build();
  File blanked = bytes;
  const ReadFile whole = read(bytes);
  for (const TensorInfo& info : whole.description.tensors) {
    std::fill_n(blanked.begin() + static_cast<std::ptrdiff_t>(info.offset), info.bytes, std::byte{0xEE});
  }
  const ReadFile inspected = read(blanked, {.chunk = 64, .seekable = true, .wants_data = false});
  EXPECT_TRUE(inspected.data.empty());
  EXPECT_EQ(inspected.description.file_size, bytes.size());
  EXPECT_EQ(inspected.description.tensors.size(), whole.description.tensors.size());
}

TEST(GgufReader, TakesAFileWithoutPaddingAtItsEnd) {
  for (const bool pads : {true, false}) {
    GgufBuilder builder;
    builder.pads_the_end = pads;
    builder.tensor("a", {3}, 24, counting_bytes(3));
    const File bytes = builder.build();
    EXPECT_EQ(bytes.size() % 32, pads ? 0 : 3);
    for (const bool known : {true, false}) {
      EXPECT_EQ(read(bytes, {.length_known = known}).description.file_size, bytes.size());
    }
    builder = GgufBuilder();  // a vocabulary alone
    builder.pads_the_end = pads;
    builder.text("general.architecture", "llama");
    for (const bool known : {true, false}) read(builder.build(), {.length_known = known});
  }
}

TEST(GgufReader, ReadsALargeVocabularyAtOnce) {
  std::vector<std::string> tokens(128 * 1024), merges(280 * 1000);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = "token" + std::to_string(i);
  for (size_t i = 0; i < merges.size(); ++i) merges[i] = "left" + std::to_string(i) + " right";
  GgufBuilder builder;
  builder.text("general.architecture", "llama").text("tokenizer.ggml.model", "gpt2");
  builder.strings("tokenizer.ggml.tokens", tokens).strings("tokenizer.ggml.merges", merges);
  const File bytes = builder.build();
  const auto begin = std::chrono::steady_clock::now();
  const ReadFile file = read(bytes, {.chunk = 1 << 20});
  const auto time = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(file.description.tokenizer.tokens[131071], "token131071");
  EXPECT_EQ(file.description.tokenizer.bpe()->merges[279999], "left279999 right");
  // Some 30 ms; in the sanitizers' builds ten times that. Far from what time quadratic in the tokens would be.
  EXPECT_LT(time, std::chrono::seconds(5));
  RecordProperty("ms", std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()));
}

}  // namespace
}  // namespace quintet::test
