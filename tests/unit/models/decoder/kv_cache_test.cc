#include "models/decoder/kv_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace quintet::decoder {
namespace {

constexpr size_t kHeadDim = 8, kLayers = 2, kHeads = 3;
constexpr size_t kPageBytes = KvCache::kPagePositions * kLayers * kHeads * 2 * kHeadDim * sizeof(float);

KvCache make_cache(size_t window = 0) {
  return KvCache(
      {.layers = kLayers, .kv_heads = kHeads, .row = kv_row_layout(KvType::f32, kHeadDim).value(), .window = window});
}

// A separate value for each place; `mark` tells writers apart.
float value_at(size_t layer, size_t head, size_t position, float mark) {
  return static_cast<float>((position * kLayers + layer) * kHeads + head) + mark;
}

void append(KvCache& cache, size_t count, float mark = 0) {
  ASSERT_TRUE(cache.extend(count));
  for (size_t position = cache.length(); position < cache.length() + count; ++position) {
    for (size_t layer = 0; layer < kLayers; ++layer) {
      std::vector<float> keys, values;
      for (size_t head = 0; head < kHeads; ++head) {
        keys.insert(keys.end(), kHeadDim, value_at(layer, head, position, mark));
        values.insert(values.end(), kHeadDim, -value_at(layer, head, position, mark));
      }
      ASSERT_TRUE(cache.write(layer, position, keys.data(), values.data()));
    }
  }
  cache.commit(count);
}

// All rows of [begin, end) are those of `mark`, in runs one after the other.
void expect_marked(const KvCache& cache, size_t begin, size_t end, float mark) {
  for (size_t layer = 0; layer < kLayers; ++layer) {
    for (size_t head = 0; head < kHeads; ++head) {
      size_t next = begin;
      cache.for_each_run(layer, head, begin, end, [&](const KvCache::Run& run) {
        ASSERT_EQ(run.begin, next);
        next += run.count;
        for (size_t i = 0; i < run.count; ++i) {
          std::vector<float> key(kHeadDim), value(kHeadDim);
          decode_kv_row(cache.shape().row, run.keys + i * cache.shape().row.bytes, key.data());
          decode_kv_row(cache.shape().row, run.values + i * cache.shape().row.bytes, value.data());
          const float expected = value_at(layer, head, run.begin + i, mark);
          ASSERT_EQ(key, std::vector<float>(kHeadDim, expected));
          ASSERT_EQ(value, std::vector<float>(kHeadDim, -expected));
        }
      });
      ASSERT_EQ(next, end);
    }
  }
}

TEST(KvCache, ReturnsWhatWasWritten) {
  KvCache cache = make_cache();
  for (const size_t count : {1, 30, 1, 1, 64, 7}) append(cache, count);
  EXPECT_EQ(cache.length(), 104U);
  EXPECT_EQ(cache.bytes(), 4 * kPageBytes);
  expect_marked(cache, 0, 104, 0);
  expect_marked(cache, 33, 60, 0);
}

TEST(KvCache, KeysAndValuesMayHaveDifferentTypes) {
  const KvRowLayout of_keys = kv_row_layout(KvType::int8, kHeadDim).value();
  const KvRowLayout of_values = kv_row_layout(KvType::f16, kHeadDim).value();
  KvCache cache({.layers = kLayers, .kv_heads = kHeads, .row = of_keys, .value_row = of_values});
  append(cache, 40);
  EXPECT_EQ(cache.bytes(), 2 * KvCache::kPagePositions * kLayers * kHeads * (of_keys.bytes + of_values.bytes));
  EXPECT_EQ(cache.row_bytes(), 40 * kLayers * kHeads * (of_keys.bytes + of_values.bytes));
  KvCache fork = cache.fork();
  append(fork, 3, 0.5F);
  for (const KvCache* each : {&cache, &fork}) {
    for (size_t position = 0; position < each->length(); ++position) {
      const float mark = position < 40 ? 0 : 0.5F;
      for (size_t layer = 0; layer < kLayers; ++layer) {
        for (size_t head = 0; head < kHeads; ++head) {
          const float expected = value_at(layer, head, position, mark);
          std::vector<float> key(kHeadDim), value(kHeadDim);
          decode_kv_row(of_keys, each->row(layer, head, KvCache::Part::key, position), key.data());
          decode_kv_row(of_values, each->row(layer, head, KvCache::Part::value, position), value.data());
          ASSERT_NEAR(key[position % kHeadDim], expected, expected / 1000);
          ASSERT_EQ(value, std::vector<float>(kHeadDim, -expected));
          each->for_each_run(layer, head, position, position + 1, [&](const KvCache::Run& run) {
            ASSERT_EQ(run.keys, each->row(layer, head, KvCache::Part::key, position));
            ASSERT_EQ(run.values, each->row(layer, head, KvCache::Part::value, position));
          });
        }
      }
    }
  }
}

TEST(KvCache, ExtensionsCountOnlyOnceTheyAreCommitted) {
  KvCache cache = make_cache();
  append(cache, 10);
  ASSERT_TRUE(cache.extend(64));
  EXPECT_EQ(cache.length(), 10U);
  append(cache, 3);
  expect_marked(cache, 0, 13, 0);
}

TEST(KvCache, ForksShareUntilOneWrites) {
  KvCache cache = make_cache();
  append(cache, 40);
  KvCache fork = cache.fork();
  append(fork, 10, 0.25F);
  append(cache, 30, 0.5F);
  expect_marked(cache, 0, 40, 0);
  expect_marked(cache, 40, 70, 0.5F);
  expect_marked(fork, 0, 40, 0);
  expect_marked(fork, 40, 50, 0.25F);
  ASSERT_TRUE(fork.rewind(5));
  append(fork, 20, 0.75F);
  expect_marked(fork, 5, 25, 0.75F);
  expect_marked(cache, 0, 40, 0);
  expect_marked(cache, 40, 70, 0.5F);
}

TEST(KvCache, RewindingFreesPages) {
  KvCache cache = make_cache();
  append(cache, 100);
  EXPECT_EQ(cache.rewind(101).error().reason, Reason::out_of_range);
  ASSERT_TRUE(cache.rewind(33));
  EXPECT_EQ(cache.bytes(), 2 * kPageBytes);
  ASSERT_TRUE(cache.rewind(32));
  EXPECT_EQ(cache.bytes(), kPageBytes);
  expect_marked(cache, 0, 32, 0);
  ASSERT_TRUE(cache.rewind(0));
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(KvCache, AWindowFreesWhatNoLaterPositionSees) {
  constexpr size_t kWindow = 40;
  KvCache cache = make_cache(kWindow);
  const uint64_t max = KvCache::bytes_for(cache.shape(), 100000);
  for (size_t i = 0; i < 300; ++i) {
    append(cache, i % 64 + 1);
    // The next position sees kWindow - 1 before it.
    const size_t seen = cache.length() < kWindow ? 0 : cache.length() - kWindow + 1;
    ASSERT_LE(cache.first(0), seen);
    ASSERT_GT(cache.first(0) + KvCache::kPagePositions, seen);
    ASSERT_LE(cache.bytes(), max);
    expect_marked(cache, seen, cache.length(), 0);
  }
}

TEST(KvCache, AWindowRewindsAsFarAsItsPositionsReach) {
  KvCache cache = make_cache(10);
  append(cache, 60);
  append(cache, 20);
  EXPECT_EQ(cache.first(0), 64U);
  EXPECT_TRUE(cache.rewind(75));
  EXPECT_TRUE(cache.rewind(73));
  const Status status = cache.rewind(72);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::input);
  EXPECT_EQ(cache.length(), 73U);
  append(cache, 5, 0.5F);
  expect_marked(cache, 64, 73, 0);
  expect_marked(cache, 73, 78, 0.5F);
  // Position 0 sees nothing before it.
  EXPECT_TRUE(cache.rewind(0));
  EXPECT_EQ(cache.first(0), 0U);
  append(cache, 5);
  expect_marked(cache, 0, 5, 0);
}

// Layer 1 is recurrent. Its state after n positions is n everywhere.
KvCache recurrent_cache() {
  return KvCache({.layers = kLayers,
                  .kv_heads = kHeads,
                  .row = kv_row_layout(KvType::f32, kHeadDim).value(),
                  .recurrent_layers = {false, true},
                  .layers_without_rows = {false, true},
                  .state = {.layers = 1, .inputs = 2, .channels = 5, .values = 7}});
}

constexpr size_t kStateBytes = (2 * 5 + 7) * sizeof(float);

void append_states(KvCache& cache, size_t count) {
  const std::vector<float> zeros(kHeads * kHeadDim);
  ASSERT_TRUE(cache.extend(count));
  const size_t index = cache.recurrent_index(1);
  for (size_t position = cache.length(); position < cache.length() + count; ++position) {
    ASSERT_TRUE(cache.write(0, position, zeros.data(), zeros.data()));
    for (float& input : cache.next_state().inputs(index)) ASSERT_EQ(input, static_cast<float>(position));
    for (float& input : cache.next_state().inputs(index)) ++input;
  }
  const std::span<const float> before = cache.values_before(1);
  std::ranges::transform(before, cache.next_state().values(index).begin(),
                         [count](float value) { return value + static_cast<float>(count); });
  cache.commit(count);
}

void expect_state(const KvCache& cache, size_t length) {
  ASSERT_EQ(cache.length(), length);
  for (const float input : cache.state()->inputs(0)) ASSERT_EQ(input, static_cast<float>(length));
  for (const float value : cache.state()->values(0)) ASSERT_EQ(value, static_cast<float>(length));
}

TEST(KvCache, RecurrentLayersGoBackToCheckpoints) {
  KvCache cache = recurrent_cache();
  for (const size_t count : {10, 1, 40, 30}) {
    append_states(cache, count);
    cache.keep_checkpoint(100);
    cache.keep_checkpoint(100);  // the same
  }
  append_states(cache, 3);
  append_states(cache, 1);
  expect_state(cache, 85);
  KvCache fork = cache.fork();
  append_states(fork, 4);
  EXPECT_EQ(cache.checkpoints().before(85), 81U);
  EXPECT_EQ(cache.checkpoints().before(50), 11U);
  EXPECT_EQ(cache.checkpoints().before(9), 0U);
  const Status status = cache.rewind(50);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().detail.find("recurrent layers"), std::string::npos);
  EXPECT_TRUE(cache.rewind(51));
  expect_state(cache, 51);
  EXPECT_FALSE(cache.rewind(81));
  append_states(cache, 5);
  expect_state(cache, 56);
  EXPECT_TRUE(cache.rewind(11));
  expect_state(cache, 11);
  EXPECT_TRUE(cache.rewind(0));
  EXPECT_EQ(cache.state(), nullptr);
  append_states(cache, 2);
  expect_state(cache, 2);
  expect_state(fork, 89);
  EXPECT_TRUE(fork.rewind(81));
  expect_state(fork, 81);
}

