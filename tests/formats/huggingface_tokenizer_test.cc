// The BPE tokenizers of a tokenizer.json, written out by hand, and one made of a real SentencePiece model.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "formats/huggingface/bpe.h"
#include "formats/pre_tokenizers.h"
#include "formats/sentencepiece/model_proto.h"
#include "formats/sentencepiece/settings.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

using huggingface::read_bpe;

constexpr std::string_view kGpt2 = R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true})";
constexpr std::string_view kMarks = R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
    {"type":"Replace","pattern":{"String":" "},"content":"▁"}]})";

struct Parts {
  std::string normalizer = "null", pre_tokenizer = std::string(kGpt2), added = "[]";
  std::string model = R"("unk_token":null,"vocab":{"a":0,"b":1,"Ġ":2,"ab":3,"Ġab":4},"merges":["a b","Ġ ab"])";
};

Result<TokenizerDescription> read(const Parts& parts) {
  const auto json =
      parse_json(R"({"added_tokens":)" + parts.added + R"(,"normalizer":)" + parts.normalizer + R"(,"pre_tokenizer":)" +
                 parts.pre_tokenizer + R"(,"model":{"type":"BPE",)" + parts.model + "}}");
  EXPECT_TRUE(json) << json.error().detail;
  return read_bpe(*json);
}

std::vector<std::string> texts(const StringTable& table) {
  std::vector<std::string> out;
  for (size_t i = 0; i < table.size(); ++i) out.emplace_back(table[i]);
  return out;
}

TEST(ByteLevelBpe, HasItsTokensAndMerges) {
  const auto tokenizer = read({});
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(tokenizer->bpe()->pre_tokenizer, "gpt2");
  EXPECT_EQ(tokenizer->type(), TokenizerType::bpe);
  EXPECT_EQ(texts(tokenizer->tokens), (std::vector<std::string>{"a", "b", "Ġ", "ab", "Ġab"}));
  EXPECT_EQ(tokenizer->bpe()->ids, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(texts(tokenizer->bpe()->merges), (std::vector<std::string>{"a b", "Ġ ab"}));
  EXPECT_EQ(tokenizer->special.unk, std::nullopt);
}

TEST(ByteLevelBpe, MergesMayBePairs) {
  const auto tokenizer =
      read({.model = R"("vocab":{"a":0,"b":1,"Ġ":2,"ab":3,"Ġab":4},"merges":[["a","b"],["Ġ","ab"]])"});
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(texts(tokenizer->bpe()->merges), (std::vector<std::string>{"a b", "Ġ ab"}));
}

TEST(ByteLevelBpe, AddedTokensFollowWithTheirIds) {
  const auto tokenizer =
      read({.added = R"([{"id":9,"content":"<|end|>","special":true},{"id":7,"content":"  ","special":false},
      {"id":3,"content":"ab","special":true}])",
            .model = R"("unk_token":"<|end|>","vocab":{"ab":3,"b":1,"a":0},"merges":["a b"])"});
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  EXPECT_EQ(texts(tokenizer->tokens), (std::vector<std::string>{"a", "b", "ab", "  ", "<|end|>"}));
  EXPECT_EQ(tokenizer->bpe()->ids, (std::vector<uint32_t>{0, 1, 3, 7, 9}));
  EXPECT_EQ(tokenizer->special.unk, 9u);
  EXPECT_EQ(tokenizer->piece_types, (std::vector<PieceType>{PieceType::normal, PieceType::normal, PieceType::control,
                                                            PieceType::user_defined, PieceType::control}));
}

// The pattern stands in a JSON string, with its backslashes doubled.
std::string split(const std::string& pattern, const std::string& behavior = "Isolated",
                  const std::string& invert = "false", const std::string& use_regex = "false") {
  return R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":")" + pattern +
         R"("},"behavior":")" + behavior + R"(","invert":)" + invert +
         R"(},{"type":"ByteLevel","add_prefix_space":false,"use_regex":)" + use_regex + "}]}";
}
const std::string kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";
const std::string kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";
const std::string kCl100k =
    R"('(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+)";

