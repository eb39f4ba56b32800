// Sessions that compute together give the same bits as alone, whatever the layers of their model, and whenever the
// others begin, end, fail or are cancelled.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <random>
#include <ranges>

#include "runtime/generation/batch.h"
#include "tests/golden/decoder_passes.h"
#include "tests/golden/fixture.h"
#include "tests/golden/generation.h"
#include "tests/kernels/variants.h"

namespace quintet {
namespace {

using testing::same_bits;
using Ids = std::vector<uint32_t>;

Ids random_ids(const GeneratorModel& model, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % model.config.n_vocab);
  return ids;
}

// A prompt, and greedy tokens after it.
struct Run {
  size_t prompt;
  size_t tokens;
  size_t start;  // steps of the others before it
};
constexpr Run kRuns[] = {{1, 12, 0}, {20, 3, 0}, {33, 9, 2}, {2, 5, 4}, {70, 6, 4}, {18, 7, 7}};

using Logits = std::vector<std::vector<float>>;  // after the prompt, and after each token

// A session on its way through a run.
class Runner {
 public:
  Runner(std::unique_ptr<GenerationSession> session, const Run& run, Ids prompt)
      : session_(std::move(session)), tokens_(run.tokens) {
    begin(prompt);
  }

  // Takes what is complete and begins what is next. False at the end.
  bool advance() {
    const auto left = session_->left();
    EXPECT_TRUE(left);
    if (*left != 0) return true;
    logits_.push_back(test::logits_of(*session_));
    if (logits_.size() > tokens_) return false;
    const uint32_t next = test::greatest(logits_.back());
    begin({&next, 1});
    return true;
  }

  const Logits& logits() const { return logits_; }

 private:
  void begin(std::span<const uint32_t> ids) {
    const auto begun = session_->begin(ids, false);
    EXPECT_TRUE(begun) << begun.error().detail;
  }

  std::unique_ptr<GenerationSession> session_;
  size_t tokens_;
  Logits logits_;
};

std::unique_ptr<GenerationSession> open_in(const std::shared_ptr<Batch>& batch) {
  auto session = GenerationSession::create(batch);
  EXPECT_TRUE(session);
  return std::move(*session);
}

Ids prompt_of(const GeneratorModel& model, size_t run) {
  const size_t room = static_cast<size_t>(model.context_length) - kRuns[run].tokens;
  return random_ids(model, std::min(kRuns[run].prompt, room), static_cast<uint32_t>(run));
}

Logits alone(const std::shared_ptr<const GeneratorModel>& model, size_t run) {
  const auto batch = std::make_shared<Batch>(model);
  Runner runner(open_in(batch), kRuns[run], prompt_of(*model, run));
  while (runner.advance()) batch->step();
  return runner.logits();
}

std::vector<Logits> together(const std::shared_ptr<const GeneratorModel>& model) {
  const auto batch = std::make_shared<Batch>(model);
  std::vector<std::optional<Runner>> runners(std::size(kRuns));
  size_t ended = 0;
  std::vector<bool> has_ended(std::size(kRuns));
  for (size_t step = 0; ended < std::size(kRuns); ++step, batch->step()) {
    for (size_t i = 0; i < std::size(kRuns); ++i) {
      if (!runners[i] && step >= kRuns[i].start) {
        runners[i].emplace(open_in(batch), kRuns[i], prompt_of(*model, i));
      } else if (runners[i] && !has_ended[i] && !runners[i]->advance()) {
        has_ended[i] = true;
        ++ended;
      }
    }
  }
  std::vector<Logits> all;
  for (const auto& runner : runners) all.push_back(runner->logits());
  return all;
}

// Models with every kind of layer: attention with and without windows, convolutions, states, experts, streams.
std::vector<std::string> model_files() {
  std::vector<std::string> paths = test::fixtures_in("families", ".gguf");
  for (const char* file : {"llama-int4block", "llama-int5", "llama-adaptive", "llama-f16", "mistral-window"}) {
    paths.push_back(formatted("amb/{}.amb", file));
  }
  return paths;
}

class BatchOfModel : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Files, BatchOfModel, ::testing::ValuesIn(model_files()), [](const auto& path) {
  std::string name = path.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST_P(BatchOfModel, GivesTheBitsOfEachAlone) {
  const auto model = test::load_generator(GetParam(), {.kv_types = KvType::f32});
  const std::vector<Logits> batched = together(model);
  for (size_t run = 0; run < std::size(kRuns); ++run) {
    const Logits expected = alone(model, run);
    ASSERT_EQ(batched[run].size(), kRuns[run].tokens + 1);
    ASSERT_EQ(expected.size(), kRuns[run].tokens + 1);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(same_bits(batched[run][i], expected[i])) << run << " " << i;
  }
}

// So large that a pass over 64 tokens takes several steps. The embedding of one token is broken.
constexpr uint32_t kBroken = 3999;

std::shared_ptr<const GeneratorModel> wide_model() {
  DecoderConfig config;
  config.n_vocab = 4000;
  config.n_embd = 256;
  config.n_layers = 6;
  config.n_heads = 8;
  config.n_kv_heads = 2;
  config.head_dim = 32;
  config.rope_dim = 32;
  config.n_ff = 1024;
  test::PlainDecoder plain = test::random_decoder(config, {}, 11);
  plain.tensors["model.embed_tokens.weight"][kBroken * config.n_embd] = std::numeric_limits<float>::quiet_NaN();
  auto model = std::make_shared<GeneratorModel>();
  model->config = plain.config;
  model->weights = test::float_weights(plain);
  model->context_length = 400;
  return model;
}

std::vector<float> logits_after(const std::shared_ptr<const GeneratorModel>& model, const Ids& ids) {
  const auto session = test::open_session(model);
  test::compute(*session, ids);
  return test::logits_of(*session);
}

Ids joined(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Ids some_ids(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % kBroken);
  return ids;
}

// A batch of three prompts in the middle of its first pass.
struct Started {
  Started() {
    for (size_t i = 0; i < 3; ++i) {
      sessions.push_back(open_in(batch));
      EXPECT_EQ(sessions[i]->begin(prompts[i], false), prompts[i].size());
    }
    batch->step();
    for (const auto& session : sessions) EXPECT_NE(session->left(), 0U);
  }
  void expect_as_alone(size_t i) {
    test::complete(*sessions[i]);
    EXPECT_TRUE(same_bits(test::logits_of(*sessions[i]), logits_after(batch->model(), prompts[i]))) << i;
  }