TEST(KvCache, AnExtensionThatIsNotCommittedLeavesTheState) {
  KvCache cache = recurrent_cache();
  append_states(cache, 3);
  ASSERT_TRUE(cache.extend(4));
  for (float& value : cache.next_state().values(0)) value = 99;
  expect_state(cache, 3);
  append_states(cache, 4);
  expect_state(cache, 7);
}

// 64 positions for each of them, and two: the last ones, and others at even distances.
TEST(KvCache, CheckpointsStayWithinTheirMemory) {
  constexpr size_t kContext = 640, kMax = 12;
  EXPECT_EQ(KvCache::max_checkpoint_bytes(recurrent_cache().shape(), kContext), kMax * kStateBytes);
  KvCache cache = recurrent_cache();
  while (cache.length() < kContext) {
    append_states(cache, 5);
    cache.keep_checkpoint(kContext);
    ASSERT_LE(cache.checkpoints().bytes(), kMax * kStateBytes);
    ASSERT_LE(cache.bytes(), KvCache::bytes_for(cache.shape(), kContext));
  }
  const auto& kept = cache.checkpoints().all();
  ASSERT_EQ(kept.size(), kMax);
  EXPECT_EQ(kept.back().length, kContext);
  EXPECT_EQ(kept[kMax - 2].length, kContext - 5);
  size_t before = 0;
  for (const auto& each : kept) {
    EXPECT_LE(each.length - before, 2 * kContext / kMax + 5);
    before = each.length;
    EXPECT_EQ(each.state->values(0)[0], static_cast<float>(each.length));
  }
  cache.drop_checkpoints(0);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].length, kContext);
  // A model with large states keeps two, regardless of their size.
  KvCache::Shape large = cache.shape();
  large.state.values = size_t{1} << 30;
  EXPECT_EQ(KvCache::max_checkpoint_bytes(large, kContext), 2 * large.state.bytes());
  large.state.values = size_t{1} << 20;
  EXPECT_EQ(KvCache::max_checkpoint_bytes(large, 1 << 20), uint64_t{64} << 20);
}

