// The promises of a session: the same logits however it got its tokens, and nothing half done after a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/golden/generation.h"
#include "tests/golden/plain_forward.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

constexpr uint64_t kContext = 200;

std::shared_ptr<const GeneratorModel> model() {
  static const auto loaded =
      test::load_generator("amb/llama-f32.amb", {.context_length = kContext, .kv_types = KvType::f32});
  return loaded;
}

Ids random_ids(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % 64);
  return ids;
}

Ids tokens_of(const GenerationSession& session) { return {session.tokens().begin(), session.tokens().end()}; }

// After the ids in another session.
std::vector<float> fresh_logits(const Ids& ids) {
  auto session = test::open_session(model());
  test::compute(*session, ids);
  return test::logits_of(*session);
}

Ids joined(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

template <class Answer>
void expect_input_error(const Answer& answer) {
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::input) << answer.error().detail;
}

TEST(Session, LogitsDoNotDependOnHowTheTokensCame) {
  const Ids ids = random_ids(150, 1);
  const auto expected = fresh_logits(ids);
  auto session = test::open_session(model());
  for (size_t at = 0; at < ids.size(); at += 37)
    test::compute(*session, std::span(ids).subspan(at, std::min<size_t>(37, ids.size() - at)));
  EXPECT_EQ(test::logits_of(*session), expected);
  EXPECT_EQ(tokens_of(*session), ids);
}

TEST(Session, ReplacingKeepsTheCommonPrefix) {
  auto session = test::open_session(model());
  const Ids begin = random_ids(100, 2);
  test::compute(*session, joined(begin, {1, 2, 3}));

  const Ids other = joined(begin, {4, 5});
  EXPECT_EQ(*session->begin(other, true), 2U);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(other));
  // A begin of what it holds: its last token is computed again, for the logits.
  EXPECT_EQ(*session->begin(begin, true), 1U);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(begin));
  // Beginning with it once more computes nothing.
  EXPECT_EQ(*session->begin(begin, true), 0U);
  EXPECT_EQ(*session->step(), 0U);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(begin));
  EXPECT_EQ(*session->begin(Ids{63, 1}, true), 2U);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits({63, 1}));
}

TEST(Session, ForksGoTheirOwnWays) {
  const Ids ids = random_ids(70, 3);
  auto session = test::open_session(model());
  test::compute(*session, ids);
  auto fork = session->fork();
  ASSERT_TRUE(fork);
  EXPECT_EQ(test::logits_of(**fork), fresh_logits(ids));
  test::compute(*session, Ids{1, 2});
  test::compute(**fork, Ids{3, 4, 5});
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(ids, {1, 2})));
  EXPECT_EQ(test::logits_of(**fork), fresh_logits(joined(ids, {3, 4, 5})));
  session.reset();
  test::compute(**fork, Ids{6});
  EXPECT_EQ(test::logits_of(**fork), fresh_logits(joined(ids, {3, 4, 5, 6})));
}

TEST(Session, RewindForgets) {
  const Ids ids = random_ids(90, 4);
  auto session = test::open_session(model());
  test::compute(*session, ids);
  ASSERT_TRUE(session->rewind(ids.size()));
  EXPECT_EQ(test::logits_of(*session), fresh_logits(ids));
  ASSERT_TRUE(session->rewind(40));
  EXPECT_EQ(session->tokens().size(), 40U);
  expect_input_error(session->logits());
  // Without more tokens the last one is computed again.
  EXPECT_EQ(*session->begin({}, false), 1U);
  test::complete(*session);
  const Ids rest(ids.begin(), ids.begin() + 40);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(rest));
  ASSERT_TRUE(session->rewind(10));
  test::compute(*session, Ids{7});
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined({ids.begin(), ids.begin() + 10}, {7})));
  expect_input_error(session->rewind(12));
  ASSERT_TRUE(session->rewind(0));
  expect_input_error(session->begin({}, false));
  test::compute(*session, Ids{7});
  EXPECT_EQ(test::logits_of(*session), fresh_logits({7}));
}

