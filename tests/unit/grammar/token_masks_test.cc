// Masks are exact: a token is allowed if, and only if, the text with it can be completed.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "grammar/gbnf.h"
#include "grammar/matcher.h"
#include "tests/unit/grammar/plain_matcher.h"

namespace quintet::grammar {
namespace {

std::shared_ptr<const Vocabulary> vocabulary_of(const std::vector<std::string>& tokens, std::vector<uint32_t> stops) {
  std::string bytes;
  std::vector<uint32_t> ends;
  for (const std::string& token : tokens) {
    bytes += token;
    ends.push_back(static_cast<uint32_t>(bytes.size()));
  }
  return std::make_shared<Vocabulary>(std::move(bytes), std::move(ends), std::move(stops));
}

std::shared_ptr<TokenGrammar> token_grammar(std::string_view gbnf, std::shared_ptr<const Vocabulary> vocabulary) {
  auto syntax = parse_gbnf(gbnf);
  EXPECT_TRUE(syntax) << gbnf << ": " << syntax.error().detail;
  auto automaton = Automaton::compile(*std::move(syntax));
  if (!automaton) return nullptr;
  return std::make_shared<TokenGrammar>(std::make_shared<Automaton>(*std::move(automaton)), std::move(vocabulary));
}

bool allows(std::span<const uint32_t> mask, uint32_t token) { return (mask[token / 32] >> (token % 32) & 1) != 0; }

std::set<uint32_t> allowed(Matcher& matcher) {
  const auto mask = matcher.mask();
  std::set<uint32_t> tokens;
  for (uint32_t token = 0; mask && token < mask->size() * 32; ++token)
    if (allows(*mask, token)) tokens.insert(token);
  return tokens;
}

// "é" in two halves, "x" for nothing, and tokens of several characters. The last one ends a text; the one before it has
// no bytes.
const std::vector<std::string> kTokens = {"a",  "b",  "\xC3", "\xA9", "é",  "aa",    "ab", "ba",
                                          "bé", "éa", "aab",  "x",    "ax", "a\xC3", "",   "</s>"};
constexpr uint32_t kStop = 15;

std::string random_expression(std::mt19937& random, int depth, int rules) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth == 0 || below(4) == 0) {
    static const char* const leaves[] = {"\"a\"", "\"b\"", "\"é\"", "\"ab\"", "[ab]", "[^a]", "[éb]", "\"\"", "\"aa\""};
    if (rules > 0 && below(3) == 0) return "r" + std::to_string(below(rules));
    // In the class of all but "a", only "b" and "é" have tokens.
    return leaves[below(9)];
  }
  const std::string first = random_expression(random, depth - 1, rules);
  const std::string second = random_expression(random, depth - 1, rules);
  static const char* const repeats[] = {"?", "{2}", "{0,2}", "{1,3}", ""};
  switch (below(3)) {
    case 0:
      return "(" + first + " | " + second + ")";
    case 1:
      return "(" + first + ")" + repeats[below(5)];
    default:
      return first + " " + second;
  }
}

// Rules only refer to those below them: the texts are finite in number. [^a] is written so that it stays small.
std::string random_finite_grammar(std::mt19937& random) {
  std::string gbnf;
  for (int rule = 0; rule < 3; ++rule)
    gbnf += "r" + std::to_string(rule) + " ::= " + random_expression(random, 2, rule) + "\n";
  gbnf += "root ::= " + random_expression(random, 3, 3) + "\n";
  for (size_t at; (at = gbnf.find("[^a]")) != std::string::npos;) gbnf.replace(at, 4, "[bé]");
  return gbnf;
}

// The most characters that a text of a finite grammar has.
size_t longest(const Syntax& syntax, const Expression& expression) {
  size_t length = 0;
  switch (expression.kind) {
    case Expression::Kind::literal:
      return count_characters(expression.text);
    case Expression::Kind::characters:
    case Expression::Kind::token:
      return 1;
    case Expression::Kind::rule:
      return longest(syntax, syntax.rules[expression.index].body);
    case Expression::Kind::sequence:
      for (const Expression& part : expression.parts) length += longest(syntax, part);
      return length;
    case Expression::Kind::choice:
      for (const Expression& part : expression.parts) length = std::max(length, longest(syntax, part));
      return length;
    case Expression::Kind::repeat:
      return expression.max * longest(syntax, expression.parts.front());
  }
  return length;
}

// All texts of up to `length` characters out of a, b and é.
std::vector<std::string> all_texts(size_t length) {
  std::vector<std::string> texts = {""};
  for (size_t begin = 0; length > 0; --length) {
    const size_t end = texts.size();
    for (; begin < end; ++begin)
      for (const char* character : {"a", "b", "é"}) texts.push_back(texts[begin] + character);
  }
  return texts;
}

