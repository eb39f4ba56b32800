// The tokens that the post-processor of a tokenizer.json puts around texts.

#include "formats/huggingface/post_processor.h"

#include <gtest/gtest.h>

#include <string>

namespace quintet::huggingface {
namespace {

using Kind = FramePart::Kind;
using Parts = std::vector<FramePart>;

Result<TextFrame> read(const std::string& json) {
  const auto parsed = parse_json(json);
  EXPECT_TRUE(parsed) << json;
  return read_frame(*parsed);
}

std::string token(const std::string& id, int type = 0) {
  return R"({"SpecialToken":{"id":")" + id + R"(","type_id":)" + std::to_string(type) + "}}";
}
std::string text(const std::string& id, int type = 0) {
  return R"({"Sequence":{"id":")" + id + R"(","type_id":)" + std::to_string(type) + "}}";
}
std::string template_of(const std::string& single, const std::string& pair) {
  return R"({"type":"TemplateProcessing","single":[)" + single + R"(],"pair":[)" + pair +
         R"(],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},
      "[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]},"begin":{"id":"begin","ids":[7,9],"tokens":["x","y"]},
      "none":{"ids":[-1]},"nothing":{}}})";
}

const std::string kBert =
    template_of(token("[CLS]") + "," + text("A") + "," + token("[SEP]"),
                token("[CLS]") + "," + text("A") + "," + token("[SEP]") + "," + text("B", 1) + "," + token("[SEP]", 1));
const Parts kBertSingle = {{.id = 2}, {.kind = Kind::first}, {.id = 3}};
const Parts kBertPair = {
    {.id = 2}, {.kind = Kind::first}, {.id = 3}, {.kind = Kind::second, .type = 1}, {.id = 3, .type = 1}};

TEST(PostProcessor, ATemplateIsTakenAsItIs) {
  for (const std::string& json : {kBert, R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)" + kBert + "]}"}) {
    const auto frame = read(json);
    ASSERT_TRUE(frame) << json;
    EXPECT_EQ(frame->single, kBertSingle);
    EXPECT_EQ(frame->pair, kBertPair);
    EXPECT_EQ(tokens_ahead(*frame), 1);
  }
}

TEST(PostProcessor, NamesMayStandForOtherTokens) {
  const auto frame = read(template_of(token("begin") + "," + text("A"), text("A") + "," + text("B")));
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->single, (Parts{{.id = 7}, {.id = 9}, {.kind = Kind::first}}));
  EXPECT_EQ(tokens_ahead(*frame), 2);
}

// tokenizers/src/processors/bert.rs and roberta.rs of huggingface/tokenizers.
TEST(PostProcessor, BertAndRobertaHaveTheirOwn) {
  const auto bert = read(R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})");
  ASSERT_TRUE(bert);
  EXPECT_EQ(bert->single, kBertSingle);
  EXPECT_EQ(bert->pair, kBertPair);
  const auto roberta = read(
      R"({"type":"RobertaProcessing","sep":["</s>",1],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":false})");
  ASSERT_TRUE(roberta);
  EXPECT_EQ(roberta->single, (Parts{{.id = 0}, {.kind = Kind::first}, {.id = 1}}));
  EXPECT_EQ(roberta->pair,
            (Parts{{.id = 0}, {.kind = Kind::first}, {.id = 1}, {.id = 1}, {.kind = Kind::second}, {.id = 1}}));
}

TEST(PostProcessor, MayAddNothing) {
  for (const char* json : {"null", R"({"type":"ByteLevel"})", R"({"type":"Sequence","processors":[]})",
                           R"({"type":"TemplateProcessing"})"}) {
    const auto frame = read(json);
    ASSERT_TRUE(frame) << json;
    EXPECT_TRUE(frame->empty()) << json;
  }
}

TEST(PostProcessor, BrokenOnesAreRejected) {
  const std::string a = text("A");
  const std::string pair = a + "," + text("B");
  std::string many = a;
  for (int i = 0; i < 64; ++i) many += "," + token("[SEP]");
  const std::string cases[] = {
      template_of("", pair),
      template_of(a + "," + a, pair),
      template_of(pair, pair),
      template_of(a, a),
      template_of(a, pair + "," + text("B")),
      template_of(many, pair),
      template_of(R"({"Other":{"id":"A"}},)" + a, pair),
      template_of(R"({"Sequence":{}})", pair),
      template_of(text("A", 256), pair),
      template_of(token("none") + "," + a, pair),
      template_of(token("nothing") + "," + a, pair),
      template_of(token("<mask>") + "," + a, pair),
      R"({"type":"BertProcessing","sep":["[SEP]",3]})",
      R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]"]})",
      R"({"type":"RobertaProcessing","sep":["[SEP]",4294967296],"cls":["[CLS]",2]})",
  };
  for (const std::string& json : cases) {
    const auto frame = read(json);
    ASSERT_FALSE(frame) << json;
    EXPECT_EQ(frame.error().code, Code::format);
    EXPECT_EQ(frame.error().reason, Reason::malformed);
  }
}

}  // namespace
}  // namespace quintet::huggingface
