#include "grammar/json_schema/json_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grammar/gbnf.h"
#include "grammar/matcher.h"

namespace quintet::grammar {
namespace {

bool valid(std::string_view schema, std::string_view text) {
  const auto gbnf = json_schema_gbnf(schema);
  EXPECT_TRUE(gbnf) << schema << ": " << gbnf.error().detail;
  if (!gbnf) return false;
  auto syntax = parse_gbnf(*gbnf);
  EXPECT_TRUE(syntax) << *gbnf << ": " << syntax.error().detail;
  if (!syntax) return false;
  const auto automaton = Automaton::compile(*std::move(syntax));
  EXPECT_TRUE(automaton) << *gbnf << ": " << automaton.error().detail;
  return automaton && accepts(*automaton, text).value_or(false);
}

TEST(JsonSchema, KeepsTypesAndParts) {
  constexpr std::string_view person = R"({
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 5}, "age": {"$ref": "#/$defs/age"}, "tags": {"type": "array"}},
    "required": ["age"],
    "$defs": {"age": {"type": "integer", "minimum": 0, "maximum": 150}}
  })";
  EXPECT_TRUE(valid(person, R"({"name": "Ann", "age": 33})"));
  EXPECT_TRUE(valid(person, R"({"age":33,"tags":[{"a":1.5e3}, null]})"));
  EXPECT_FALSE(valid(person, R"({"name": "Ann"})"));
  EXPECT_FALSE(valid(person, R"({"name": "Angela", "age": 33})"));
  EXPECT_FALSE(valid(person, R"({"age": 151})"));
  EXPECT_FALSE(valid(person, R"({"age": 15, "other": 1})"));
}

TEST(JsonSchema, KeepsFormats) {
  EXPECT_TRUE(valid(R"({"format": "date"})", R"("2024-02-29")"));
  EXPECT_TRUE(valid(R"({"format": "date"})", R"("2000-02-29")"));
  EXPECT_FALSE(valid(R"({"format": "date"})", R"("1900-02-29")"));
  EXPECT_FALSE(valid(R"({"format": "date"})", R"("2023-04-31")"));
  EXPECT_TRUE(valid(R"({"format": "date-time"})", R"("2023-04-30T23:59:59.5+05:30")"));
  EXPECT_FALSE(valid(R"({"format": "time"})", R"("24:00:00Z")"));
}

TEST(JsonSchema, KeepsPatterns) {
  EXPECT_TRUE(valid(R"({"pattern": "^[\\w.]+@\\d{2,}$"})", R"("a.b@12")"));
  EXPECT_FALSE(valid(R"({"pattern": "^[\\w.]+@\\d{2,}$"})", R"("a.b@1")"));
  EXPECT_TRUE(valid(R"({"pattern": "b"})", R"("abc")"));
  EXPECT_FALSE(valid(R"({"pattern": "^b|c$"})", R"("abcd")"));
  EXPECT_TRUE(valid(R"({"pattern": "^[^a]\\u00e9\\n$"})", R"("\"é\n")"));
  EXPECT_TRUE(valid(R"({"pattern": "^[a-z]*$", "minLength": 2, "maxLength": 3})", R"("abc")"));
  EXPECT_FALSE(valid(R"({"pattern": "^[a-z]*$", "minLength": 2, "maxLength": 3})", R"("a")"));
}

TEST(JsonSchema, LooksAhead) {
  constexpr std::string_view duration =
      R"({"pattern": "^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+S)?)?)$"})";
  for (const char* text : {"P1W", "P1Y", "P2Y3D", "PT5S", "P1DT1H"})
    EXPECT_TRUE(valid(duration, "\"" + std::string(text) + "\"")) << text;
  for (const char* text : {"P", "PT", "P1DT", "P1W1D", "P1H"})
    EXPECT_FALSE(valid(duration, "\"" + std::string(text) + "\"")) << text;
  EXPECT_TRUE(valid(R"({"pattern": "^((?!foo).)*$"})", R"("fofo")"));
  EXPECT_FALSE(valid(R"({"pattern": "^((?!foo).)*$"})", R"("fofoo")"));
}

TEST(JsonSchema, CombinesSeveralKeywords) {
  constexpr std::string_view schema = R"({"format": "date", "pattern": "^2024", "not": {"const": "2024-02-28"}})";
  EXPECT_TRUE(valid(schema, R"("2024-02-29")"));
  EXPECT_FALSE(valid(schema, R"("2024-02-28")"));
  EXPECT_FALSE(valid(schema, R"("2024-02-30")"));
  EXPECT_FALSE(valid(schema, R"("2023-02-27")"));
  EXPECT_TRUE(valid(R"({"type": "integer", "multipleOf": 7, "minimum": 100})", "105"));
  EXPECT_FALSE(valid(R"({"type": "integer", "multipleOf": 7, "minimum": 100})", "98"));
  EXPECT_FALSE(valid(R"({"type": "integer", "multipleOf": 7, "minimum": 100})", "106"));
}

TEST(JsonSchema, FollowsReferences) {
  constexpr std::string_view node =
      R"({"type": "object", "properties": {"t": {"$id": "T", "type": "array", "items": {"$ref": "T"}}}})";
  EXPECT_TRUE(valid(node, R"({"t": [[], [[]]]})"));
  EXPECT_FALSE(valid(node, R"({"t": [[1]]})"));
}

TEST(JsonSchema, DistinguishesOtherNamesFromListedOnes) {
  constexpr std::string_view schema =
      R"({"properties": {"ab": {"type": "integer"}, "a": {"type": "integer"}}, "additionalProperties": {"type": "null"}})";
  for (const char* name : {"b", "abc", "", "a\\u0063", "\\u0041", "A"})
    EXPECT_TRUE(valid(schema, "{\"" + std::string(name) + "\": null}")) << name;
  for (const char* name : {"a", "ab", "a\\u0062", "\\u0061b", "\\u0061"})
    EXPECT_FALSE(valid(schema, "{\"" + std::string(name) + "\": null}")) << name;
}

TEST(JsonSchema, NamesUnsupportedKeywords) {
  EXPECT_EQ(json_schema_gbnf(R"({"items": {"contains": {}}})").error().detail,
            "JSON schema: the keyword contains at #/items is not supported");
  EXPECT_EQ(json_schema_gbnf(R"({"type": 5})").error().detail,
            "JSON schema: type at # is not a type or a list of types: 5");
  EXPECT_EQ(json_schema_gbnf(R"({"a": )").error().code, Code::input);
}

}  // namespace
}  // namespace quintet::grammar