// Follows all sequences of tokens whose text is shorter than `bytes`.
void expect_exact(const Matcher& at, const std::string& text, size_t bytes, const std::set<std::string>& language) {
  Matcher matcher(at);
  const std::set<uint32_t> tokens = allowed(matcher);
  for (uint32_t token = 0; token < kTokens.size(); ++token) {
    const std::string longer = text + kTokens[token];
    const auto completion = language.lower_bound(longer);
    bool expected = completion != language.end() && completion->starts_with(longer) && !kTokens[token].empty();
    if (token == kStop) expected = language.contains(text);
    ASSERT_EQ(tokens.contains(token), expected) << "\"" << text << "\" + token " << token;
    Matcher next(matcher);
    ASSERT_EQ(next.accept(token).has_value(), expected) << "\"" << text << "\" + token " << token;
    if (expected && token != kStop && longer.size() < bytes) expect_exact(next, longer, bytes, language);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TokenMasks, AreExactForRandomGrammars) {
  const auto vocabulary = vocabulary_of(kTokens, {kStop});
  constexpr size_t kLongest = 6;
  const auto texts = all_texts(kLongest);
  std::mt19937 random(20261125);
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string gbnf = random_finite_grammar(random);
    SCOPED_TRACE(gbnf);
    const Syntax syntax = parse_gbnf(gbnf).value();
    PlainMatcher plain(syntax);
    std::set<std::string> language;
    if (longest(syntax, syntax.rules[syntax.root].body) > kLongest) continue;
    for (const std::string& text : texts)
      if (plain.matches(text)) language.insert(text);
    ++compared;
    const auto grammar = token_grammar(gbnf, vocabulary);
    for (const std::string& text : texts)
      ASSERT_EQ(*accepts(grammar->automaton(), text), language.contains(text)) << text;
    expect_exact(Matcher(grammar), "", 5, language);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 150);
}

TEST(TokenMasks, AreExactForRecursion) {
  const std::vector<std::string> tokens = {"[", "]", "[[", "]]", "[]", "][", "1", "1]", ",", ",[", "],[", "</s>"};
  constexpr std::string_view gbnf = "root ::= list\nlist ::= \"[\" (item (\",\" item)*)? \"]\"\nitem ::= list | \"1\"";
  const auto grammar = token_grammar(gbnf, vocabulary_of(tokens, {11}));
  const Syntax syntax = parse_gbnf(gbnf).value();
  PlainMatcher plain(syntax);
  // The completion of an open list: "1" after a comma, and as many brackets as are open.
  const auto completable = [&](const std::string& text) {
    const auto open = std::ranges::count(text, '[') - std::ranges::count(text, ']');
    if (open < 0) return false;
    const std::string end(static_cast<size_t>(open), ']');
    return plain.matches(text + end) || plain.matches(text + "1" + end);
  };
  std::mt19937 random(7);
  for (int walk = 0; walk < 60; ++walk) {
    Matcher matcher(grammar);
    std::string text;
    for (int step = 0; step < 12; ++step) {
      const auto mask = allowed(matcher);
      for (uint32_t token = 0; token < 11; ++token)
        ASSERT_EQ(mask.contains(token), completable(text + tokens[token])) << text << " + " << tokens[token];
      ASSERT_EQ(mask.contains(11), plain.matches(text)) << text;
      std::vector<uint32_t> choices(mask.begin(), mask.end());
      const uint32_t token = choices[random() % choices.size()];
      ASSERT_TRUE(matcher.accept(token));
      if (token == 11) break;
      text += tokens[token];
    }
  }
}

// Whether a text can become one of: a quotation mark, 2 to 40 characters, a quotation mark, and perhaps "." with up to
// three letters.
bool can_be_bounded(std::string_view text, bool& is_complete) {
  constexpr size_t kMin = 2;
  constexpr size_t kMax = 40;
  is_complete = false;
  if (text.empty()) return true;
  if (text[0] != '"') return false;
  size_t characters = 0;
  size_t at = 1;
  while (at < text.size() && text[at] != '"') {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (byte == '\\' || byte == '\n' || ++characters > kMax) return false;
    const size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (byte >= 0x80 && byte < 0xC0) return false;
    for (size_t i = 1; i < length && at + i < text.size(); ++i)
      if ((static_cast<uint8_t>(text[at + i]) & 0xC0) != 0x80) return false;
    at += length;
  }
  if (at >= text.size()) return true;
  const std::string_view rest = text.substr(at + 1);
  const bool letters = rest.empty() || (rest[0] == '.' && rest.find_first_not_of("xy", 1) == std::string_view::npos);
  is_complete = characters >= kMin && letters && rest.size() <= 4;
  return is_complete;
}

