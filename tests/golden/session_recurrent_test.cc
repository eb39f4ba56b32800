// Sessions of models with recurrent layers, whose cache cannot be cut at any place: whatever is rewound, forked,
// reused, saved or cancelled computes as a new session does, to the bit, from the nearest checkpoint.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/golden/cache_files.h"
#include "tests/golden/fixture.h"
#include "tests/golden/generation.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

constexpr uint64_t kContext = 700;
constexpr size_t kText = 330;

Ids random_ids(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % 280);
  return ids;
}

Ids joined(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Ids first(const Ids& ids, size_t count) { return {ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count)}; }

Ids tokens_of(const GenerationSession& session) { return {session.tokens().begin(), session.tokens().end()}; }

std::vector<size_t> checkpoints_of(const GenerationSession& session) {
  std::vector<size_t> lengths;
  const auto content = session.content(false);
  EXPECT_TRUE(content);
  for (const auto& each : content->cache.checkpoints().all()) lengths.push_back(each.length);
  return lengths;
}

// The models are of short contexts; that of the file is replaced.
std::shared_ptr<const GeneratorModel> load_with_context(const char* path) {
  auto file = test::read_fixture(path);
  constexpr std::string_view kKey = "context_length";
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr size_t kTypeBytes = 4;
  const auto length = static_cast<uint32_t>(kContext);
  std::memcpy(file.data() + text.find(kKey) + kKey.size() + kTypeBytes, &length, sizeof(length));
  return test::load_generator(file, {.context_length = kContext, .kv_types = KvType::f32});
}

class RecurrentSession : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<GenerationSession> open() const { return test::open_session(model_); }
  std::unique_ptr<GenerationSession> after(const Ids& ids) const {
    auto session = open();
    test::compute(*session, ids);
    return session;
  }
  std::vector<float> fresh_logits(const Ids& ids) const { return test::logits_of(*after(ids)); }

  const std::shared_ptr<const GeneratorModel> model_ = load_with_context(GetParam());
  const Ids text_ = random_ids(kText, 1);
};

// One of each kind of state: beside keys and values, in place of them in some layers, and in all.
INSTANTIATE_TEST_SUITE_P(Families, RecurrentSession,
                         ::testing::Values("families/lfm2.gguf", "families/lfm2moe.gguf",
                                           "families/qwen35-grouped.gguf", "families/granitehybrid.gguf",
                                           "families/falcon-h1.gguf", "families/mamba2.gguf"),
                         [](const auto& path) { return test::test_name(path.param); });

TEST_P(RecurrentSession, RewindsToAnyPlace) {
  const auto session = after(text_);
  for (const size_t length : {1U, 65U, 256U, 300U, 329U}) {
    SCOPED_TRACE(length);
    const auto fork = *session->fork();
    ASSERT_TRUE(fork->rewind(length));
    EXPECT_EQ(tokens_of(*fork), first(text_, length));
    EXPECT_FALSE(fork->logits());
    const size_t left = *fork->begin({}, false);
    EXPECT_GE(left, 1U);
    EXPECT_LE(left, 256U);
    test::complete(*fork);
    EXPECT_EQ(test::logits_of(*fork), fresh_logits(first(text_, length)));
  }
  const auto empty = *session->fork();
  ASSERT_TRUE(empty->rewind(0));
  test::compute(*empty, Ids{5});
  EXPECT_EQ(test::logits_of(*empty), fresh_logits({5}));
  EXPECT_EQ(test::logits_of(*session), fresh_logits(text_));
}

// At the ends of inputs and answers nothing is computed again but what is new.
TEST_P(RecurrentSession, EndsOfTurnsAreCheckpoints) {
  auto session = after(first(text_, 100));
  const auto answer = test::generate(*session, R"({"temperature":1,"seed":3,"maxTokens":20})");
  const Ids turn = tokens_of(*session);
  ASSERT_GT(turn.size(), 100U);
  // The last chosen token is not computed yet, unless another one ended the answer.
  const size_t end = turn.size() - (answer.reason == EndReason::length ? 1 : 0);
  test::compute(*session, random_ids(30, 2));
  test::generate(*session, R"({"temperature":1,"seed":3,"maxTokens":20})");

  for (const size_t at : {size_t{100}, end}) {
    SCOPED_TRACE(at);
    auto fork = *session->fork();
    ASSERT_TRUE(fork->rewind(at));
    EXPECT_EQ(*fork->begin(Ids{4, 5}, false), 2U);
    test::complete(*fork);
    EXPECT_EQ(test::logits_of(*fork), fresh_logits(joined(first(turn, at), {4, 5})));
  }
  // A text that has the first turn in common.
  EXPECT_EQ(*session->begin(joined(turn, {9, 8, 7}), true), turn.size() + 3 - end);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(turn, {9, 8, 7})));
  // Repeats the last pass of the input.
  EXPECT_EQ(*session->begin(first(text_, 100), true), 36U);
  test::complete(*session);
  EXPECT_EQ(test::logits_of(*session), fresh_logits(first(text_, 100)));
}

