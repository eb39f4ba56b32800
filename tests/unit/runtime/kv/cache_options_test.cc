#include "runtime/kv/cache_options.h"

#include <gtest/gtest.h>

namespace quintet::kv {
namespace {

TEST(SaveOptions, DocumentedDefaults) {
  const auto options = read_save_options("{}");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->dtype, Dtype::f32);
  EXPECT_EQ(options->layout, Layout::plain);
  EXPECT_FALSE(options->group);
  EXPECT_FALSE(options->sampler);
}

TEST(SaveOptions, CompressionIsPackedByDefault) {
  const auto options = read_save_options(R"({"compression":"INT4"})");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->layout, Layout::packed);
  EXPECT_FALSE(options->group);
}

TEST(SaveOptions, AllOfThemInAnyOrder) {
  for (const char* json :
       {R"({"dtype":"BF16","compression":"INT4","layout":"float","groupSize":128,"sampler":true})",
        R"({"sampler":true,"groupSize":128,"layout":"float","compression":"INT4","dtype":"BF16"})"}) {
    const auto options = read_save_options(json);
    ASSERT_TRUE(options) << options.error().detail;
    EXPECT_EQ(options->dtype, Dtype::bf16);
    EXPECT_EQ(options->layout, Layout::rounded);
    EXPECT_EQ(options->group, 128U);
    EXPECT_TRUE(options->sampler);
  }
}

TEST(SaveOptions, ValuesOutOfRangeAreRejected) {
  const char* wrong[] = {
      "",
      "[]",
      "null",
      R"({"dtype":"F64"})",
      R"({"dtype":"f32"})",
      R"({"dtype":32})",
      R"({"dtype":null})",
      R"({"compression":"int4"})",
      R"({"compression":true})",
      R"({"compression":""})",
      R"({"compression":"INT4","layout":"plain"})",
      R"({"compression":"INT4","layout":1})",
      R"({"compression":"INT4","groupSize":16})",
      R"({"compression":"INT4","groupSize":"64"})",
      R"({"compression":"INT4","groupSize":64.5})",
      R"({"compression":"INT4","groupSize":-64})",
      R"({"compression":"INT4","groupSize":null})",
      R"({"groupSize":64})",
      R"({"layout":"packed"})",
      R"({"layout":"float","compression":"none"})",
      R"({"compression":"none","groupSize":64})",
      R"({"sampler":1})",
      R"({"Dtype":"F32"})",
      R"({"tokens":[1]})",
      R"({"dtype":"F32","dtype":"F32"})",
  };
  for (const char* json : wrong) {
    const auto options = read_save_options(json);
    ASSERT_FALSE(options) << json;
    EXPECT_EQ(options.error().code, Code::input) << json;
  }
}

TEST(SaveOptions, ErrorsNameTheOption) {
  const auto options = read_save_options(R"({"groupSize":64,"dtype":"F16"})");
  ASSERT_FALSE(options);
  EXPECT_NE(options.error().detail.find("groupSize"), std::string::npos);
  EXPECT_NE(options.error().detail.find("INT4"), std::string::npos);
}

TEST(SaveOptions, BecomeAStorageOfGroupsThatFit) {
  const SaveOptions packed = {.dtype = Dtype::f16, .layout = Layout::packed};
  const auto storage = storage_for(packed, 96);
  ASSERT_TRUE(storage);
  EXPECT_EQ(storage->dtype, Dtype::f16);
  EXPECT_EQ(storage->layout, Layout::packed);
  EXPECT_EQ(storage->group, 32U);
  EXPECT_EQ(storage_for(packed, 128)->group, 64U);
  EXPECT_EQ(storage_for(packed, 8)->group, 8U);
  EXPECT_FALSE(storage_for({.layout = Layout::packed, .group = 64}, 96));
  EXPECT_FALSE(storage_for(packed, 81));
  // Without heads there is nothing to compress.
  EXPECT_EQ(storage_for(packed, 0)->layout, Layout::plain);
  // Any size will do without groups.
  const auto plain = storage_for({}, 81);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->group, 0U);
  EXPECT_EQ(plain->layout, Layout::plain);
}

TEST(LoadOptions, AllOfThem) {
  const auto none = read_load_options("{}");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->tokens);
  EXPECT_FALSE(none->sampler);
  const auto all = read_load_options(R"({"tokens":[0,2147483647],"sampler":true})");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->tokens, (std::vector<uint32_t>{0, 2147483647}));
  EXPECT_TRUE(all->sampler);
  // Ids of an empty cache are something else than none.
  const auto empty = read_load_options(R"({"tokens":[]})");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->tokens && empty->tokens->empty());
}

TEST(LoadOptions, ValuesOutOfRangeAreRejected) {
  for (const char* json :
       {"", "1", R"({"tokens":1})", R"({"tokens":[-1]})", R"({"tokens":[1.5]})", R"({"tokens":["1"]})",
        R"({"tokens":[2147483648]})", R"({"sampler":"yes"})", R"({"dtype":"F32"})"}) {
    const auto options = read_load_options(json);
    ASSERT_FALSE(options) << json;
    EXPECT_EQ(options.error().code, Code::input) << json;
  }
}

}  // namespace
}  // namespace quintet::kv
