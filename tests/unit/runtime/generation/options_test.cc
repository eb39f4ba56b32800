// Options and messages as JSON.
#include <gtest/gtest.h>

#include "runtime/generation/generation_options.h"
#include "runtime/generation/generator_model.h"

namespace quintet {
namespace {

TEST(GenerationOptions, DocumentedDefaults) {
  const auto options = read_generation_options("{}");
  ASSERT_TRUE(options);
  const SamplingOptions& sampling = options->sampling;
  EXPECT_EQ(sampling.temperature, 0.8);
  EXPECT_EQ(sampling.top_k, 40U);
  EXPECT_EQ(sampling.top_p, 0.95);
  EXPECT_EQ(sampling.min_p, 0);
  EXPECT_EQ(sampling.repetition_penalty, 1);
  EXPECT_EQ(sampling.frequency_penalty, 0);
  EXPECT_EQ(sampling.presence_penalty, 0);
  EXPECT_FALSE(sampling.resumes);
  EXPECT_EQ(options->max_tokens, 256U);
  EXPECT_TRUE(options->stop.empty());
  EXPECT_EQ(sampling.repeat_last_n, UINT64_MAX);
  EXPECT_EQ(sampling.dry.multiplier, 0);
  EXPECT_EQ(sampling.dry.base, 1.75);
  EXPECT_EQ(sampling.dry.allowed_length, 2U);
  EXPECT_EQ(sampling.dry.last_n, UINT64_MAX);
  EXPECT_EQ(sampling.dry.breakers, (std::vector<std::string>{"\n", ":", "\"", "*"}));
  EXPECT_EQ(sampling.xtc_probability, 0);
  EXPECT_EQ(sampling.xtc_threshold, 0.1);
  EXPECT_FALSE(options->reasoning);
  EXPECT_FALSE(options->logprobs);
}

TEST(GenerationOptions, AllOfThem) {
  const auto options = read_generation_options(
      R"({"temperature":0,"topK":0,"topP":0.5,"minP":0.1,"repetitionPenalty":1.2,"frequencyPenalty":-0.5,)"
      R"("presencePenalty":0.25,"seed":9007199254740991,"maxTokens":3,"stop":["a","\u00e4b"],"logprobs":5,)"
      R"("resumes":true,"repeatLastN":64,"dryMultiplier":0.8,"dryBase":2,"dryAllowedLength":3,"dryPenaltyLastN":100,)"
      R"("drySequenceBreakers":["."],"xtcProbability":0.5,"xtcThreshold":0.2,)"
      R"("reasoning":{"budget":7,"begin":"<a>","end":"</a>","closing":"\n</a>","begins":true}})");
  ASSERT_TRUE(options) << options.error().detail;
  const SamplingOptions& sampling = options->sampling;
  EXPECT_EQ(sampling.temperature, 0);
  EXPECT_EQ(sampling.top_k, 0U);
  EXPECT_EQ(sampling.top_p, 0.5);
  EXPECT_EQ(sampling.min_p, 0.1);
  EXPECT_EQ(sampling.repetition_penalty, 1.2);
  EXPECT_EQ(sampling.frequency_penalty, -0.5);
  EXPECT_EQ(sampling.presence_penalty, 0.25);
  EXPECT_EQ(sampling.seed, 9007199254740991U);
  EXPECT_EQ(options->max_tokens, 3U);
  EXPECT_EQ(options->stop, (std::vector<std::string>{"a", "äb"}));
  EXPECT_EQ(options->logprobs, 5U);
  EXPECT_TRUE(sampling.resumes);
  EXPECT_EQ(sampling.repeat_last_n, 64U);
  EXPECT_EQ(sampling.dry.multiplier, 0.8);
  EXPECT_EQ(sampling.dry.base, 2);
  EXPECT_EQ(sampling.dry.allowed_length, 3U);
  EXPECT_EQ(sampling.dry.last_n, 100U);
  EXPECT_EQ(sampling.dry.breakers, std::vector<std::string>{"."});
  EXPECT_EQ(sampling.xtc_probability, 0.5);
  EXPECT_EQ(sampling.xtc_threshold, 0.2);
  ASSERT_TRUE(options->reasoning);
  EXPECT_EQ(options->reasoning->budget, 7U);
  EXPECT_EQ(options->reasoning->begin, "<a>");
  EXPECT_EQ(options->reasoning->end, "</a>");
  EXPECT_EQ(options->reasoning->closing, "\n</a>");
  EXPECT_TRUE(options->reasoning->begins);
}

TEST(GenerationOptions, ValuesOutOfRangeAreRejected) {
  const char* wrong[] = {
      "",
      "[]",
      R"({"temperature":-0.1})",
      R"({"temperature":null})",
      R"({"temperature":"1"})",
      R"({"temperature":1e300})",
      R"({"topK":-1})",
      R"({"resumes":1})",
      R"({"topK":1.5})",
      R"({"topP":1.1})",
      R"({"topP":-0.1})",
      R"({"minP":2})",
      R"({"repetitionPenalty":0})",
      R"({"repetitionPenalty":-1})",
      R"({"frequencyPenalty":1e9})",
      R"({"presencePenalty":true})",
      R"({"seed":-1})",
      R"({"seed":0.5})",
      R"({"maxTokens":-1})",
      R"({"stop":"a"})",
      R"({"stop":[""]})",
      R"({"stop":[1]})",
      R"({"logprobs":-1})",
      R"({"logprobs":true})",
      R"({"repeatLastN":-1})",
      R"({"dryMultiplier":-1})",
      R"({"dryBase":0.9})",
      R"({"dryAllowedLength":-1})",
      R"({"drySequenceBreakers":[""]})",
      R"({"xtcProbability":1.1})",
      R"({"xtcThreshold":-0.1})",
      R"({"reasoning":{}})",
      R"({"reasoning":5})",
      R"({"reasoning":{"budget":-1,"begin":"<a>","end":"</a>","closing":"</a>","begins":true}})",
      R"({"reasoning":{"budget":1,"begin":"","end":"</a>","closing":"</a>","begins":true}})",
      R"({"topk":1})",
      R"({"topK":1,"topK":2})",
  };
  for (const char* json : wrong) {
    const auto options = read_generation_options(json);
    ASSERT_FALSE(options) << json;
    EXPECT_EQ(options.error().code, Code::input) << json;
  }
}

TEST(GeneratorOptions, DocumentedNames) {
  const auto plain = read_generator_options("{}");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->format);
  EXPECT_EQ(plain->options.quantize, GeneratorOptions::Quantize::none);
  EXPECT_EQ(plain->options.context_length, 0U);
  EXPECT_EQ(plain->options.kv_types.keys, KvType::f32);
  EXPECT_EQ(plain->options.kv_types.values, KvType::f32);