TEST_P(RecurrentSession, ForksGoTheirOwnWays) {
  auto session = after(first(text_, 300));
  auto fork = *session->fork();
  test::compute(*session, Ids{1, 2});
  test::compute(*fork, Ids{3, 4, 5});
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(first(text_, 300), {1, 2})));
  EXPECT_EQ(test::logits_of(*fork), fresh_logits(joined(first(text_, 300), {3, 4, 5})));
  ASSERT_TRUE(fork->rewind(290));
  session.reset();
  test::compute(*fork, Ids{6});
  EXPECT_EQ(test::logits_of(*fork), fresh_logits(joined(first(text_, 290), {6})));
}

TEST_P(RecurrentSession, AnAbortedComputationChangesNothing) {
  for (const bool replaces : {false, true}) {
    for (const size_t steps : {1U, 3U, 6U}) {
      SCOPED_TRACE(steps);
      auto session = after(text_);
      ASSERT_TRUE(session->rewind(200));
      const Ids more = random_ids(150, 4), all = joined(first(text_, 170), more);
      ASSERT_TRUE(replaces ? session->begin(all, true) : session->begin(more, false));
      size_t left = 1;
      for (size_t step = 0; step < steps && left != 0; ++step) left = *session->step();
      session->cancel();
      if (left == 0) continue;
      const Ids held = first(text_, replaces ? 170 : 200);
      EXPECT_EQ(tokens_of(*session), held);
      test::compute(*session, {});
      EXPECT_EQ(test::logits_of(*session), fresh_logits(held));
    }
  }
}

TEST_P(RecurrentSession, CheckpointsStayWithinTheirBudget) {
  auto session = open();
  const auto& shape = session->cache_target().shape;
  const uint64_t budget = decoder::KvCache::max_checkpoint_bytes(shape, kContext);
  EXPECT_EQ(budget, (kContext / 64 + 2) * shape.state.bytes());
  for (size_t at = 0; at < kText; at += 3) test::compute(*session, std::span(text_).subspan(at, 3));
  const auto content = session->content(false);
  ASSERT_TRUE(content);
  EXPECT_LE(content->cache.checkpoints().bytes(), budget);
  // A file has as many as the keys and values take, at least the last one.
  EXPECT_GE(content->cache.checkpoints().all().size(), content->cache.row_bytes() == 0 ? 1U : 3U);
  EXPECT_LE(content->cache.bytes(), decoder::KvCache::bytes_for(shape, kContext));
  for (const size_t length : {10U, 200U}) {
    const auto fork = *session->fork();
    ASSERT_TRUE(fork->rewind(length));
    test::compute(*fork, Ids{7});
    EXPECT_EQ(test::logits_of(*fork), fresh_logits(joined(first(text_, length), {7})));
  }
}

TEST_P(RecurrentSession, ContinuesAndRewindsAfterLoading) {
  auto saved = after(text_);
  const auto file = test::saved_cache(*saved);
  const auto checkpoints = checkpoints_of(*saved);
  EXPECT_EQ(checkpoints.back(), kText);
  auto session = after(Ids{1, 2, 3});
  const Status status = test::load_cache(*session, file);
  ASSERT_TRUE(status) << status.error().detail;
  EXPECT_EQ(checkpoints_of(*session), checkpoints);
  EXPECT_EQ(test::saved_cache(*session), file);
  auto back = *session->fork(), again = *session->fork();

  EXPECT_EQ(*session->begin(Ids{8, 9}, false), 2U);
  test::complete(*session);
  test::compute(*saved, Ids{8, 9});
  EXPECT_EQ(test::logits_of(*session), test::logits_of(*saved));
  EXPECT_EQ(test::logits_of(*session), fresh_logits(joined(text_, {8, 9})));

  for (const size_t length : {300U, 5U}) {
    ASSERT_TRUE(back->rewind(length));
    test::compute(*back, {});
    EXPECT_EQ(test::logits_of(*back), fresh_logits(first(text_, length)));
  }
  // Without the logits, the last token is computed again.
  test::compute(*again, {});
  EXPECT_EQ(test::logits_of(*again), fresh_logits(text_));
}