std::string digits(const std::string& individual) {
  return R"({"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":)" + individual + "}," +
         std::string(kGpt2) + "]}";
}

TEST(ByteLevelBpe, PatternsAreRecognized) {
  EXPECT_EQ(read({.pre_tokenizer = digits("true")})->bpe()->pre_tokenizer, "starcoder");
  EXPECT_EQ(read({.pre_tokenizer = split(kLlama3)})->bpe()->pre_tokenizer, "llama3");
  EXPECT_EQ(read({.pre_tokenizer =
                      split(R"('s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+)")})
                ->bpe()
                ->pre_tokenizer,
            "gpt2");
  EXPECT_EQ(read({.pre_tokenizer = split(kQwen2)})->bpe()->pre_tokenizer, "qwen2");
  EXPECT_EQ(read({.pre_tokenizer = split(R"(\\p{N})", "Isolated", "false", "true")})->bpe()->pre_tokenizer,
            "starcoder");
}

// OLMo 2 writes the same in other words: it removes all that the expression does not match, which is nothing.
TEST(ByteLevelBpe, TheRestMayBeRemoved) {
  EXPECT_EQ(read({.pre_tokenizer = split(kLlama3, "Removed", "true")})->bpe()->pre_tokenizer, "llama3");
  for (const auto& [behavior, invert] :
       {std::pair("Removed", "false"), {"Isolated", "true"}, {"MergedWithNext", "false"}}) {
    const auto tokenizer = read({.pre_tokenizer = split(kLlama3, behavior, invert)});
    ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
    EXPECT_EQ(tokenizer->bpe()->pre_tokenizer, "");
    ASSERT_TRUE(tokenizer->bpe()->splits);
    EXPECT_EQ(tokenizer->bpe()->splits->size(), 1u);
  }
  EXPECT_EQ(read({.pre_tokenizer = split(kLlama3, "Kept")}).error().code, Code::unsupported);
}

TEST(ByteLevelBpe, WordsMayBeCutInSeveralSteps) {
  const auto steps = [](const std::string& list) {
    const auto tokenizer = read({.pre_tokenizer = R"({"type":"Sequence","pretokenizers":[)" + list + "]}"});
    EXPECT_TRUE(tokenizer) << tokenizer.error().detail;
    return tokenizer && tokenizer->bpe()->splits ? *tokenizer->bpe()->splits : std::vector<SplitStep>();
  };
  using Steps = std::vector<SplitStep>;
  const std::string last = R"(,{"type":"ByteLevel","add_prefix_space":false,"use_regex":false})";
  EXPECT_EQ(steps(R"({"type":"Digits","individual_digits":false})" + last), (Steps{{.expression = R"(\p{N}+)"}}));
  EXPECT_EQ(steps(R"({"type":"Whitespace"})" + last), (Steps{{.expression = "[\\w\u200C\u200D]+|[^\\w\\s\u200C\u200D]+",
                                                              .behavior = SplitBehavior::removed,
                                                              .inverts = true}}));
  EXPECT_EQ(steps(R"({"type":"WhitespaceSplit"})" + last),
            (Steps{{.expression = R"(\s)", .behavior = SplitBehavior::removed}}));
  EXPECT_EQ(steps(R"({"type":"Punctuation","behavior":"Contiguous"})" + last),
            (Steps{{.expression = std::string(kPunctuationExpression), .behavior = SplitBehavior::contiguous}}));
  EXPECT_EQ(steps(R"({"type":"BertPreTokenizer"})" + last),
            (Steps{{.expression = R"(\s)", .behavior = SplitBehavior::removed},
                   {.expression = std::string(kPunctuationExpression)}}));
  EXPECT_EQ(steps(R"({"type":"CharDelimiterSplit","delimiter":"."})" + last),
            (Steps{{.expression = R"(\.)", .behavior = SplitBehavior::removed}}));
  EXPECT_EQ(
      steps(R"({"type":"Split","pattern":{"String":"a.b"},"behavior":"MergedWithPrevious","invert":false})" + last),
      (Steps{{.expression = R"(a\.b)", .behavior = SplitBehavior::merged_with_previous}}));
  EXPECT_EQ(steps(R"({"type":"ByteLevel","use_regex":false},{"type":"Split","pattern":{"Regex":"x"}})"),
            (Steps{{.adds_space = true, .spells_bytes = true}, {.expression = "x"}}));
}