  std::shared_ptr<Batch> batch = std::make_shared<Batch>(wide_model());
  std::vector<Ids> prompts = {some_ids(30, 1), some_ids(25, 2), some_ids(90, 3)};
  std::vector<std::unique_ptr<GenerationSession>> sessions;
};

TEST(Batch, OneThatIsCancelledInAPassCanBeginAgainAndChangesNoBitOfTheOthers) {
  Started started;
  started.sessions[1]->cancel();
  EXPECT_TRUE(started.sessions[1]->tokens().empty());
  ASSERT_TRUE(started.sessions[1]->begin(started.prompts[1], false));
  for (size_t i = 0; i < 3; ++i) started.expect_as_alone(i);
}

TEST(Batch, OneThatIsDestroyedInAPassChangesNoBitOfTheOthers) {
  Started started;
  started.sessions[2].reset();
  started.expect_as_alone(0);
  started.expect_as_alone(1);
}

TEST(Batch, OneThatFailsChangesNoBitOfTheOthersAndCanContinue) {
  const auto batch = std::make_shared<Batch>(wide_model());
  const Ids held = some_ids(10, 4), good = some_ids(20, 5), bad = {1, 2, kBroken};
  const auto one = open_in(batch), other = open_in(batch);
  test::compute(*one, held);
  ASSERT_TRUE(one->begin(bad, false));
  ASSERT_TRUE(other->begin(good, false));
  Result<size_t> left = one->step();
  while (left && *left != 0) left = one->step();
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().code, Code::format);
  test::complete(*other);
  EXPECT_TRUE(same_bits(test::logits_of(*other), logits_after(batch->model(), good)));
  EXPECT_EQ(one->left(), 0U);
  test::compute(*one, good);
  EXPECT_TRUE(same_bits(test::logits_of(*one), logits_after(batch->model(), joined(held, good))));
}

TEST(Batch, ScoresBesideSessionsAsAlone) {
  const auto batch = std::make_shared<Batch>(wide_model());
  const Ids text = some_ids(100, 6), prompt = some_ids(70, 7);
  const auto alone = test::open_session(batch->model());
  ASSERT_TRUE(alone->begin_scoring(text, false));
  test::complete(*alone);
  const auto scoring = open_in(batch), session = open_in(batch);
  ASSERT_TRUE(scoring->begin_scoring(text, false));
  ASSERT_TRUE(session->begin(prompt, false));
  test::complete(*scoring);
  EXPECT_EQ(scoring->scoring()->sum(), alone->scoring()->sum());
  test::complete(*session);
  EXPECT_TRUE(same_bits(test::logits_of(*session), logits_after(batch->model(), prompt)));
}

// In each pass a session that generates takes one place, and two prompts share the others.
TEST(Batch, SharesPassesEvenly) {
  const auto batch = std::make_shared<Batch>(wide_model());
  const auto decoding = open_in(batch), brief = open_in(batch), a = open_in(batch), b = open_in(batch);
  ASSERT_TRUE(a->begin(some_ids(200, 8), false));
  ASSERT_TRUE(b->begin(some_ids(200, 9), false));
  ASSERT_TRUE(decoding->begin(Ids{1}, false));
  ASSERT_TRUE(brief->begin(some_ids(5, 10), false));
  while (*decoding->left() != 0) batch->step();
  EXPECT_EQ(brief->left(), 0U);
  EXPECT_EQ(a->left(), 200U - 29);
  EXPECT_EQ(b->left(), 200U - 29);
}

// More than a pass has room for: none is left out twice in a row.
TEST(Batch, LetsAllTakeTurnsIfTheyAreTooMany) {
  const auto batch = std::make_shared<Batch>(wide_model());
  constexpr size_t kSessions = 100;
  std::vector<std::unique_ptr<GenerationSession>> sessions;
  for (size_t i = 0; i < kSessions; ++i) sessions.push_back(open_in(batch));
  std::vector<bool> was_left_out(kSessions);
  for (size_t pass = 0; pass < 5; ++pass) {
    for (const auto& session : sessions) {
      if (*session->left() != 0) continue;
      ASSERT_TRUE(session->begin(Ids{3}, false));
    }
    const auto left_out = [&](size_t i) { return *sessions[i]->left() != 0; };
    const auto all = std::views::iota(size_t{0}, kSessions);
    while (std::ranges::all_of(all, left_out)) batch->step();
    EXPECT_EQ(std::ranges::count_if(all, left_out), 36);
    for (const size_t i : all) {
      EXPECT_FALSE(was_left_out[i] && left_out(i)) << i;
      was_left_out[i] = left_out(i);
    }
  }
}

// At once, and in the middle of a pass of the other.
TEST(Batch, ASessionMayStartFromWhatAnotherHasComputed) {
  const auto batch = std::make_shared<Batch>(wide_model());
  const Ids prefix = some_ids(150, 12), rest = some_ids(20, 13);
  const Ids prompt = joined(prefix, some_ids(50, 14)), other_prompt = joined(prefix, rest);
  const auto first = open_in(batch), second = open_in(batch), third = open_in(batch);
  ASSERT_TRUE(first->begin(prompt, true));
  while (first->reusable(other_prompt) < 128) batch->step();
  EXPECT_EQ(first->reusable(other_prompt), 128U);
  batch->step();
  ASSERT_NE(*first->left(), 0U);
  ASSERT_TRUE(second->adopt(*first));
  EXPECT_EQ(second->begin(other_prompt, true), 42U);
  EXPECT_FALSE(first->adopt(*second));  // it computes
  test::complete(*first);
  test::complete(*second);
  EXPECT_TRUE(same_bits(test::logits_of(*first), logits_after(batch->model(), prompt)));
  EXPECT_TRUE(same_bits(test::logits_of(*second), logits_after(batch->model(), other_prompt)));
  ASSERT_TRUE(third->adopt(*second));
  EXPECT_EQ(third->begin(other_prompt, true), 0U);
  EXPECT_TRUE(same_bits(test::logits_of(*third), logits_after(batch->model(), other_prompt)));
}

// One of them writes with guesses, of which some cannot be computed.
TEST(Batch, GuessesChangeNoBitOfAnySession) {
  const auto batch = std::make_shared<Batch>(wide_model());
  const Ids prompt = some_ids(20, 15), other_prompt = some_ids(150, 16);
  const auto plain = test::open_session(batch->model());
  test::compute(*plain, prompt);
  constexpr auto kOptions = R"({"temperature":1,"seed":3,"maxTokens":12})";
  const Ids answer = test::generate(*plain, kOptions).ids;
  for (const bool is_broken : {false, true}) {
    const auto guessing = open_in(batch), other = open_in(batch), third = open_in(batch);
    test::compute(*guessing, prompt);
    ASSERT_TRUE(guessing->start_generation(*read_generation_options(kOptions)));
    ASSERT_TRUE(other->begin(other_prompt, false));
    Ids ids;
    size_t guessed = 0;
    for (;;) {
      const auto token = guessing->choose();
      ASSERT_TRUE(token) << token.error().detail;
      ids.push_back(*token->id);
      if (token->reason) break;
      guessed += token->was_guessed;
      if (token->was_guessed) continue;
      Ids guesses(answer.begin() + std::ssize(ids), answer.end());
      guesses.resize(std::min<size_t>(guesses.size(), 3));
      guesses.push_back(is_broken ? kBroken : 1);
      ASSERT_TRUE(guessing->guess(guesses));
      while (*guessing->left() != 0) batch->step();
      // Positions computed for guesses are not shared with others.
      ASSERT_TRUE(third->adopt(*guessing));
      ASSERT_EQ(third->tokens().size(), prompt.size() + ids.size());
      EXPECT_TRUE(same_bits(test::logits_of(*third), test::logits_of(*guessing)));
    }
    EXPECT_EQ(ids, answer);
    // At the end there is no room for the one that cannot be computed.
    EXPECT_EQ(guessed, is_broken ? 2U : 8U);
    test::complete(*other);
    EXPECT_TRUE(same_bits(test::logits_of(*other), logits_after(batch->model(), other_prompt)));
  }
}

}  // namespace
}  // namespace quintet
