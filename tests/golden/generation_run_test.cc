// Sessions against what the fixtures say: greedy continuations, perplexities, and the story of the bundled model.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "base/json.h"
#include "tests/golden/fixture.h"
#include "tests/golden/generation.h"

namespace quintet {
namespace {

struct Expected {
  std::string file;
  std::vector<uint32_t> ids, greedy;
  double tolerance = 0;  // of one logit
  double gap = 0;        // between the best two, at least
  double perplexity = 0;
};

std::vector<uint32_t> ids_in(const Json& list) {
  std::vector<uint32_t> ids;
  for (const Json& id : *list.as_array()) ids.push_back(static_cast<uint32_t>(*id.as_uint()));
  return ids;
}

std::vector<Expected> read_runs() {
  const auto bytes = test::read_fixture("amb/runs.json");
  const auto json = parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_TRUE(json);
  std::vector<Expected> runs;
  for (const Json& entry : *json->as_array()) {
    Expected run{.file = *entry.find("file")->as_string(),
                 .ids = ids_in(*entry.find("ids")),
                 .greedy = ids_in(*entry.find("greedy"))};
    // Activations of quantized matrices are rounded to 8 bits.
    const bool quantized = run.file.find("int") != std::string::npos ||
                           run.file.find("adaptive") != std::string::npos ||
                           run.file.find("phi3") != std::string::npos || run.file.find("mistral") != std::string::npos;
    const char* kind = quantized ? "abs_if_activations_are_8bit" : "abs";
    run.tolerance = *entry.find("tolerance")->find(kind)->as_double();
    run.gap = *entry.find("greedy_smallest_gap")->as_double();
    run.perplexity = *entry.find("perplexity")->as_double();
    runs.push_back(std::move(run));
  }
  return runs;
}

const GeneratorOptions kFloatCache{.kv_types = KvType::f32};

TEST(GenerationRuns, GreedyContinuations) {
  int compared = 0;
  for (const Expected& run : read_runs()) {
    SCOPED_TRACE(run.file);
    const auto model = test::load_generator("amb/" + run.file, kFloatCache);
    auto session = test::open_session(model);
    test::compute(*session, run.ids);
    const auto answer = test::generate(*session, R"({"temperature":0,"maxTokens":8})");
    if (run.gap <= 2 * run.tolerance) continue;
    EXPECT_EQ(answer.ids, run.greedy);
    ++compared;
  }
  EXPECT_GE(compared, 6);
}

TEST(GenerationRuns, Perplexities) {
  for (const Expected& run : read_runs()) {
    SCOPED_TRACE(run.file);
    const auto model = test::load_generator("amb/" + run.file, kFloatCache);
    auto session = test::open_session(model);
    ASSERT_TRUE(session->begin_scoring(run.ids, false));
    test::complete(*session);
    const Scoring* scoring = session->scoring();
    ASSERT_NE(scoring, nullptr);
    EXPECT_EQ(scoring->count(), run.ids.size() - 1);
    const double mean = scoring->sum() / static_cast<double>(scoring->count());
    EXPECT_NEAR(mean, std::log(run.perplexity), 2 * run.tolerance + 1e-4);
  }
}

TEST(GenerationRuns, TheStoryOfTheBundledModel) {
  const auto expected = test::read_fixture("storyteller/expected_greedy_200.txt");
  std::string story(reinterpret_cast<const char*>(expected.data()), expected.size());
  while (!story.empty() && story.back() == '\n') story.pop_back();

  const auto model = test::load_generator("../../models/stories260k.amb", {});
  auto session = test::open_session(model);
  const auto prompt = model->codec.encode("", {});
  ASSERT_TRUE(prompt);
  test::compute(*session, *prompt);
  const auto answer = test::generate(*session, R"({"temperature":0,"maxTokens":200})");
  EXPECT_EQ(answer.text, story);
}

}  // namespace
}  // namespace quintet