TEST(KvCache, MemoryIsKnownBeforehand) {
  KvCache cache = make_cache();
  append(cache, 64);
  append(cache, 1);
  EXPECT_EQ(KvCache::bytes_for(cache.shape(), 65), cache.bytes());
  EXPECT_EQ(KvCache::bytes_for(cache.shape(), 0), 0U);
}

TEST(KvCache, ASizeBeyondMemoryIsAnErrorAndChangesNothing) {
  KvCache::Shape shape = make_cache().shape();
  shape.kv_heads = SIZE_MAX / 2;
  EXPECT_EQ(KvCache::bytes_for(shape, 100), UINT64_MAX);
  KvCache cache(shape);
  const Status status = cache.extend(1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::memory);
  EXPECT_EQ(cache.bytes(), 0U);
  EXPECT_EQ(cache.length(), 0U);
}

TEST(KvCache, PositionsMadeAtOnceHaveTheirOwnRows) {
  const KvCache::Shape shape = make_cache().shape();
  KvCache cache = KvCache::with_positions(shape, 70).value();
  EXPECT_EQ(cache.length(), 70U);
  EXPECT_EQ(cache.bytes(), 3 * kPageBytes);
  for (size_t layer = 0; layer < kLayers; ++layer) {
    for (size_t head = 0; head < kHeads; ++head) {
      for (size_t position = 0; position < 70; ++position) {
        const std::vector<float> key(kHeadDim, value_at(layer, head, position, 0.5F));
        const std::vector<float> value(kHeadDim, -value_at(layer, head, position, 0.5F));
        encode_kv_row(shape.row, key.data(), cache.row(layer, head, KvCache::Part::key, position));
        encode_kv_row(shape.row, value.data(), cache.row(layer, head, KvCache::Part::value, position));
      }
    }
  }
  expect_marked(cache, 0, 70, 0.5F);
  KvCache fork = cache.fork();
  append(fork, 10, 0.25F);
  append(cache, 5);
  expect_marked(cache, 0, 70, 0.5F);
  expect_marked(cache, 70, 75, 0);
  expect_marked(fork, 70, 80, 0.25F);
}