TEST(ByteLevelBpe, ASpaceMayBeAddedInFront) {
  const auto tokenizer = read({.pre_tokenizer = R"({"type":"ByteLevel","add_prefix_space":true})"});
  ASSERT_TRUE(tokenizer);
  ASSERT_TRUE(tokenizer->bpe()->splits);
  EXPECT_TRUE(tokenizer->bpe()->splits->front().adds_space);
}

TEST(ByteLevelBpe, MergesAreIgnoredWhereTheFileSaysSo) {
  const std::string ignored = R"("ignore_merges":true,"vocab":{"a":0},"merges":[])";
  EXPECT_TRUE(read({.pre_tokenizer = split(kLlama3), .model = ignored})->bpe()->ignore_merges);
  EXPECT_TRUE(read({.model = ignored})->bpe()->ignore_merges);
  EXPECT_FALSE(read({.pre_tokenizer = split(kLlama3)})->bpe()->ignore_merges);
}

TEST(ByteLevelBpe, NormalizersAreListed) {
  const auto steps = [](const std::string& normalizer) {
    const auto tokenizer = read({.normalizer = normalizer});
    EXPECT_TRUE(tokenizer) << normalizer;
    return tokenizer ? tokenizer->normalizer : std::vector<NormalizerStep>();
  };
  using Steps = std::vector<NormalizerStep>;
  EXPECT_EQ(steps("null"), Steps());
  EXPECT_EQ(steps(R"({"type":"Sequence","normalizers":[]})"), Steps());
  EXPECT_EQ(steps(R"({"type":"NFC"})"), (Steps{{.kind = NormalizerKind::nfc}}));
  EXPECT_EQ(steps(R"({"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"NFKD"}]})"),
            (Steps{{.kind = NormalizerKind::nfkc}, {.kind = NormalizerKind::nfkd}}));
  EXPECT_EQ(steps(R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"Sequence","normalizers":[)"
                  R"({"type":"StripAccents"},{"type":"Lowercase"}]},{"type":"Nmt"}]})"),
            (Steps{{.kind = NormalizerKind::nfd},
                   {.kind = NormalizerKind::strip_accents},
                   {.kind = NormalizerKind::lowercase},
                   {.kind = NormalizerKind::nmt}}));
  EXPECT_EQ(steps(R"({"type":"Strip","strip_left":false,"strip_right":true})"),
            (Steps{{.kind = NormalizerKind::strip, .right = true}}));
  EXPECT_EQ(steps(R"({"type":"Prepend","prepend":"x"})"), (Steps{{.kind = NormalizerKind::prepend, .content = "x"}}));
  EXPECT_EQ(steps(R"json({"type":"Replace","pattern":{"String":"(a)"},"content":"b"})json"),
            (Steps{{.kind = NormalizerKind::replace, .pattern = R"(\(a\))", .content = "b"}}));
  EXPECT_EQ(steps(R"({"type":"Replace","pattern":{"Regex":"a+"},"content":"b"})"),
            (Steps{{.kind = NormalizerKind::replace, .pattern = "a+", .content = "b"}}));
  for (const char* other : {R"({"type":"ByteLevel"})", R"({"type":"Sequence","normalizers":[{"type":"Other"}]})",
                            R"({"type":"Sequence"})", R"("NFC")", R"({"type":"Replace","content":"b"})"}) {
    EXPECT_EQ(read({.normalizer = other}).error().code, Code::unsupported) << other;
  }
}

