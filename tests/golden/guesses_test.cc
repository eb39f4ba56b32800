// Guessed tokens change how fast a session writes, never what: the answers, probabilities, content and random states
// are those of a session without guesses, which is the reference here.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "tests/golden/generation.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

constexpr size_t kPrompt = 12;

Ids random_ids(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % 64);
  return ids;
}

struct Told {
  std::vector<GeneratedToken> tokens;
  size_t passes = 0;
  Ids held;
};

// The wrong guesses of a pass, one bit each.
using Wrong = uint32_t;

// Generates with the `count` tokens of the answer that come next as guesses; those whose bit is set are another token.
Told generate(GenerationSession& session, const std::string& options, const Ids& answer, size_t count, Wrong wrong,
              uint32_t allowed = 0) {
  EXPECT_TRUE(session.start_generation(*read_generation_options(options)));
  Told told;
  for (;;) {
    // Only some tokens, as with a grammar.
    if (allowed != 0) std::ranges::fill(session.mask(), allowed);
    auto token = session.choose();
    EXPECT_TRUE(token) << token.error().detail;
    if (!token) break;
    told.tokens.push_back(*token);
    if (token->reason) break;
    if (token->was_guessed) continue;
    Ids guesses;
    for (size_t i = told.tokens.size(); i < answer.size() && guesses.size() < count; ++i) {
      const bool is_wrong = (wrong >> guesses.size() % 32 & 1) != 0;
      guesses.push_back(is_wrong ? (answer[i] + 1) % 64 : answer[i]);
    }
    EXPECT_TRUE(session.guess(guesses));
    test::complete(session);
    ++told.passes;
  }
  told.held.assign(session.tokens().begin(), session.tokens().end());
  return told;
}

void expect_same(const Told& told, const Told& expected) {
  ASSERT_EQ(told.tokens.size(), expected.tokens.size());
  for (size_t i = 0; i < told.tokens.size(); ++i) {
    const GeneratedToken &token = told.tokens[i], &other = expected.tokens[i];
    EXPECT_EQ(token.id, other.id);
    EXPECT_EQ(token.text, other.text);
    EXPECT_EQ(token.logprob, other.logprob);
    EXPECT_EQ(token.reason, other.reason);
    ASSERT_EQ(token.top.size(), other.top.size());
    for (size_t k = 0; k < token.top.size(); ++k) EXPECT_EQ(token.top[k].logprob, other.top[k].logprob);
  }
  EXPECT_EQ(told.held, expected.held);
}

constexpr const char* kOptions[] = {
    R"({"temperature": 0, "maxTokens": 40, "logprobs": 3})",
    R"({"temperature": 1.2, "seed": 5, "maxTokens": 40, "repetitionPenalty": 1.3, "frequencyPenalty": 0.5, "logprobs": 1})",
    R"({"temperature": 2, "seed": 6, "topK": 0, "topP": 1, "maxTokens": 40, "logitBias": [[3, 2], [9, null]]})",
};

// One that keeps all positions, one with a sliding window, and those with states: convolutions, Mamba-2, a DeltaNet.
class Guesses : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<GenerationSession> open() const {
    auto session = test::open_session(model_);
    test::compute(*session, random_ids(kPrompt, 1));
    return session;
  }

  const std::shared_ptr<const GeneratorModel> model_ = test::load_generator(GetParam(), {.kv_types = KvType::f32});
};

INSTANTIATE_TEST_SUITE_P(Models, Guesses,
                         ::testing::Values("amb/llama-f32.amb", "amb/llama-int4block.amb", "amb/mistral-window.amb",
                                           "families/lfm2.gguf", "families/granitehybrid.gguf"));

TEST_P(Guesses, ChangeNothingButTheNumberOfPasses) {
  for (const char* options : kOptions) {
    for (const uint32_t allowed : {0U, 0xA5F0F1B7U}) {
      SCOPED_TRACE(options);
      const auto plain = open();
      const Told expected = generate(*plain, options, {}, 0, 0, allowed);
      Ids answer;
      for (const GeneratedToken& token : expected.tokens) answer.push_back(token.id.value_or(0));
      test::compute(*plain, random_ids(3, 2));
      for (const auto& [count, wrong] : {std::pair<size_t, Wrong>{1, 0}, {1, 1}, {3, 2}, {7, 0}, {7, 4}, {63, 0x7F}}) {
        SCOPED_TRACE(::testing::Message() << count << " guesses, wrong ones " << wrong);
        const auto session = open();
        expect_same(generate(*session, options, answer, count, wrong, allowed), expected);
        // The text after them is the same too: the cache decides it.
        test::compute(*session, random_ids(3, 2));
        EXPECT_EQ(test::logits_of(*session), test::logits_of(*plain));
      }
    }
  }
}