  const auto request =
      read_generator_options(R"({"format":"alt","quantize":"int4","contextLength":77,"kvCache":"int8"})");
  ASSERT_TRUE(request) << request.error().detail;
  EXPECT_EQ(request->format, Format::alt);
  EXPECT_EQ(request->options.quantize, GeneratorOptions::Quantize::int4);
  EXPECT_EQ(request->options.context_length, 77U);
  EXPECT_EQ(request->options.kv_types.keys, KvType::int8);
  EXPECT_EQ(request->options.kv_types.values, KvType::int8);

  const auto two = read_generator_options(R"({"kvCache":{"keys":"int8","values":"f16"}})");
  ASSERT_TRUE(two) << two.error().detail;
  EXPECT_EQ(two->options.kv_types.keys, KvType::int8);
  EXPECT_EQ(two->options.kv_types.values, KvType::f16);
}

TEST(GeneratorOptions, ValuesOutOfRangeAreRejected) {
  const char* wrong[] = {"null",
                         R"({"format":"zip"})",
                         R"({"format":3})",
                         R"({"kvCache":{"keys":"int8"}})",
                         R"({"kvCache":{"keys":"int8","values":"f8"}})",
                         R"({"quantize":"int5"})",
                         R"({"contextLength":0})",
                         R"({"contextLength":-4})",
                         R"({"contextLength":1.5})",
                         R"({"kvCache":"f8"})",
                         R"({"kvcache":"f16"})"};
  for (const char* json : wrong) {
    const auto request = read_generator_options(json);
    ASSERT_FALSE(request) << json;
    EXPECT_EQ(request.error().code, Code::input) << json;
  }
}

}  // namespace
}  // namespace quintet