TEST(ByteLevelBpe, ThePostProcessorSaysWhetherATextHasABeginToken) {
  const auto begin = [](const std::string& post_processor) {
    return read({.pre_tokenizer = std::string(kGpt2) + R"(,"post_processor":)" + post_processor});
  };
  const std::string with_a =
      R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"a"}},{"Sequence":{"id":"A"}}],)"
      R"("special_tokens":{"a":{"ids":[0]}}})";
  for (const std::string& each :
       {with_a, R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)" + with_a + "]}"}) {
    const auto tokenizer = begin(each);
    ASSERT_TRUE(tokenizer) << each;
    EXPECT_EQ(tokenizer->add_bos, true);
    EXPECT_EQ(tokenizer->special.bos, 0u);
  }
  for (const char* each :
       {"null", R"({"type":"ByteLevel"})", R"({"type":"TemplateProcessing"})",
        R"({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}}],"pair":[]})",
        R"({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}},{"SpecialToken":{"id":"a"}}],)"
        R"("special_tokens":{"a":{"ids":[0]}}})"}) {
    const auto tokenizer = begin(each);
    ASSERT_TRUE(tokenizer) << each;
    EXPECT_EQ(tokenizer->add_bos, false) << each;
    EXPECT_EQ(tokenizer->special.bos, std::nullopt);
  }
  const char* nowhere = R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"a"}}]})";
  EXPECT_EQ(begin(nowhere).error().code, Code::format);
}

TEST(ByteLevelBpe, OtherPipelinesAreUnsupported) {
  const Parts cases[] = {{.pre_tokenizer = "null"},
                         {.pre_tokenizer = R"({"type":"Whitespace"})"},
                         {.pre_tokenizer = R"({"type":"BertPreTokenizer"})"},
                         {.pre_tokenizer = R"({"type":"Sequence","pretokenizers":[)" + std::string(kGpt2) + "," +
                                           std::string(kGpt2) + "]}"},
                         {.model = R"("end_of_word_suffix":7,"vocab":{"a":0},"merges":[])"},
                         {.model = R"("continuing_subword_prefix":"##","vocab":{"a":0},"merges":[])"}};
  for (const Parts& parts : cases) {
    const auto tokenizer = read(parts);
    ASSERT_FALSE(tokenizer) << parts.pre_tokenizer << parts.normalizer << parts.model;
    EXPECT_EQ(tokenizer.error().code, Code::unsupported) << tokenizer.error().detail;
  }
}

void expect_refused(const std::string& model, Reason reason, const std::string& added = "[]") {
  const auto tokenizer = read({.added = added, .model = model});
  ASSERT_FALSE(tokenizer) << model;
  EXPECT_EQ(tokenizer.error().reason, reason) << tokenizer.error().detail;
  EXPECT_EQ(tokenizer.error().code, Code::format);
}

TEST(Bpe, BrokenListsAreRejected) {
  expect_refused(R"("merges":[])", Reason::missing);
  expect_refused(R"("vocab":[],"merges":[])", Reason::missing);
  expect_refused(R"("vocab":{"a":0})", Reason::missing);
  expect_refused(R"("vocab":{"a":-1},"merges":[])", Reason::malformed);
  expect_refused(R"("vocab":{"a":4294967296},"merges":[])", Reason::malformed);
  expect_refused(R"("vocab":{"a":"0"},"merges":[])", Reason::malformed);
  expect_refused(R"("vocab":{"a":0,"b":0},"merges":[])", Reason::duplicate);
  expect_refused(R"("vocab":{"a":0},"merges":[])", Reason::duplicate, R"([{"id":0,"content":"b"}])");
  expect_refused(R"("vocab":{"a":0},"merges":[])", Reason::duplicate, R"([{"id":1,"content":"a"}])");
  expect_refused(R"("vocab":{"a":0},"merges":[])", Reason::malformed, R"([{"id":1}])");
  expect_refused(R"("vocab":{"a":0},"merges":[])", Reason::malformed, R"([{"content":"b"}])");
  expect_refused(R"("vocab":{"a":0,"b":1,"ab":2},"merges":["ab"])", Reason::malformed);
  expect_refused(R"("vocab":{"a":0,"b":1,"ab":2},"merges":["a b "])", Reason::malformed);
  expect_refused(R"("vocab":{"a":0,"b":1,"ab":2},"merges":[["a"]])", Reason::malformed);
  expect_refused(R"("vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b","c"]])", Reason::malformed);
  expect_refused(R"("vocab":{"a":0,"b":1,"ab":2},"merges":[3])", Reason::malformed);
  expect_refused(R"("vocab":{"a":0,"b":1},"merges":["a b"])", Reason::mismatch);
  expect_refused(R"("vocab":{"a":0,"ab":1},"merges":["a b"])", Reason::mismatch);
}

TEST(SentencePieceBpe, ScoresFollowTheFirstMergeOfEachPiece) {
  Parts parts{.normalizer = std::string(kMarks),
              .pre_tokenizer = "null",
              .added = R"([{"id":0,"content":"<unk>","special":true},{"id":1,"content":"<s>","special":true},
                           {"id":10,"content":"<|user|>","special":true},{"id":11,"content":"plain","special":false}])",
              .model = R"("byte_fallback":true,"unk_token":"<unk>","vocab":{"<unk>":0,"<s>":1,"<0x0A>":2,
    "▁":3,"a":4,"b":5,"ab":6,"bab":7,"ba":8,"▁▁":9},"merges":["a b","b a","ba b","b ab"])"};
  const auto tokenizer = read(parts);
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  const TokenizerDescription& description = *tokenizer;
  ASSERT_EQ(description.type(), TokenizerType::sentencepiece);
  EXPECT_EQ(texts(description.tokens), (std::vector<std::string>{"<unk>", "<s>", "<0x0A>", "▁", "a", "b", "ab", "bab",
                                                                 "ba", "▁▁", "<|user|>", "plain"}));
  using enum PieceType;
  EXPECT_EQ(description.piece_types, (std::vector<PieceType>{unknown, control, byte, normal, normal, normal, normal,
                                                             normal, normal, unused, control, user_defined}));
  EXPECT_EQ(description.sentencepiece()->scores, (std::vector<float>{0, 0, 0, -4, -4, -4, 0, -2, -1, -4, 0, 0}));
  EXPECT_EQ(description.special.unk, 0u);
  EXPECT_TRUE(description.sentencepiece()->proto.empty());
  EXPECT_TRUE(sentencepiece::write_model_proto(description));
}