TEST(TokenMasks, AreExactInTextsOfBoundedLength) {
  std::mt19937 random(11);
  std::vector<std::string> tokens = {"\"", "x", "é", "\"."};
  while (tokens.size() < 700) {
    static const char* const parts[] = {"x",  "y",  "xy", " ", "é",    "日",   "😀",
                                        "\"", "\\", "\n", ".", "\xE6", "\x97", "\xA5"};
    // Mostly of characters that texts are made of, some longer than all that masks are kept for.
    const size_t count = random() % 8 == 0 ? 20 + random() % 30 : 1 + random() % 6;
    const unsigned kinds = random() % 3 == 0 ? 14 : 7;
    std::string token;
    for (size_t i = 0; i < count; ++i) token += parts[random() % kinds];
    tokens.push_back(token);
  }
  const auto stop = static_cast<uint32_t>(tokens.size());
  tokens.push_back("</s>");
  const auto grammar = token_grammar("root ::= \"\\\"\" char{2,40} \"\\\"\" (\".\" [xy]{0,3})?\nchar ::= [^\"\\\\\\n]",
                                     vocabulary_of(tokens, {stop}));
  for (int walk = 0; walk < 40; ++walk) {
    Matcher matcher(grammar);
    std::string text;
    for (int step = 0; step < 30; ++step) {
      const auto mask = allowed(matcher);
      bool is_complete = false;
      for (uint32_t token = 0; token < stop; ++token)
        ASSERT_EQ(mask.contains(token), can_be_bounded(text + tokens[token], is_complete))
            << text << " + " << tokens[token];
      can_be_bounded(text, is_complete);
      ASSERT_EQ(mask.contains(stop), is_complete) << text;
      // Short ones, so that all numbers of characters that are left occur.
      uint32_t chosen = stop;
      for (const uint32_t token : mask)
        if (chosen == stop || (tokens[token].size() < tokens[chosen].size() + random() % 3)) chosen = token;
      ASSERT_TRUE(matcher.accept(chosen));
      if (chosen == stop) break;
      text += tokens[chosen];
    }
  }
}

// Tokens with characters of all kinds: letters, punctuation that shares a kind, line separators and their neighbours,
// and bytes that are not characters by themselves.
std::vector<std::string> random_tokens(std::mt19937& random, size_t count) {
  static const char* const parts[] = {"x",      "f",      "o", "Q",  "7",  " ",    "-",      "[",
                                      "]",      "@",      ")", "\"", "\\", "\n",   "\u2028", "\u2014",
                                      "\u00A0", "\u3002", "é", "日", "😀", "\xE2", "\x80",   "\xA8"};
  std::vector<std::string> tokens(std::begin(parts), std::end(parts));
  while (tokens.size() < count) {
    const size_t length = random() % 8 == 0 ? 20 + random() % 30 : 2 + random() % 5;
    const unsigned kinds = random() % 3 == 0 ? std::size(parts) : 6;
    std::string token;
    for (size_t i = 0; i < length; ++i) token += parts[random() % kinds];
    tokens.push_back(token);
  }
  return tokens;
}

// A token by itself is followed byte by byte: no kinds, no counts.
TEST(TokenMasks, AllowAcceptedTokens) {
  std::mt19937 random(20261126);
  auto tokens = random_tokens(random, 500);
  const auto stop = static_cast<uint32_t>(tokens.size());
  tokens.push_back("</s>");
  const auto vocabulary = vocabulary_of(tokens, {stop});
  for (const char* gbnf : {
           "root ::= [^\\n\\r\\u2028\\u2029]*",
           "root ::= \"\\\"\" [^\"\\n\\r\\u2028\\u2029]{1,30} \"\\\"\" .{2,50}",
           "root ::= ([^ \\t\\u00A0\\u2000-\\u200A\\u3000]+ \" \")* \"Q\" .{0,9}",
           "root ::= [^f]{0,40} (\"foo\" .* | \"f\" [xQ]{0,20})",
           "root ::= .* \"foo\" .*",
           "root ::= [a-zA-Z ]{2,4} [fQ]{0,9} \"-\" .{0,5}",
           // Rules too large to be copied, which may end after each character.
           "root ::= (word \"-\")* word\nword ::= [^-@\\n]{1,45}",
           "root ::= word (\" \" root)?\nword ::= [a-zA-Z0-9]{1,16} | [\\u0080-\\U0010FFFF]{1,40} \"[\" word \"]\"",
       }) {
    SCOPED_TRACE(gbnf);
    const auto grammar = token_grammar(gbnf, vocabulary);
    for (int walk = 0; walk < 12; ++walk) {
      Matcher matcher(grammar);
      for (int step = 0; step < 20; ++step) {
        const auto mask = allowed(matcher);
        ASSERT_FALSE(mask.empty());
        for (uint32_t token = 0; token <= stop; ++token)
          ASSERT_EQ(mask.contains(token), Matcher(matcher).accept(token).has_value()) << tokens[token];
        auto chosen = mask.begin();
        std::advance(chosen, random() % mask.size());
        if (*chosen == stop) break;
        ASSERT_TRUE(matcher.accept(*chosen));
      }
    }
  }
}

