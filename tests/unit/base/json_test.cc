#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace quintet {
namespace {

Error refusal(std::string_view text) {
  const auto parsed = parse_json(text);
  EXPECT_FALSE(parsed) << text;
  return parsed ? Error() : parsed.error();
}

TEST(Json, ReadsEveryKind) {
  const auto json = parse_json(R"( {"null": null, "yes": true, "text": "aé\n😀", "list": [1, -2, 2.5], "": {}} )");
  ASSERT_TRUE(json);
  ASSERT_EQ(json->as_object()->size(), 5u);
  EXPECT_EQ((*json->as_object())[2].name, "text");
  EXPECT_TRUE(json->find("null")->is_null());
  EXPECT_EQ(json->find("yes")->as_bool(), true);
  EXPECT_EQ(*json->find("text")->as_string(), "a\xC3\xA9\n\xF0\x9F\x98\x80");
  const Json::Array& list = *json->find("list")->as_array();
  EXPECT_EQ(list[0].as_uint(), 1u);
  EXPECT_EQ(list[1].as_int(), -2);
  EXPECT_EQ(list[1].as_uint(), std::nullopt);
  EXPECT_EQ(list[2].as_double(), 2.5);
  EXPECT_EQ(list[2].as_int(), std::nullopt);
  EXPECT_EQ(json->find("missing"), nullptr);
  EXPECT_EQ(list[0].find("x"), nullptr);
}

TEST(Json, IntegersStayExact) {
  EXPECT_EQ(parse_json("18446744073709551615")->as_uint(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(parse_json("-9223372036854775808")->as_int(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(parse_json("9007199254740993")->as_int(), 9007199254740993);
  EXPECT_EQ(parse_json("18446744073709551616")->as_uint(), std::nullopt);  // beyond 64 bits: a double
  EXPECT_EQ(parse_json("18446744073709551615")->as_int(), std::nullopt);
  EXPECT_EQ(parse_json("-9223372036854775809")->as_int(), std::nullopt);
  EXPECT_EQ(parse_json("1.0")->as_uint(), std::nullopt);
  EXPECT_EQ(parse_json("-0")->as_uint(), std::nullopt);
  EXPECT_EQ(parse_json("[-17, 0]")->as_array()->front().as_int(), -17);
}

TEST(Json, DoublesSurviveTheRoundTrip) {
  for (const double value :
       {0.1, 1e-12, 1.7976931348623157e308, 5e-324, -0.0, 123456789.123456789, 2.2250738585072014e-308}) {
    const auto back = parse_json(write_json(Json(value)));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->as_double(), value);
  }
  EXPECT_EQ(write_json(Json(1e-12)), "1e-12");
  EXPECT_EQ(write_json(Json(1e15)), "1000000000000000.0");
  // No integer of 64 bits: that the double reads again.
  for (const char* text : {"100000000000000000000", "18446744073709552000", "-9223372036854776000"}) {
    EXPECT_EQ(write_json(*parse_json(text)), text);
    EXPECT_FALSE(parse_json(text)->as_uint());
  }
  EXPECT_EQ(write_json(Json(NAN)), "null");
  Json list = Json::array();
  list.push_back(1);
  list.push_back(INFINITY);
  EXPECT_EQ(write_json(list), "[1,null]");
}

TEST(Json, Writes) {
  Json json = Json::object();
  json.set("b", 1);
  json.set("a", Json::array()).push_back("x\"\n\x01");
  json.append("c", nullptr);
  json.set("b", uint64_t{18446744073709551615u});
  EXPECT_EQ(write_json(json), R"({"b":18446744073709551615,"a":["x\"\n\u0001"],"c":null})");
  json.remove("a");
  EXPECT_EQ(write_json(json), R"({"b":18446744073709551615,"c":null})");
}

TEST(Json, ACopyIsIndependent) {
  Json json = Json::object();
  json.set("list", Json::array()).push_back(1);
  Json copy = json;
  copy.set("list", 2);
  EXPECT_EQ(write_json(json), R"({"list":[1]})");
}

TEST(Json, RejectsInvalidJson) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "'a'",
                           "01",
                           "+1",
                           "1.",
                           ".5",
                           "nul",
                           "[1 2]",
                           "\"\t\"",
                           "\"\\x\"",
                           "NaN",
                           "Infinity",
                           "// c\n1",
                           "\xEF\xBB\xBF{}",
                           "{\"a\"}",
                           "1e999",
                           "2e308",
                           "-",
                           "1e",
                           "--1"}) {
    EXPECT_EQ(refusal(text).code, Code::format) << text;
  }
}

TEST(Json, RejectsTextAfterTheValueWithItsOffset) {
  const Error error = refusal("{} x");
  EXPECT_EQ(error.reason, Reason::trailing);
  EXPECT_EQ(error.offset, 3u);
  EXPECT_EQ(refusal(std::string_view("{}\0", 3)).reason, Reason::trailing);
  EXPECT_EQ(refusal(std::string_view("{}\0{}", 5)).reason, Reason::trailing);
}

TEST(Json, RejectsDuplicateNamesWithTheirOffset) {
  const Error error = refusal(R"({"a": {"x": 1, "y": 2, "x": 3}})");
  EXPECT_EQ(error.reason, Reason::duplicate);
  EXPECT_EQ(error.offset, 26u);
  EXPECT_TRUE(parse_json(R"({"a": {"x": 1}, "x": 2})"));
  EXPECT_EQ(refusal(R"({"a": 1, "\u0061": 2})").reason, Reason::duplicate);
}

TEST(Json, RejectsIllFormedUnicode) {
  EXPECT_EQ(refusal("\"\xFF\"").reason, Reason::invalid_utf8);
  EXPECT_EQ(refusal("\"\xED\xA0\x80\"").reason, Reason::invalid_utf8);  // an encoded surrogate
  EXPECT_EQ(refusal("\"\xC0\xAF\"").reason, Reason::invalid_utf8);      // overlong
  EXPECT_EQ(refusal(R"("\uD800")").reason, Reason::invalid_utf8);
  EXPECT_EQ(refusal(R"("\uD800A")").reason, Reason::invalid_utf8);
  EXPECT_EQ(refusal(R"("\uDE00")").reason, Reason::invalid_utf8);
  EXPECT_EQ(refusal(R"({"\uDE00": 1})").reason, Reason::invalid_utf8);
  EXPECT_EQ(refusal("{\"\xFF\": 1}").reason, Reason::invalid_utf8);
  EXPECT_EQ(*parse_json(R"("\uD83D\uDE00")")->as_string(), "\xF0\x9F\x98\x80");
}

TEST(Json, DepthIsLimited) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth)));
  EXPECT_EQ(refusal(nested(kMaxJsonDepth + 1)).reason, Reason::limit);
  EXPECT_EQ(refusal(std::string(1000000, '[')).reason, Reason::limit);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refusal(objects).reason, Reason::limit);
}

TEST(Json, OffsetsAreThoseOfTheFile) { EXPECT_EQ(parse_json("[1 2]", 100).error().offset, 103u); }

}  // namespace
}  // namespace quintet