TEST(Session, TheLastChosenTokenWaits) {
  const Ids ids = random_ids(20, 5);
  auto session = test::open_session(model());
  test::compute(*session, ids);
  const auto answer = test::generate(*session, R"({"temperature":0,"maxTokens":3})");
  ASSERT_EQ(answer.ids.size(), 3U);
  EXPECT_EQ(answer.reason, EndReason::length);
  EXPECT_EQ(tokens_of(*session), joined(ids, answer.ids));
  expect_input_error(session->logits());
  expect_input_error(session->choose());

  EXPECT_EQ(*session->begin({}, false), 1U);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(ids, answer.ids)));
  const auto more = test::generate(*session, R"({"temperature":0,"maxTokens":2})");
  EXPECT_EQ(*session->begin(Ids{9, 8}, false), 3U);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(joined(joined(ids, answer.ids), more.ids), {9, 8})));
}

TEST(Session, ContinuesAsIfItHadNotPaused) {
  auto whole = test::open_session(model());
  auto parts = test::open_session(model());
  const Ids ids = random_ids(10, 6);
  test::compute(*whole, ids);
  test::compute(*parts, ids);
  const Ids expected = test::generate(*whole, R"({"temperature":0,"maxTokens":12})").ids;
  Ids found;
  for (int part = 0; part < 3; ++part) {
    test::compute(*parts, {});
    found = joined(found, test::generate(*parts, R"({"temperature":0,"maxTokens":4})").ids);
  }
  EXPECT_EQ(found, expected);
}

TEST(Session, CancelRestoresThePreviousState) {
  const Ids ids = random_ids(50, 7), more = random_ids(140, 8);
  auto session = test::open_session(model());
  test::compute(*session, ids);
  for (int steps : {0, 1, 2}) {
    ASSERT_TRUE(session->begin(more, false));
    expect_input_error(session->begin(ids, false));
    expect_input_error(session->fork());
    expect_input_error(session->rewind(1));
    expect_input_error(session->begin_scoring(ids, false));
    expect_input_error(session->logits());
    for (int i = 0; i < steps; ++i) {
      const auto left = session->step();
      ASSERT_TRUE(left);
      if (*left == 0) break;
    }
    session->cancel();
    if (session->tokens().size() > ids.size()) {  // it was complete
      ASSERT_TRUE(session->rewind(ids.size()));
    }
    EXPECT_EQ(tokens_of(*session), ids);
    test::compute(*session, {});
    EXPECT_EQ(test::logits_of(*session), fresh_logits(ids));
  }
}

// The models: one that keeps all positions, one with a sliding window, and one with short convolutions.
TEST(Session, CancelGoesBackToTheMark) {
  constexpr auto kOptions = R"({"temperature":1,"seed":3,"maxTokens":5})";
  for (const char* path : {"amb/llama-f32.amb", "amb/mistral-window.amb", "families/lfm2.gguf"}) {
    SCOPED_TRACE(path);
    const auto of = test::load_generator(path, {.kv_types = KvType::f32});
    const size_t max = std::min<size_t>(kContext, of->context_length);
    const Ids held = random_ids(max / 4, 18), more = random_ids(max / 2, 19);
    const auto fresh = [&](const Ids& ids) {
      auto session = test::open_session(of);
      test::compute(*session, ids);
      return test::logits_of(*session);
    };
    auto session = test::open_session(of);
    test::compute(*session, held);
    const Ids before = joined(held, test::generate(*session, kOptions).ids);
    ASSERT_EQ(tokens_of(*session), before);
    test::compute(*session, {});
    auto unmarked = session->fork();
    ASSERT_TRUE(unmarked);

    // Replaced or not, in the prompt or after it.
    for (const bool replace : {false, true}) {
      for (const size_t steps : {0U, 1U, 1000U}) {
        ASSERT_TRUE(session->mark());
        ASSERT_TRUE(session->begin(more, replace));
        expect_input_error(session->mark());
        size_t left = 1;
        for (size_t step = 0; step < steps && left != 0; ++step) left = *session->step();
        if (left == 0) test::generate(*session, kOptions);
        session->cancel();
        EXPECT_EQ(tokens_of(*session), before);
        EXPECT_EQ(test::logits_of(*session), fresh(before));
      }
    }
    ASSERT_TRUE(session->mark());
    test::compute(*session, more);
    session->settle();
    session->cancel();
    EXPECT_EQ(tokens_of(*session), joined(before, more));
    EXPECT_EQ(tokens_of(**unmarked), before);
    EXPECT_EQ(test::logits_of(**unmarked), fresh(before));
  }
}

