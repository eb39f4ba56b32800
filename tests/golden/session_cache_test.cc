// A session and KV cache files: caches of independent code, its own after a detour through a file, and those that it
// must reject.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "kernels/registry.h"
#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/golden/cache_files.h"
#include "tests/golden/fixture.h"
#include "tests/golden/generation.h"
#include "tests/kernels/variants.h"

namespace quintet {
namespace {

using Ids = std::vector<uint32_t>;
using testing::same_bits;

constexpr const char* kModel = "amb/llama-f32.amb";

std::shared_ptr<const GeneratorModel> model(KvType type = KvType::f32) {
  return test::load_generator(kModel, {.context_length = 200, .kv_types = type});
}

Ids random_ids(size_t count, uint32_t seed, uint32_t vocabulary = 64) {
  std::mt19937 random(seed);
  Ids ids(count);
  for (uint32_t& id : ids) id = static_cast<uint32_t>(random() % vocabulary);
  return ids;
}

Ids ids_in(const Json& list) {
  const auto wide = test::numbers(list);
  return {wide.begin(), wide.end()};
}

Ids tokens_of(const GenerationSession& session) { return {session.tokens().begin(), session.tokens().end()}; }

// Logits after each of the ids, which is all that is computed.
std::vector<std::vector<float>> continued(GenerationSession& session, const Ids& ids) {
  std::vector<std::vector<float>> rows;
  for (const uint32_t id : ids) {
    EXPECT_EQ(session.begin({&id, 1}, false), size_t{1});
    test::complete(session);
    rows.push_back(test::logits_of(session));
  }
  return rows;
}

void expect_same_bits(const std::vector<std::vector<float>>& a, const std::vector<std::vector<float>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << i;
}

void expect_error(const Status& status, Code code, Reason reason) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, code) << status.error().detail;
  EXPECT_EQ(status.error().reason, reason) << status.error().detail;
}

class KvFixture : public ::testing::TestWithParam<std::string> {
 protected:
  const Json& run() const { return test::expected_entry("safetensors/kv_runs.json", GetParam()); }
  std::vector<std::byte> file() const { return test::read_fixture("safetensors/" + GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Fixtures, KvFixture, ::testing::ValuesIn(test::fixture_files("safetensors/kv_runs.json")),
                         [](const auto& path) { return test::test_name(path.param); });

TEST_P(KvFixture, ContinuesWithTheExpectedLogits) {
  const Ids ids = ids_in(*run().find("token_ids"));
  const test::Npy expected = test::read_npy(*run().find("logits")->as_string());
  const double tolerance = *run().find("logits_tolerance")->as_double();
  auto session = test::open_session(model());
  const Status loaded = test::load_cache(*session, file(), ids);
  ASSERT_TRUE(loaded) << loaded.error().detail;
  EXPECT_EQ(tokens_of(*session), ids);
  const auto rows = continued(*session, ids_in(*run().find("continue_ids")));
  ASSERT_EQ(rows.size(), expected.rows);
  for (size_t row = 0; row < rows.size(); ++row) {
    ASSERT_EQ(rows[row].size(), expected.cols);
    for (size_t i = 0; i < expected.cols; ++i) {
      ASSERT_NEAR(rows[row][i], expected.row(row)[i], tolerance) << row << ", " << i;
    }
  }
  EXPECT_EQ(test::generate(*session, R"({"temperature":0,"maxTokens":6})").ids, ids_in(*run().find("greedy")));
}

// All rows, as floats.
std::vector<float> values_of(const decoder::KvCache& cache) {
  const decoder::KvCache::Shape& shape = cache.shape();
  std::vector<float> values;
  for (size_t layer = 0; layer < shape.own_layers(); ++layer) {
    for (size_t head = 0; head < shape.kv_heads_of(layer); ++head) {
      for (const auto part : {decoder::KvCache::Part::key, decoder::KvCache::Part::value}) {
        const KvRowLayout& layout = shape.row_of(layer, part);
        std::vector<float> row(layout.head_dim);
        for (size_t position = 0; position < cache.length(); ++position) {
          decode_kv_row(layout, cache.row(layer, head, part, position), row.data());
          values.insert(values.end(), row.begin(), row.end());
        }
      }
    }
  }
  return values;
}

TEST(SessionCache, SavesTheKeysAndValuesOfTheFixtures) {
  struct Case {
    const char* file;
    Dtype dtype;
  };
  constexpr Case kCases[] = {
      {"kv-f32.safetensors", Dtype::f32}, {"kv-f16.safetensors", Dtype::f16}, {"kv-bf16.safetensors", Dtype::bf16}};
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.file);
    const Json& run = test::expected_entry("safetensors/kv_runs.json", each.file);
    const double tolerance = *run.find("prefill_tolerance")->find("abs")->as_double();
    auto session = test::open_session(model());
    test::compute(*session, ids_in(*run.find("token_ids")));
    const auto saved = test::read_cache_content(test::saved_cache(*session, {.dtype = each.dtype}));
    const auto expected = test::read_cache_content(test::read_fixture(std::string("safetensors/") + each.file));
    EXPECT_EQ(saved.tokens, expected.tokens);
    for (const char* key : {"model", "seq_len", "num_layers", "num_kv_heads", "head_dim"}) {
      ASSERT_NE(saved.metadata.find(key), nullptr) << key;
      EXPECT_EQ(*saved.metadata.find(key)->as_string(), *expected.metadata.find(key)->as_string()) << key;
    }
    const auto found = values_of(saved.cache), wanted = values_of(expected.cache);
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(found[i], wanted[i], tolerance) << i;
  }
}