TEST(SentencePieceBpe, SpacesMayBeMarkedByThePreTokenizer) {
  const std::string model = R"("byte_fallback":true,"vocab":{"a":0},"merges":[])";
  for (const char* good : {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":false})",
                           R"({"type":"Metaspace","replacement":"▁","add_prefix_space":true,"split":false})"}) {
    const auto tokenizer = read({.pre_tokenizer = good, .model = model});
    ASSERT_TRUE(tokenizer) << good;
    const SentencePieceSettings& settings = *tokenizer->sentencepiece()->settings;
    EXPECT_TRUE(settings.add_dummy_prefix && settings.prefixes_no_space) << good;
    EXPECT_FALSE(settings.splits_words) << good;
  }
  for (const char* bad : {R"({"type":"Metaspace","replacement":"_","prepend_scheme":"first","split":false})",
                          R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"last","split":true})", "null"}) {
    EXPECT_EQ(read({.pre_tokenizer = bad, .model = model}).error().code, Code::unsupported) << bad;
  }
  for (const char* bad : {R"({"type":"Replace","pattern":{"String":" "},"content":"_"})", R"({"type":"Other"})"}) {
    EXPECT_EQ(read({.normalizer = bad, .pre_tokenizer = "null", .model = model}).error().code, Code::unsupported)
        << bad;
  }
}

TEST(SentencePieceBpe, WordsMayBeSplit) {
  const auto tokenizer = read({.pre_tokenizer = R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"first"})",
                               .model = R"("byte_fallback":true,"vocab":{"a":0},"merges":[])"});
  ASSERT_TRUE(tokenizer);
  const SentencePieceSettings& settings = *tokenizer->sentencepiece()->settings;
  EXPECT_TRUE(settings.splits_words && settings.prefixes_first_part);
  EXPECT_EQ(sentencepiece::write_model_proto(*tokenizer).error().code, Code::unsupported);
}