TEST(Session, TooManyTokensAreRejectedBeforeAnythingRuns) {
  auto session = test::open_session(model());
  const Ids ids = random_ids(30, 9);
  test::compute(*session, ids);
  const auto logits = test::logits_of(*session);
  expect_input_error(session->begin(random_ids(kContext - 29, 1), false));
  expect_input_error(session->begin(random_ids(kContext + 1, 1), true));
  expect_input_error(session->begin(Ids{1, 64}, false));
  expect_input_error(session->begin(Ids{UINT32_MAX}, true));
  expect_input_error(session->begin({}, true));
  expect_input_error(session->begin_scoring(random_ids(kContext + 1, 1), false));
  expect_input_error(session->begin_scoring(Ids{64}, false));
  expect_input_error(session->begin_scoring({}, false));
  EXPECT_EQ(tokens_of(*session), ids);
  EXPECT_EQ(test::logits_of(*session), logits);
}

TEST(Session, AFullContextEndsAnAnswer) {
  auto session = test::open_session(model());
  test::compute(*session, random_ids(kContext - 2, 10));
  const auto answer = test::generate(*session, R"({"temperature":0})");
  EXPECT_EQ(answer.ids.size(), 2U);
  EXPECT_EQ(answer.reason, EndReason::length);
  EXPECT_EQ(session->tokens().size(), kContext);
  test::compute(*session, {});
  EXPECT_TRUE(test::generate(*session, "{}").ids.empty());
  expect_input_error(session->begin(Ids{1}, false));
}

TEST(Session, AnAnswerMayHaveNoTokens) {
  auto session = test::open_session(model());
  test::compute(*session, Ids{1});
  const auto answer = test::generate(*session, R"({"maxTokens":0})");
  EXPECT_TRUE(answer.ids.empty());
  EXPECT_EQ(answer.reason, EndReason::length);
}

TEST(Session, ReplacedLogitsCountOnce) {
  auto session = test::open_session(model());
  test::compute(*session, Ids{5, 6});
  auto unchanged = session->fork();
  ASSERT_TRUE(unchanged);
  const Ids expected = test::generate(**unchanged, R"({"temperature":0,"maxTokens":1})").ids;

  const auto options = read_generation_options(R"({"temperature":0,"maxTokens":3})");
  ASSERT_TRUE(session->start_generation(*options));
  std::vector<float> wanted(64, -std::numeric_limits<float>::infinity());
  wanted[33] = 1;
  ASSERT_TRUE(session->set_logits(wanted));
  const auto first = session->choose();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->id, 33U);
  test::complete(*session);
  const auto second = session->choose();
  ASSERT_TRUE(second);
  const auto logits = fresh_logits({5, 6, 33});
  EXPECT_EQ(*second->id, std::max_element(logits.begin(), logits.end()) - logits.begin());
  test::complete(*session);

  expect_input_error(session->set_logits(std::vector<float>(63)));
  wanted[3] = std::numeric_limits<float>::quiet_NaN();
  expect_input_error(session->set_logits(wanted));
  EXPECT_TRUE(session->choose());
  EXPECT_EQ(expected.size(), 1U);
}

TEST(Session, NothingLeftToChooseIsAnErrorAndNotTheEnd) {
  auto session = test::open_session(model());
  test::compute(*session, Ids{5});
  ASSERT_TRUE(session->start_generation({}));
  ASSERT_TRUE(session->set_logits(std::vector<float>(64, -std::numeric_limits<float>::infinity())));
  expect_input_error(session->choose());
  ASSERT_TRUE(session->set_logits(std::vector<float>(64, 0)));
  EXPECT_TRUE(session->choose());
}