TEST(SessionCache, AFileWithoutIdsTakesTheCallers) {
  const auto bare = test::read_fixture("safetensors/kv-bare.safetensors");
  const auto full = test::read_fixture("safetensors/kv-f32.safetensors");
  const Ids ids{28, 38, 5, 57, 46, 9, 29, 36};
  auto session = test::open_session(model());
  expect_error(test::load_cache(*session, bare), Code::input, Reason::missing);
  expect_error(test::load_cache(*session, bare, Ids{1, 2, 3}), Code::input, Reason::mismatch);
  expect_error(test::load_cache(*session, bare, Ids{28, 38, 5, 57, 46, 9, 29, 64}), Code::input, Reason::out_of_range);
  expect_error(test::load_cache(*session, full, Ids{28, 38, 5, 57, 46, 9, 29, 35}), Code::input, Reason::mismatch);
  EXPECT_TRUE(session->tokens().empty());
  EXPECT_TRUE(test::load_cache(*session, full, ids));
  EXPECT_TRUE(test::load_cache(*session, full));
  EXPECT_TRUE(test::load_cache(*session, bare, ids));
}

// In rows of every type: what a row holds comes back as the same row.
TEST(SessionCache, ContinuingGivesTheSameBitsWithEveryKernelVariant) {
  const std::string before(active_kernels<KernelSet::decoder>().name);
  const Ids ids = random_ids(75, 1), more = random_ids(5, 2);
  for (const Kernels* kernels : compiled_kernels<KernelSet::decoder>()) {
    ASSERT_TRUE(force_kernels<KernelSet::decoder>(kernels->name));
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
      SCOPED_TRACE(std::string(kernels->name) + ", rows " + std::to_string(static_cast<int>(type)));
      const auto loaded = model(type);
      auto saved = test::open_session(loaded), restored = test::open_session(loaded);
      test::compute(*saved, ids);
      const auto file = test::saved_cache(*saved, {.dtype = type == KvType::f16 ? Dtype::f16 : Dtype::f32});
      test::compute(*restored, more);
      const Status status = test::load_cache(*restored, file);
      ASSERT_TRUE(status) << status.error().detail;
      EXPECT_EQ(tokens_of(*restored), ids);
      EXPECT_FALSE(restored->logits());
      expect_same_bits(continued(*restored, more), continued(*saved, more));
    }
  }
  ASSERT_TRUE(force_kernels<KernelSet::decoder>(before));
}