TEST(TokenMasks, LookPastTheEndsOfRules) {
  // A token may end several rules at once and begin others.
  const auto grammar =
      token_grammar("root ::= (word \" \" number \";\")+\nword ::= [a-z]+\nnumber ::= [0-9]+ (\".\" [0-9]+)?",
                    vocabulary_of({"ab 1", "b 1.5;", "c", " ", "1.", ".5;z", "; ", ";a 2;a", "</s>"}, {8}));
  Matcher matcher(grammar);
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0, 1, 2}));
  ASSERT_TRUE(matcher.accept(0));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{4, 5, 7}));
  ASSERT_TRUE(matcher.accept(5));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0, 1, 2, 3}));
}

TEST(TokenMasks, HaveTokensThatTheGrammarNames) {
  const auto grammar =
      token_grammar("root ::= <[2]> \"a\" !<[2]> <think>", vocabulary_of({"a", "b", "", "", "</s>"}, {4}));
  grammar->masks().set_named({2, 2, 3});
  Matcher matcher(grammar);
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{2}));
  ASSERT_TRUE(matcher.accept(2));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0}));
  ASSERT_TRUE(matcher.accept(0));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0, 1, 3}));
  ASSERT_TRUE(matcher.accept(1));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{3}));
  ASSERT_TRUE(matcher.accept(3));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{4}));
}

TEST(TokenMasks, HaveOtherBytesAtTheBeginning) {
  constexpr std::string_view gbnf = "root ::= <[3]>? \"a a\"";
  const auto later = token_grammar(gbnf, vocabulary_of({" a", "a", "a a", "", "</s>"}, {4}));
  const auto first = token_grammar(gbnf, vocabulary_of({"a", "a", "a a", "", "</s>"}, {4}));
  for (const auto& grammar : {later, first}) grammar->masks().set_named({3});
  Matcher matcher(later, first);
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0, 1, 2, 3}));
  ASSERT_TRUE(matcher.accept(3));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0, 1, 2})) << "a token without bytes is not the first";
  ASSERT_TRUE(matcher.accept(0));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{0}));
  ASSERT_TRUE(matcher.accept(0));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{4}));
}

TEST(TokenMasks, ShowThatNothingCanFollow) {
  Matcher stuck(token_grammar("root ::= \"ab\"", vocabulary_of({"a", "c", "</s>"}, {2})));
  ASSERT_TRUE(stuck.accept(0));
  const auto mask = stuck.mask();
  ASSERT_FALSE(mask);
  EXPECT_EQ(mask.error().detail, "no token of the model continues the text as the grammar wants");
  Matcher complete(token_grammar("root ::= \"a\"", vocabulary_of({"a", "c"}, {})));
  ASSERT_TRUE(complete.accept(0));
  EXPECT_TRUE(complete.must_end());
  EXPECT_FALSE(complete.mask());
}

TEST(TokenMasks, SurviveForgetting) {
  // Nested so deeply that positions are forgotten on the way.
  const auto grammar =
      token_grammar("root ::= \"[\" root \"]\" | \"x\"", vocabulary_of({"[", "]", "x", "[[[[", "</s>"}, {4}));
  Matcher matcher(grammar);
  Matcher other(grammar);
  ASSERT_TRUE(other.accept(0));
  for (int i = 0; i < 200000; ++i) {
    ASSERT_TRUE(matcher.accept(3));
    if (i % 1000 == 0) {
      ASSERT_EQ(allowed(matcher), (std::set<uint32_t>{0, 2, 3}));
    }
  }
  ASSERT_TRUE(matcher.accept(2));
  for (int i = 0; i < 800000; ++i) ASSERT_TRUE(matcher.accept(1));
  EXPECT_EQ(allowed(matcher), (std::set<uint32_t>{4}));
  EXPECT_EQ(allowed(other), (std::set<uint32_t>{0, 2, 3}));
}

}  // namespace
}  // namespace quintet::grammar