TEST(Session, ProbabilitiesAreThoseOfTheModel) {
  const Ids ids = random_ids(12, 11);
  const auto logits = fresh_logits(ids);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(double{logit});
  auto session = test::open_session(model());
  test::compute(*session, ids);
  const auto options = read_generation_options(R"({"temperature":0,"presencePenalty":3,"logprobs":64})");
  ASSERT_TRUE(session->start_generation(*options));
  const auto token = session->choose();
  ASSERT_TRUE(token);
  ASSERT_EQ(token->top.size(), 64U);
  EXPECT_NEAR(*token->logprob, double{logits[*token->id]} - std::log(sum), 1e-5);
  for (size_t i = 0; i < 64; ++i) {
    EXPECT_NEAR(token->top[i].logprob, double{logits[token->top[i].id]} - std::log(sum), 1e-5);
    EXPECT_LE(token->top[i].logprob, token->top[i == 0 ? 0 : i - 1].logprob);
  }
  const auto too_many = read_generation_options(R"({"logprobs":65})");
  expect_input_error(session->start_generation(*too_many));
}

TEST(Session, ScoringLeavesTheSessionAlone) {
  const Ids ids = random_ids(25, 12), text = random_ids(150, 13);
  auto session = test::open_session(model());
  test::compute(*session, ids);
  ASSERT_TRUE(session->begin_scoring(text, false));
  std::vector<float> rows;
  for (size_t left = 1; left != 0;) {
    const auto stepped = session->step();
    ASSERT_TRUE(stepped);
    left = *stepped;
    const auto logits = session->scoring()->take_logits();
    rows.insert(rows.end(), logits.begin(), logits.end());
  }
  ASSERT_EQ(rows.size(), text.size() * 64);
  for (const size_t at : {0U, 63U, 64U, 149U}) {
    const Ids begin(text.begin(), text.begin() + at + 1);
    EXPECT_EQ(std::vector<float>(rows.begin() + at * 64, rows.begin() + (at + 1) * 64), fresh_logits(begin)) << at;
  }
  EXPECT_EQ(tokens_of(*session), ids);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(ids));
  ASSERT_TRUE(session->begin_scoring(text, false));
  ASSERT_TRUE(session->step());
  session->cancel();
  EXPECT_EQ(session->scoring(), nullptr);
  test::compute(*session, Ids{1});
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(ids, {1})));
}

// As the same ids at the end of one text, of which a plain forward pass knows the logits.
TEST(Session, ScoringContinuesAfterTheHeldTokens) {
  const auto plain = test::read_decoder("amb/llama-f32.amb");
  for (const size_t held_count : {0U, 1U, 30U, 64U}) {
    SCOPED_TRACE(held_count);
    const Ids held = random_ids(held_count, 16), text = random_ids(70, 17);
    const auto rows = test::plain_logits(plain, joined(held, text));
    double expected = 0;
    for (size_t i = 1; i < text.size(); ++i) {
      const auto& row = rows[held.size() + i - 1];
      double sum = 0;
      for (const double logit : row) sum += std::exp(logit);
      expected += std::log(sum) - row[text[i]];
    }
    auto session = test::open_session(model());
    if (!held.empty()) test::compute(*session, held);
    EXPECT_EQ(session->begin_scoring(text, true), text.size());
    EXPECT_FALSE(session->scoring()->done());
    test::complete(*session);
    ASSERT_NE(session->scoring(), nullptr);
    EXPECT_TRUE(session->scoring()->done());
    EXPECT_EQ(session->scoring()->count(), text.size() - 1);
    EXPECT_NEAR(session->scoring()->sum(), expected, 1e-2);
    EXPECT_EQ(tokens_of(*session), held);
    expect_input_error(session->begin_scoring(random_ids(kContext - held_count + 1, 1), true));
    EXPECT_TRUE(session->begin_scoring(random_ids(kContext - held_count, 1), true));
    session->cancel();
    EXPECT_EQ(tokens_of(*session), held);
    test::compute(*session, Ids{1});
    EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(held, {1})));
    test::generate(*session, R"({"temperature":0,"maxTokens":1})");
    expect_input_error(session->begin_scoring(text, true));
  }
}

}  // namespace
}  // namespace quintet