TEST(SessionCache, HeldTokensAreNotComputedAgain) {
  auto saved = test::open_session(model()), restored = test::open_session(model());
  const Ids ids = random_ids(100, 3), more = random_ids(70, 4);
  test::compute(*saved, ids);
  ASSERT_TRUE(test::load_cache(*restored, test::saved_cache(*saved)));
  EXPECT_EQ(restored->begin_waiting(), size_t{0});
  EXPECT_EQ(restored->begin(more, false), more.size());
  EXPECT_EQ(saved->begin(more, false), more.size());
  test::complete(*restored);
  test::complete(*saved);
  EXPECT_TRUE(same_bits(test::logits_of(*restored), test::logits_of(*saved)));
  // Logits are of no token but the last, which is computed for them.
  ASSERT_TRUE(test::load_cache(*restored, test::saved_cache(*saved)));
  EXPECT_EQ(restored->begin({}, false), size_t{1});
  test::complete(*restored);
  EXPECT_TRUE(same_bits(test::logits_of(*restored), test::logits_of(*saved)));
}

TEST(SessionCache, WaitingTokensAreComputedFirst) {
  auto session = test::open_session(model());
  EXPECT_EQ(session->begin_waiting(), size_t{0});
  EXPECT_TRUE(session->content(false));
  const Ids ids = random_ids(10, 5);
  ASSERT_TRUE(session->begin(ids, false));
  EXPECT_FALSE(session->content(false));
  EXPECT_FALSE(session->begin_waiting());
  test::complete(*session);
  const Ids chosen = test::generate(*session, R"({"temperature":0,"maxTokens":3})").ids;
  const auto refused = session->content(false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::input);
  EXPECT_EQ(session->begin_waiting(), size_t{1});
  session->cancel();
  EXPECT_EQ(session->tokens().size(), 13U);
  EXPECT_EQ(session->begin_waiting(), size_t{1});
  test::complete(*session);
  EXPECT_TRUE(session->logits());
  const auto content = session->content(false);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->cache.length(), 13U);
  EXPECT_EQ(content->tokens, tokens_of(*session));
  EXPECT_TRUE(content->logits.empty());
}

TEST(SessionCache, ForksOfARestoredSessionGoTheirOwnWays) {
  auto saved = test::open_session(model()), session = test::open_session(model());
  const Ids ids = random_ids(40, 6), more = random_ids(3, 7), other = random_ids(3, 8);
  test::compute(*saved, ids);
  test::compute(*session, more);
  auto before = session->fork();
  ASSERT_TRUE(before);
  ASSERT_TRUE(test::load_cache(*session, test::saved_cache(*saved)));
  EXPECT_EQ(tokens_of(**before), more);
  auto after = session->fork();
  ASSERT_TRUE(after);
  const auto rows = continued(*session, more);
  const auto fork_rows = continued(**after, other);
  auto same = saved->fork();
  ASSERT_TRUE(same);
  expect_same_bits(rows, continued(*saved, more));
  expect_same_bits(fork_rows, continued(**same, other));
}

// Pages that the window has left are zeros in the file, and no position sees them.
TEST(SessionCache, SlidingWindows) {
  const auto mistral = test::load_generator("amb/mistral-window.amb", {.kv_types = KvType::f32});
  const auto vocabulary = static_cast<uint32_t>(mistral->config.n_vocab);
  for (const size_t length : {3U, 31U, 36U, 50U}) {
    SCOPED_TRACE(length);
    auto saved = test::open_session(mistral), restored = test::open_session(mistral);
    const Ids ids = random_ids(length, 9, vocabulary), more = random_ids(6, 10, vocabulary);
    test::compute(*saved, ids);
    const Status status = test::load_cache(*restored, test::saved_cache(*saved));
    ASSERT_TRUE(status) << status.error().detail;
    auto again = test::open_session(mistral);
    ASSERT_TRUE(test::load_cache(*again, test::saved_cache(*restored)));
    const auto expected = continued(*saved, more);
    expect_same_bits(continued(*restored, more), expected);
    expect_same_bits(continued(*again, more), expected);
  }
}

