// The probable continuation of a text under a grammar: the text that must follow, with white space like that before.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/gbnf.h"
#include "grammar/matcher.h"

namespace quintet::grammar {
namespace {

// A token for each byte, and one that ends a text.
class ProbableText {
 public:
  explicit ProbableText(std::string_view gbnf) : matcher_(grammar_of(gbnf)) {}

  std::string after(std::string_view text) {
    for (const char byte : text) EXPECT_TRUE(matcher_.accept(static_cast<uint8_t>(byte))) << text;
    return matcher_.probable_text();
  }

 private:
  static std::shared_ptr<TokenGrammar> grammar_of(std::string_view gbnf) {
    std::string bytes(256, 0);
    std::iota(bytes.begin(), bytes.end(), char{0});
    std::vector<uint32_t> ends(257, 256);
    std::iota(ends.begin(), ends.end() - 1, 1U);
    auto syntax = parse_gbnf(gbnf);
    EXPECT_TRUE(syntax) << syntax.error().detail;
    return std::make_shared<TokenGrammar>(
        std::make_shared<Automaton>(*Automaton::compile(*std::move(syntax))),
        std::make_shared<Vocabulary>(std::move(bytes), std::move(ends), std::vector<uint32_t>{256}));
  }

  Matcher matcher_;
};

TEST(ProbableText, IsTheTextThatMustFollow) {
  ProbableText text("root ::= \"once \" (\"upon a time\" | \"upon the hill\") [.!]");
  EXPECT_EQ(text.after(""), "once upon ");
  EXPECT_EQ(text.after("once up"), "on ");
  EXPECT_EQ(text.after("on t"), "he hill");
  EXPECT_EQ(text.after("he hill"), "");
  EXPECT_EQ(text.after("."), "");
}

TEST(ProbableText, EndsWhereTheTextMayEnd) {
  ProbableText text("root ::= \"a\" \"bc\"? \"d\"");
  EXPECT_EQ(text.after(""), "a");
  EXPECT_EQ(text.after("ab"), "cd");
  ProbableText list("root ::= \"[\" \"1\" (\",\" \"1\")* ");
  EXPECT_EQ(list.after(""), "[1");
  EXPECT_EQ(list.after("[1"), "");
}

TEST(ProbableText, HasTheBytesOfAnUnfinishedCharacter) {
  ProbableText text("root ::= \"\u00e9\" \"x\"");
  EXPECT_EQ(text.after("\xC3"), "\xA9x");
}

constexpr std::string_view kForm =
    R"(root ::= "{" ws "\"name\"" ws ":" ws text ("," ws "\"age\"" ws ":" ws [0-9]+){0,3} ws "}"
text ::= "\"" [a-z ]* "\""
ws ::= [ \n\t]*)";

TEST(ProbableText, HasASpaceAfterColonsAndCommasAtFirst) {
  ProbableText text(kForm);
  EXPECT_EQ(text.after(""), "{\"name\": \"");
  EXPECT_EQ(text.after("{\"name\": \"ann a"), "");
  EXPECT_EQ(text.after("\","), " \"age\":");
}

TEST(ProbableText, HasWhiteSpaceLikeTheTextBefore) {
  ProbableText compact(kForm);
  compact.after("{\"name\":\"x\",\"age\":1,");
  EXPECT_EQ(compact.after(""), "\"age\":");
  ProbableText lines(kForm);
  EXPECT_EQ(lines.after("{\n  \"name\" : \"x\",\n  \"age\" : 1,"), "\n  \"age\" :");
  EXPECT_EQ(lines.after("\n "), " \"age\" :");
  EXPECT_EQ(lines.after("\t"), "") << "not as it was before";
  EXPECT_EQ(lines.after("\"a"), "ge\" :");
}

TEST(ProbableText, IsUnknownWhereTheGrammarNamesATokenItself) {
  ProbableText text("root ::= \"a\" <[3]> \"b\"");
  EXPECT_EQ(text.after(""), "a");
}

}  // namespace
}  // namespace quintet::grammar