// The state itself stays in float32.
TEST_P(RecurrentSession, ContinuesFromACompressedFile) {
  auto saved = after(first(text_, 50));
  auto session = open();
  const Status status =
      test::load_cache(*session, test::saved_cache(*saved, {.dtype = Dtype::f32,
                                                            .layout = kv::Layout::packed,
                                                            .group = session->cache_target().shape.row.head_dim}));
  ASSERT_TRUE(status) << status.error().detail;
  test::compute(*session, Ids{1});
  const auto expected = fresh_logits(joined(first(text_, 50), {1})), found = test::logits_of(*session);
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(found[i], expected[i], 0.5);
  const auto content = test::read_cache_content(test::saved_cache(*saved, {.dtype = Dtype::bf16}));
  EXPECT_EQ(content.cache.checkpoints().all().back().length, 50U);
}

TEST_P(RecurrentSession, AnEmptyCacheIsValid) {
  auto session = after(Ids{1, 2, 3});
  ASSERT_TRUE(test::load_cache(*session, test::saved_cache(*open())));
  EXPECT_TRUE(session->tokens().empty());
  test::compute(*session, Ids{4});
  EXPECT_EQ(test::logits_of(*session), fresh_logits({4}));
}

TEST_P(RecurrentSession, StatesOfAnotherModelAreRejected) {
  const auto saved = after(first(text_, 20));
  auto session = after(Ids{1, 2, 3});
  auto target = session->cache_target();
  const auto refused = [&](const kv::CacheTarget& other) {
    const auto file = test::saved_cache(*saved);
    const Status status = test::check_cache(other, file);
    EXPECT_FALSE(status);
    return status ? Code::input : status.error().code;
  };
  ++target.shape.state.inputs;
  EXPECT_EQ(refused(target), Code::format);
  target = session->cache_target();
  --target.shape.state.channels;
  EXPECT_EQ(refused(target), Code::format);
  target = session->cache_target();
  for (LayerSet* layers : {&target.shape.recurrent_layers, &target.shape.layers_without_rows}) {
    for (uint8_t& is_in : *layers) is_in = !is_in;
  }
  EXPECT_EQ(refused(target), Code::format);
  target = session->cache_target();
  target.shape.recurrent_layers = target.shape.layers_without_rows = {};
  target.shape.state = {};
  EXPECT_EQ(refused(target), Code::format);
  EXPECT_EQ(tokens_of(*session), (Ids{1, 2, 3}));
}

TEST_P(RecurrentSession, StatesThatAreNotFiniteAreRejected) {
  auto file = test::saved_cache(*after(first(text_, 20)));
  const auto read = test::read_file(file);
  ASSERT_TRUE(read);
  const auto state = std::ranges::find_if(read->description.tensors,
                                          [](const TensorInfo& info) { return info.name.ends_with("_conv_state"); });
  ASSERT_NE(state, read->description.tensors.end());
  for (const std::byte high : {std::byte{0x7F}, std::byte{0xFF}}) {
    auto broken = file;
    const size_t at = static_cast<size_t>(state->offset + state->bytes) - 4;
    broken[at + 3] = high;
    broken[at + 2] = std::byte{0xC0};
    auto session = after(Ids{1, 2, 3});
    const Status status = test::load_cache(*session, broken);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::format);
    EXPECT_EQ(status.error().tensor, state->name);
    EXPECT_EQ(tokens_of(*session), (Ids{1, 2, 3}));
  }
  for (const size_t length : {file.size() - 1, file.size() / 2, static_cast<size_t>(state->offset) + 2}) {
    auto session = open();
    EXPECT_FALSE(test::load_cache(*session, std::span(file).first(length)));
  }
}

}  // namespace
}  // namespace quintet