// Gemma has these settings.
TEST(SentencePieceBpe, ATextMayHaveNoMarkInFront) {
  const std::string model = R"("byte_fallback":true,"vocab":{"a":0},"merges":[])";
  const std::string replace = R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})";
  const std::string split =
      R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false})";
  const std::string never = R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"never","split":false})";
  for (const auto& [normalizer, pre_tokenizer] :
       {std::pair(replace, std::string("null")), {replace, split}, {std::string("null"), never}}) {
    const auto tokenizer = read({.normalizer = normalizer, .pre_tokenizer = pre_tokenizer, .model = model});
    ASSERT_TRUE(tokenizer) << normalizer << pre_tokenizer;
    EXPECT_FALSE(tokenizer->sentencepiece()->settings->add_dummy_prefix);
    const auto proto = sentencepiece::write_model_proto(*tokenizer);
    ASSERT_TRUE(proto);
    EXPECT_FALSE(sentencepiece::read_settings(*proto)->add_dummy_prefix);
  }
}

TEST(SentencePieceBpe, IdsHaveNoGaps) {
  const auto tokenizer = read({.normalizer = std::string(kMarks),
                               .pre_tokenizer = "null",
                               .model = R"("byte_fallback":true,"vocab":{"a":0,"b":2},"merges":[])"});
  EXPECT_EQ(tokenizer.error().reason, Reason::missing);
}

// Merges as transformers writes them for a SentencePiece model: every way of splitting a piece in two, best piece
// first.
std::string converted(const TokenizerDescription& model) {
  const std::vector<float>& scores = model.sentencepiece()->scores;
  std::map<std::string, size_t> ids;
  for (size_t i = 0; i < model.size(); ++i) ids[std::string(model.tokens[i])] = i;
  Json vocabulary = Json::object();
  std::vector<std::tuple<float, size_t, std::string>> merges;
  for (const auto& [text, id] : ids) {
    vocabulary.append(text, uint64_t{id});
    for (size_t at = 1; at < text.size(); ++at) {
      const std::string left = text.substr(0, at), right = text.substr(at);
      if (ids.contains(left) && ids.contains(right)) merges.emplace_back(-scores[id], at, left + " " + right);
    }
  }
  std::ranges::sort(merges);
  Json list = Json::array();
  for (const auto& [score, at, merge] : merges) list.push_back(merge);
  return R"("byte_fallback":true,"unk_token":"<unk>","vocab":)" + write_json(vocabulary) + R"(,"merges":)" +
         write_json(list);
}

TEST(SentencePieceBpe, OrdersPiecesLikeItsSourceModel) {
  const auto model = sentencepiece::read_model_proto(fixture("sentencepiece/tok512.model"));
  ASSERT_TRUE(model);
  const auto tokenizer =
      read({.normalizer = std::string(kMarks),
            .pre_tokenizer = "null",
            .added = R"([{"id":1,"content":"<s>","special":true},{"id":2,"content":"</s>","special":true}])",
            .model = converted(*model)});
  ASSERT_TRUE(tokenizer) << tokenizer.error().detail;
  const TokenizerDescription& description = *tokenizer;
  EXPECT_EQ(texts(description.tokens), texts(model->tokens));
  EXPECT_EQ(description.piece_types, model->piece_types);
  const std::vector<float>&expected = model->sentencepiece()->scores, &scores = description.sentencepiece()->scores;
  for (size_t i = 1; i < model->size(); ++i) {
    const bool several = decode_utf8(model->tokens[i], 0).bytes < model->tokens[i].size();
    if (model->piece_types[i - 1] != PieceType::normal || !several) continue;
    EXPECT_EQ(expected[i - 1] > expected[i], scores[i - 1] > scores[i]) << i;
  }
}

}  // namespace
}  // namespace quintet::test
