// The random numbers of a session go with its cache, where that is asked for.
#include <gtest/gtest.h>

#include <random>

#include "tests/golden/cache_files.h"
#include "tests/golden/generation.h"
#include "tests/kernels/variants.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

std::shared_ptr<const GeneratorModel> model() {
  static const auto loaded =
      test::load_generator("amb/llama-f32.amb", {.context_length = 200, .kv_types = KvType::f32});
  return loaded;
}

const Ids kPrompt{28, 38, 5, 57, 46, 9, 29, 36};

std::unique_ptr<GenerationSession> prompted() {
  auto session = test::open_session(model());
  test::compute(*session, kPrompt);
  return session;
}

Ids chosen(GenerationSession& session, int count, const std::string& more) {
  const std::string options = R"({"temperature":0.8,"topK":0,"topP":1,"maxTokens":)" + std::to_string(count);
  return test::generate(session, options + "," + more + "}").ids;
}

Ids joined(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void compute_waiting(GenerationSession& session) {
  ASSERT_TRUE(session.begin_waiting());
  test::complete(session);
}

TEST(SessionSampler, AGenerationContinuesInAnotherSession) {
  for (const uint64_t seed : {0U, 1U, 12345U}) {
    const std::string seeded = R"("seed":)" + std::to_string(seed);
    auto whole = prompted();
    const Ids expected = chosen(*whole, 20, seeded);
    ASSERT_EQ(expected.size(), 20U);

    auto first = prompted();
    const Ids begin = chosen(*first, 10, seeded);
    compute_waiting(*first);
    auto second = test::open_session(model());
    const Status status = test::load_cache(*second, test::saved_cache(*first, {}, true), std::nullopt, true);
    ASSERT_TRUE(status) << status.error().detail;
    EXPECT_TRUE(testing::same_bits(test::logits_of(*second), test::logits_of(*first)));
    EXPECT_EQ(second->begin({}, false), size_t{0});
    EXPECT_EQ(joined(begin, chosen(*second, 10, R"("seed":7,"resumes":true)")), expected);
    // Undone tokens drew no random number.
    auto undone = test::open_session(model());
    ASSERT_TRUE(test::load_cache(*undone, test::saved_cache(*first, {}, true), std::nullopt, true));
    ASSERT_TRUE(undone->mark());
    EXPECT_EQ(undone->begin({}, false), size_t{0});
    EXPECT_EQ(chosen(*undone, 5, R"("seed":7,"resumes":true)").size(), 5U);
    undone->cancel();
    EXPECT_EQ(undone->begin({}, false), size_t{0});
    EXPECT_EQ(joined(begin, chosen(*undone, 10, R"("seed":7,"resumes":true)")), expected);
    // Once: the next one is the seed's again.
    test::compute(*second, {});
    test::compute(*whole, {});
    EXPECT_EQ(chosen(*second, 10, R"("seed":7,"resumes":true)"), chosen(*whole, 10, R"("seed":7)"));
  }
}

// The logits are missing then, and are computed with the last token.
TEST(SessionSampler, TheStateAloneIsEnough) {
  auto whole = prompted();
  const Ids expected = chosen(*whole, 20, R"("seed":3)");
  auto first = prompted();
  const Ids begin = chosen(*first, 10, R"("seed":3)");
  compute_waiting(*first);
  auto content = first->content(true);
  ASSERT_TRUE(content);
  content->logits.clear();
  auto second = test::open_session(model());
  ASSERT_TRUE(second->restore(*std::move(content), std::nullopt, true));
  EXPECT_EQ(second->begin({}, false), size_t{1});
  test::complete(*second);
  EXPECT_EQ(joined(begin, chosen(*second, 10, R"("resumes":true)")), expected);
}

TEST(SessionSampler, ItIsUsedOnlyOnRequest) {
  auto first = prompted();
  chosen(*first, 10, R"("seed":4)");
  compute_waiting(*first);
  const auto file = test::saved_cache(*first, {}, true);
  auto plain = test::open_session(model()), seeded = test::open_session(model());
  const Ids expected = chosen(*first, 10, R"("seed":5)");

  ASSERT_TRUE(test::load_cache(*plain, file));
  EXPECT_FALSE(plain->logits());
  test::compute(*plain, {});
  EXPECT_EQ(chosen(*plain, 10, R"("seed":5,"resumes":true)"), expected);

  ASSERT_TRUE(test::load_cache(*seeded, file, std::nullopt, true));
  EXPECT_EQ(chosen(*seeded, 10, R"("seed":5)"), expected);
}

TEST(SessionSampler, ANewStateIsMadeFromTheSeed) {
  auto session = prompted();
  EXPECT_EQ(session->content(true)->metadata.find("sampler_state"), nullptr);
  EXPECT_EQ(session->content(true)->logits, test::logits_of(*session));
  chosen(*session, 0, R"("seed":0)");
  const auto content = session->content(true);
  ASSERT_TRUE(content);
  // The first four numbers of SplitMix64 from 0, as its authors' code gives them.
  EXPECT_EQ(*content->metadata.find("sampler_state")->as_string(),
            "e220a8397b1dcdaf6e789e6aa1b965f406c45d188009454ff88bb8a8724c81ec");
  EXPECT_EQ(session->content(false)->metadata.find("sampler_state"), nullptr);
}

TEST(SessionSampler, AnotherTextHasNoState) {
  const auto state_of = [](const GenerationSession& session) {
    return session.content(true)->metadata.find("sampler_state") != nullptr;
  };
  auto session = prompted();
  chosen(*session, 0, R"("seed":1)");
  EXPECT_TRUE(state_of(*session));
  test::compute(*session, Ids{1});
  EXPECT_TRUE(state_of(*session));
  EXPECT_FALSE(state_of(**session->fork()));
  ASSERT_TRUE(session->rewind(8));
  EXPECT_FALSE(state_of(*session));
  test::compute(*session, {});
  chosen(*session, 0, R"("seed":1)");
  EXPECT_TRUE(state_of(*session));
  test::compute(*session, kPrompt, true);
  EXPECT_FALSE(state_of(*session));
}

TEST(SessionSampler, InvalidStatesAreRejected) {
  auto saved = prompted();
  chosen(*saved, 1, R"("seed":1)");
  compute_waiting(*saved);
  auto session = test::open_session(model());
  const auto restored = [&](const Json& state, size_t logits, bool with_sampler) {
    auto content = saved->content(true);
    content->metadata.set("sampler_state", state);
    content->logits.resize(logits);
    return session->restore(*std::move(content), std::nullopt, with_sampler);
  };
  const std::string good = *saved->content(true)->metadata.find("sampler_state")->as_string();
  for (const Json& state : {Json(""), Json(good.substr(1)), Json(good + "0"), Json("g" + good.substr(1)),
                            Json(std::string(64, '0')), Json(5)}) {
    for (const bool with_sampler : {false, true}) {
      const Status status = restored(state, 64, with_sampler);
      ASSERT_FALSE(status) << write_json(state);
      EXPECT_EQ(status.error().code, Code::format);
      EXPECT_EQ(status.error().format, "safetensors");
    }
  }
  const Status status = restored(good, 63, true);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::format);
  EXPECT_TRUE(session->tokens().empty());
  EXPECT_TRUE(restored(good, 64, true));
}

}  // namespace
}  // namespace quintet