// Gemma 4: layers with a window have other heads than those without, and the last layers read the rows of others.
class LayersOfTwoKinds : public ::testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const GeneratorModel> model(const KvTypes& types = {}) const {
    return test::load_generator(GetParam(), {.context_length = 64, .kv_types = types});
  }
};

INSTANTIATE_TEST_SUITE_P(Families, LayersOfTwoKinds,
                         ::testing::Values("families/gemma4.gguf", "families/gemma4-kv.gguf"),
                         [](const auto& path) { return test::test_name(path.param); });

TEST_P(LayersOfTwoKinds, HaveTheirOwnTensors) {
  const auto loaded = model();
  const DecoderConfig& config = loaded->config;
  auto session = test::open_session(loaded);
  test::compute(*session, random_ids(20, 21));
  const auto file = test::read_file(test::saved_cache(*session));
  ASSERT_TRUE(file);
  uint64_t own = 0;
  for (uint64_t layer = 0; layer < config.n_layers - config.n_shared_kv_layers; ++layer) {
    const bool is_local = config.sliding_window != 0 && !contains(config.full_attention_layers, layer);
    const uint64_t heads = is_local && config.local_kv_heads != 0 ? config.local_kv_heads : config.n_kv_heads;
    const uint64_t width = is_local && config.local_head_dim != 0 ? config.local_head_dim : config.head_dim;
    for (const char* part : {"_key", "_value"}) {
      const TensorInfo* tensor = file->description.find_tensor("layer_" + std::to_string(layer) + part);
      ASSERT_NE(tensor, nullptr) << layer << part;
      EXPECT_EQ(tensor->shape, (std::vector<uint64_t>{1, heads, 20, width})) << layer << part;
      ++own;
    }
  }
  EXPECT_EQ(file->description.tensors.size(), own);
  EXPECT_EQ(*file->description.metadata.find("num_layers")->as_string(), std::to_string(own / 2));
}

TEST_P(LayersOfTwoKinds, ContinueWithTheSameBits) {
  const Ids ids = random_ids(40, 22, 256), more = random_ids(6, 23, 256), other = random_ids(6, 24, 256);
  for (const KvTypes& types : {KvTypes(KvType::f32), KvTypes(KvType::f16), KvTypes(KvType::int8),
                               KvTypes(KvType::int8, KvType::f16), KvTypes(KvType::f16, KvType::int8)}) {
    SCOPED_TRACE(static_cast<int>(types.keys));
    SCOPED_TRACE(static_cast<int>(types.values));
    const auto loaded = model(types);
    const bool are_halves = types.keys == KvType::f16 && types.values == KvType::f16;
    auto saved = test::open_session(loaded), restored = test::open_session(loaded), fresh = test::open_session(loaded);
    test::compute(*saved, ids);
    const auto file = test::saved_cache(*saved, {.dtype = are_halves ? Dtype::f16 : Dtype::f32});
    const Status status = test::load_cache(*restored, file);
    ASSERT_TRUE(status) << status.error().detail;
    auto fork = restored->fork();
    ASSERT_TRUE(fork);
    expect_same_bits(continued(*restored, more), continued(*saved, more));
    ASSERT_TRUE(saved->rewind(ids.size()));
    test::compute(*saved, {});  // the window may have left what is needed there
    expect_same_bits(continued(**fork, other), continued(*saved, other));
    ASSERT_TRUE((*fork)->rewind(38));
    test::compute(**fork, {});
    test::compute(*fresh, Ids(ids.begin(), ids.begin() + 38));
    expect_same_bits(continued(**fork, more), continued(*fresh, more));
  }
}