TEST(KvCache, RowsOfOnePageAreAdjacent) {
  KvCache cache = make_cache();
  append(cache, 70);
  for (size_t position = 0; position < 70; ++position) {
    const size_t begin = position / KvCache::kPagePositions * KvCache::kPagePositions;
    for (const auto part : {KvCache::Part::key, KvCache::Part::value}) {
      EXPECT_EQ(cache.row(1, 2, part, position),
                cache.row(1, 2, part, begin) + (position - begin) * cache.shape().row.bytes);
    }
  }
}

TEST(KvCache, AWindowHoldsOnlyTheLastPositionsMadeAtOnce) {
  KvCache cache = KvCache::with_positions(make_cache(40).shape(), 110).value();
  // Position 110 sees from 71 on, which is on the page that begins at 64.
  EXPECT_EQ(cache.first(0), 64U);
  EXPECT_EQ(cache.bytes(), 2 * kPageBytes);
  EXPECT_EQ(cache.row(0, 0, KvCache::Part::key, 63), nullptr);
  EXPECT_NE(cache.row(0, 0, KvCache::Part::value, 64), nullptr);
  EXPECT_TRUE(cache.rewind(103));
  EXPECT_FALSE(cache.rewind(102));
  append(cache, 50);
  expect_marked(cache, 103, 153, 0);
  EXPECT_EQ(cache.first(0), 96U);
  // The next position may see nothing of the existing ones.
  EXPECT_EQ(KvCache::with_positions(make_cache(1).shape(), 64).value().bytes(), 0U);
}

TEST(KvCache, NoPositionsTakeNoMemory) {
  KvCache cache = KvCache::with_positions(make_cache().shape(), 0).value();
  EXPECT_EQ(cache.length(), 0U);
  EXPECT_EQ(cache.bytes(), 0U);
  append(cache, 3);
  expect_marked(cache, 0, 3, 0);
}

TEST(KvCache, PositionsBeyondMemoryAreAnError) {
  KvCache::Shape shape = make_cache().shape();
  shape.kv_heads = SIZE_MAX / 2;
  const auto cache = KvCache::with_positions(shape, 100);
  ASSERT_FALSE(cache);
  EXPECT_EQ(cache.error().code, Code::memory);
}

TEST(KvCache, RowsBeyondFp16AreReported) {
  const float beyond[] = {65520, -65520, INFINITY, -INFINITY, NAN};
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
    KvCache cache({.layers = 1, .kv_heads = 1, .row = kv_row_layout(type, kHeadDim).value()});
    ASSERT_TRUE(cache.extend(1));
    const std::vector<float> held(kHeadDim, 65519);  // rounds to 65504
    EXPECT_TRUE(cache.write(0, 0, held.data(), held.data()));
    for (const float value : beyond) {
      std::vector<float> row = held;
      row.back() = value;
      EXPECT_EQ(cache.write(0, 0, row.data(), held.data()), type != KvType::f16);
      EXPECT_EQ(cache.write(0, 0, held.data(), row.data()), type != KvType::f16);
    }
  }
}

}  // namespace
}  // namespace quintet::decoder
