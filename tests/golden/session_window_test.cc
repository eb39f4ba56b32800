// A session whose attention has a sliding window: its ring of keys and values forgets the oldest ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/golden/generation.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;

TEST(SessionWindow, CancelingAndReplacingForgetNothingThatIsInIt) {
  const auto mistral = test::load_generator("amb/mistral-window.amb", {.kv_types = KvType::f32});
  const auto vocabulary = static_cast<uint32_t>(mistral->config.n_vocab);
  const size_t max = std::min<size_t>(300, mistral->context_length);
  std::mt19937 random(14);
  Ids ids(max / 3), more(max / 2);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % vocabulary);
  for (uint32_t& id : more) id = static_cast<uint32_t>(random() % vocabulary);
  Ids both = ids;
  both.insert(both.end(), more.begin(), more.end());
  const auto fresh = [&](const Ids& all) {
    auto session = test::open_session(mistral);
    test::compute(*session, all);
    return test::logits_of(*session);
  };
  auto session = test::open_session(mistral);
  test::compute(*session, ids);
  ASSERT_TRUE(session->begin(more, false));
  session->cancel();
  EXPECT_EQ(Ids(session->tokens().begin(), session->tokens().end()), ids);
  test::compute(*session, {});
  EXPECT_EQ(test::logits_of(*session), fresh(ids));
  test::compute(*session, both, true);
  EXPECT_EQ(test::logits_of(*session), fresh(both));
  both.erase(both.begin() + 5, both.begin() + static_cast<std::ptrdiff_t>(ids.size()));
  test::compute(*session, both, true);
  EXPECT_EQ(test::logits_of(*session), fresh(both));
}

}  // namespace
}  // namespace quintet