TEST_P(LayersOfTwoKinds, AreCompressedInGroupsThatFitAll) {
  const auto loaded = model();
  auto saved = test::open_session(loaded), restored = test::open_session(loaded);
  test::compute(*saved, random_ids(20, 25));
  const size_t group = saved->cache_target().shape.common_head_dim();
  EXPECT_EQ(saved->cache_target().shape.row.head_dim % group, 0U);
  EXPECT_EQ(saved->cache_target().shape.local_row.head_dim % group, 0U);
  const kv::Storage packed = {.dtype = Dtype::f32, .layout = kv::Layout::packed, .group = group};
  ASSERT_TRUE(test::load_cache(*restored, test::saved_cache(*saved, packed)));
  const auto rows = values_of(restored->content(false)->cache), exact = values_of(saved->content(false)->cache);
  ASSERT_EQ(rows.size(), exact.size());
  for (size_t begin = 0; begin < rows.size(); begin += group) {
    const auto part = std::span(exact).subspan(begin, group);
    const float largest = std::abs(*std::ranges::max_element(part, {}, [](float x) { return std::abs(x); }));
    // Half a step, and what float16 rounds off the scale.
    for (size_t i = 0; i < group; ++i) ASSERT_NEAR(rows[begin + i], part[i], 0.501F * largest / 7 + largest / 1024);
  }
}

TEST_P(LayersOfTwoKinds, AreThoseOfTheModel) {
  auto saved = test::open_session(model());
  test::compute(*saved, random_ids(20, 26));
  const auto file = test::saved_cache(*saved);
  const kv::CacheTarget own = saved->cache_target();
  EXPECT_TRUE(test::check_cache(own, file));
  for (const auto& change : std::vector<std::function<void(DecoderConfig&)>>{
           [](DecoderConfig& config) { config.local_head_dim += config.head_dim; },
           [](DecoderConfig& config) { config.local_kv_heads += config.n_kv_heads + 1; },
           [](DecoderConfig& config) { config.head_dim = 2; },
           [](DecoderConfig& config) { config.n_shared_kv_layers = config.n_layers - 1; },
           [](DecoderConfig& config) { config.sliding_window += 1; }}) {
    kv::CacheTarget other = own;
    change(other.config);
    expect_error(test::check_cache(other, file), Code::format, Reason::mismatch);
  }
  for (const size_t length : {file.size() - 1, file.size() / 2, size_t{900}}) {
    EXPECT_FALSE(test::check_cache(own, std::span(file).first(length))) << length;
  }
}

TEST(SessionCache, ARejectedFileLeavesTheSessionAsItWas) {
  const auto loaded = model();
  auto saved = test::open_session(loaded), session = test::open_session(loaded), twin = test::open_session(loaded);
  test::compute(*saved, random_ids(20, 11));
  const Ids ids = random_ids(33, 12), more = random_ids(4, 13);
  test::compute(*session, ids);
  test::compute(*twin, ids);
  const auto logits = test::logits_of(*session);

  const auto good = test::saved_cache(*saved);
  for (const size_t length : {size_t{0}, size_t{7}, size_t{100}, good.size() / 2, good.size() - 1})
    EXPECT_FALSE(test::load_cache(*session, std::span(good).first(length))) << length;
  auto broken = good;
  const std::string_view text(reinterpret_cast<const char*>(good.data()), good.size());
  constexpr std::string_view kIds = R"("token_ids":")";
  broken[text.find(kIds) + kIds.size()] = std::byte{'x'};
  EXPECT_FALSE(test::load_cache(*session, broken));
  auto other = test::open_session(test::load_generator("amb/mistral-window.amb", {}));
  test::compute(*other, Ids{1, 2});
  expect_error(test::load_cache(*session, test::saved_cache(*other)), Code::format, Reason::mismatch);
  expect_error(test::load_cache(*session, good, std::nullopt, true), Code::input, Reason::missing);
  auto small = test::open_session(test::load_generator(kModel, {.context_length = 19}));
  EXPECT_FALSE(test::load_cache(*small, good));

  EXPECT_EQ(tokens_of(*session), ids);
  EXPECT_TRUE(same_bits(test::logits_of(*session), logits));
  expect_same_bits(continued(*session, more), continued(*twin, more));
  ASSERT_TRUE(session->begin(more, false));
  auto content = saved->content(false);
  ASSERT_TRUE(content);
  EXPECT_FALSE(session->restore(*std::move(content), std::nullopt, false));  // it computes
  session->cancel();
  EXPECT_TRUE(test::load_cache(*session, good));
}

}  // namespace
}  // namespace quintet