TEST_P(Guesses, CorrectOnesSavePasses) {
  const auto plain = open();
  const Told expected = generate(*plain, kOptions[0], {}, 0, 0);
  const size_t passes = expected.tokens.size() - 1;
  ASSERT_GT(passes, size_t{20});
  EXPECT_EQ(expected.passes, passes);
  Ids answer;
  for (const GeneratedToken& token : expected.tokens) answer.push_back(token.id.value_or(0));
  // Each pass is for a chosen token and three guesses; the first token needs none, nor does what the last pass gives.
  EXPECT_EQ(generate(*open(), kOptions[0], answer, 3, 0).passes, (passes + 3) / 4);
  EXPECT_EQ(generate(*open(), kOptions[0], answer, 3, 4).passes, (passes + 2) / 3);
  EXPECT_EQ(generate(*open(), kOptions[0], answer, 3, 1).passes, passes);
}

TEST_P(Guesses, RejectedOnesLeaveNoTrace) {
  const auto session = open();
  const auto other = open();
  for (GenerationSession* each : {session.get(), other.get()}) {
    ASSERT_TRUE(each->mark());
    ASSERT_TRUE(each->start_generation(*read_generation_options(kOptions[0])));
    ASSERT_TRUE(each->choose());
    ASSERT_TRUE(each->guess(each == session.get() ? Ids{1, 2, 3, 4, 5} : Ids{}));
    test::complete(*each);
  }
  EXPECT_EQ(test::logits_of(*session), test::logits_of(*other));
  const auto fork = *session->fork();
  for (GenerationSession* each : {session.get(), fork.get(), other.get()}) test::compute(*each, random_ids(9, 3));
  EXPECT_EQ(test::logits_of(*session), test::logits_of(*other));
  EXPECT_EQ(test::logits_of(*fork), test::logits_of(*other));
  ASSERT_TRUE(session->rewind(kPrompt + 1));
  ASSERT_TRUE(other->rewind(kPrompt + 1));
  for (GenerationSession* each : {session.get(), other.get()}) test::compute(*each, {});
  EXPECT_EQ(test::logits_of(*session), test::logits_of(*other));
}

TEST_P(Guesses, AreUndoneWithTheGeneration) {
  const auto session = open();
  const auto before = test::logits_of(*session);
  for (const bool is_computed : {false, true}) {
    ASSERT_TRUE(session->mark());
    ASSERT_TRUE(session->start_generation(*read_generation_options(kOptions[0])));
    ASSERT_TRUE(session->choose());
    ASSERT_TRUE(session->guess(Ids{1, 2, 3}));
    if (is_computed) test::complete(*session);
    session->cancel();
    EXPECT_EQ(session->tokens().size(), kPrompt);
    EXPECT_EQ(test::logits_of(*session), before);
  }
  const auto plain = open();
  expect_same(generate(*session, kOptions[1], {}, 0, 0), generate(*plain, kOptions[1], {}, 0, 0));
}

TEST_P(Guesses, OfAContinuedSessionEndWithTheContext) {
  const auto context = static_cast<size_t>(model_->context_length);
  for (const size_t room : {1U, 2U, 5U}) {
    const auto session = test::open_session(model_);
    test::compute(*session, random_ids(context - room, 4));
    ASSERT_TRUE(session->start_generation(*read_generation_options(R"({"temperature": 0, "logitBias": []})")));
    size_t chosen = 0;
    for (;;) {
      const auto token = session->choose();
      ASSERT_TRUE(token);
      ++chosen;
      if (token->reason) break;
      if (!token->was_guessed) {
        ASSERT_TRUE(session->guess(Ids(63, 7)));
      }
      test::complete(*session);
    }
    EXPECT_LE(session->tokens().size(), context);
    EXPECT_LE(chosen, room);
  }
}

TEST(Guess, HasNoEffectWhereItIsTooLateOrOutsideTheVocabulary) {
  const auto session = test::open_session(test::load_generator("amb/llama-f32.amb", {.kv_types = KvType::f32}));
  test::compute(*session, Ids{1, 2, 3});
  EXPECT_EQ(session->guess(Ids{1}).error().code, Code::input) << "there is no generation";
  const auto other = *session->fork();
  for (GenerationSession* each : {session.get(), other.get()})
    ASSERT_TRUE(each->start_generation(*read_generation_options(kOptions[0])));
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(session->guess(Ids{1})) << "no token is chosen";
    const auto token = session->choose(), expected = other->choose();
    ASSERT_TRUE(token && expected);
    EXPECT_EQ(token->id, expected->id);
    if (token->reason) break;
    EXPECT_TRUE(session->guess(Ids{64, 1}));
    test::complete(*session);
    test::complete(*other);
    EXPECT_FALSE(token->was_guessed);
  }
}

}  // namespace
}  // namespace quintet
