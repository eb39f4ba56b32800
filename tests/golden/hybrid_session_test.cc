// Sessions of LFM2, whose short convolutions have a state beside the keys and values.

#include <gtest/gtest.h>

#include <random>

#include "tests/golden/generation.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

std::shared_ptr<const GeneratorModel> model() {
  static const auto loaded = test::load_generator("families/lfm2.gguf", {.context_length = 128});
  return loaded;
}

Ids random_ids(size_t count) {
  std::mt19937 random(7);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % 288);
  return ids;
}

std::vector<float> fresh_logits(const Ids& ids) {
  const auto session = test::open_session(model());
  test::compute(*session, ids);
  return test::logits_of(*session);
}

Ids first_of(const Ids& ids, size_t count) { return {ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count)}; }

TEST(HybridSession, DoesNotDependOnHowTokensAreDivided) {
  const Ids ids = random_ids(90);
  const auto session = test::open_session(model());
  for (size_t begin = 0, count = 1; begin < ids.size(); begin += count, count = count % 5 + 1) {
    count = std::min(count, ids.size() - begin);
    test::compute(*session, std::span(ids).subspan(begin, count));
  }
  EXPECT_EQ(test::logits_of(*session), fresh_logits(ids));
}

TEST(HybridSession, ForksGoTheirOwnWays) {
  const Ids ids = random_ids(70);
  const auto session = test::open_session(model());
  test::compute(*session, first_of(ids, 40));
  const auto fork = session->fork();
  ASSERT_TRUE(fork);
  test::compute(**fork, Ids{1, 2, 3});
  test::compute(*session, std::span(ids).subspan(40));
  EXPECT_EQ(test::logits_of(*session), fresh_logits(ids));
  Ids other = first_of(ids, 40);
  other.insert(other.end(), {1, 2, 3});
  EXPECT_EQ(test::logits_of(**fork), fresh_logits(other));
}

}  // namespace
}  // namespace quintet
