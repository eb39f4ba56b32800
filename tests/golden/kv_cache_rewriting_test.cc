// Caches of random numbers, written in each storage and read into rows of each type, against a plain reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/half.h"
#include "tests/golden/kv_cache_file.h"

namespace quintet::test {
namespace {

using kv::Layout;
using kv::Storage;

constexpr Dtype kFloats[] = {Dtype::f32, Dtype::f16, Dtype::bf16};

// The values of heads after INT4, by its definition (docs/formats/safetensors.md).
void round_int4(std::span<float> values, size_t group) {
  for (size_t begin = 0; begin < values.size(); begin += group) {
    float largest = 0;
    for (size_t i = begin; i < begin + group; ++i) largest = std::fmax(largest, std::fabs(values[i]));
    uint16_t scale = f32_to_f16(largest / 7);
    if (scale == 0) scale = f32_to_f16(1e-7F);
    for (size_t i = begin; i < begin + group; ++i) {
      const float q = std::nearbyint(values[i] / f16_to_f32(scale));
      values[i] = std::fmax(-8, std::fmin(7, q)) * f16_to_f32(scale);
    }
  }
}

float as(Dtype dtype, float value) {
  if (dtype == Dtype::f16) return f16_to_f32(f32_to_f16(value));
  return dtype == Dtype::bf16 ? bf16_to_f32(f32_to_bf16(value)) : value;
}

// The values in a file with this storage.
std::vector<float> stored(std::vector<float> values, const Storage& storage) {
  for (float& value : values) value = as(storage.dtype, value);
  if (storage.layout == Layout::plain) return values;
  round_int4(values, storage.group);
  if (storage.layout == Layout::rounded) {
    for (float& value : values) value = as(storage.dtype, value);
  }
  return values;
}

// The values in a cache with rows of this type.
std::vector<float> kept(std::vector<float> values, const KvRowLayout& layout) {
  for (size_t begin = 0; begin < values.size(); begin += layout.head_dim) {
    std::vector<std::byte> row(layout.bytes);
    encode_kv_row(layout, values.data() + begin, row.data());
    decode_kv_row(layout, row.data(), values.data() + begin);
  }
  return values;
}

// A cache of random numbers.
kv::CacheContent random_cache(const kv::Shape& shape, std::mt19937& random) {
  decoder::KvCache cache =
      decoder::KvCache::with_positions(kv_target(shape, KvType::f32).shape, shape.positions).value();
  std::normal_distribution<float> normal(0, 2);
  std::vector<float> row(shape.head_dim);
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    for (size_t head = 0; head < shape.kv_heads; ++head) {
      for (size_t position = 0; position < shape.positions; ++position) {
        for (const auto part : {decoder::KvCache::Part::key, decoder::KvCache::Part::value}) {
          const bool is_zero = random() % 16 == 0;
          for (float& value : row) value = is_zero ? 0 : normal(random);
          encode_kv_row(cache.shape().row, row.data(), cache.row(layer, head, part, position));
        }
      }
    }
  }
  kv::CacheContent content = forked_content(cache);
  content.tokens.emplace();
  for (size_t i = 0; i < shape.positions; ++i) content.tokens->push_back(random() % 64);
  if (random() % 2 == 0) content.logits.assign(64, normal(random));
  content.metadata.append("model", "a model");
  return content;
}

TEST(KvCacheRewriting, WrittenFilesAreReadIntoRowsOfEachType) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 60; ++turn) {
    const size_t head_dims[] = {2, 6, 8, 20, 32, 64, 80, 96, 128, 192};
    const kv::Shape shape = {.layers = 1 + random() % 3,
                             .kv_heads = 1 + random() % 3,
                             .positions = random() % 80,
                             .head_dim = head_dims[random() % 10]};
    const kv::CacheContent content = random_cache(shape, random);
    const std::vector<float> values = kv_values(content.cache);
    Storage storage = {.dtype = kFloats[random() % 3], .layout = static_cast<Layout>(random() % 3)};
    if (storage.layout != Layout::plain) storage.group = kv::group_for(shape.head_dim, {}).value_or(shape.head_dim);
    const auto file = write_kv({.cache = content.cache.fork(),
                                .tokens = content.tokens,
                                .logits = content.logits,
                                .metadata = content.metadata},
                               storage, 1 + random() % 5000);
    ASSERT_TRUE(file);
    EXPECT_EQ(read_file(*file)->description.tensors.front().offset % 8, 0U);
    const std::vector<float> expected = stored(values, storage);
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
      const auto read = read_kv(*file, kv_target(shape, type), 1 + random() % 5000);
      ASSERT_TRUE(read) << read.error().detail;
      expect_kv_numbers(kv_values(read->cache), kept(expected, kv_layout(type, shape.head_dim)));
      EXPECT_EQ(read->tokens, content.tokens);
      EXPECT_EQ(read->logits, content.logits);
      EXPECT_EQ(*read->metadata.find("model")->as_string(), "a model");
      EXPECT_EQ(*read->metadata.find("seq_len")->as_string(), std::to_string(shape.positions));
    }
  }
}

// From caches of any type: what is written is what they hold.
TEST(KvCacheRewriting, RowsOfEachTypeAreWritten) {
  std::mt19937 random(6);
  const kv::Shape shape = {.layers = 2, .kv_heads = 3, .positions = 45, .head_dim = 64};
  const kv::CacheContent content = random_cache(shape, random);
  const auto file = write_kv(forked_content(content.cache), {Dtype::f32});
  for (const KvType type : {KvType::f16, KvType::int8, KvType::int4}) {
    const auto typed = read_kv(*file, kv_target(shape, type));
    ASSERT_TRUE(typed);
    const std::vector<float> values = kv_values(typed->cache);
    for (const Dtype dtype : kFloats) {
      for (const Layout layout : {Layout::plain, Layout::rounded, Layout::packed}) {
        const Storage storage = {dtype, layout, layout == Layout::plain ? uint64_t{0} : uint64_t{64}};
        const auto again = write_kv(forked_content(typed->cache), storage);
        ASSERT_TRUE(again);
        expect_kv_numbers(kv_values(read_kv(*again)->cache), stored(values, storage));
      }
    }
  }
}

// Saving as F16 and packing that file is packing in F16.
TEST(KvCacheRewriting, PackingAFileOfHalvesIsPackingHalves) {
  std::mt19937 random(7);
  const kv::CacheContent content = random_cache({.layers = 2, .kv_heads = 2, .positions = 33, .head_dim = 128}, random);
  for (const Dtype dtype : kFloats) {
    auto saved = read_kv(*write_kv(forked_content(content.cache), {dtype}));
    const Storage packed = {dtype, Layout::packed, 64};
    EXPECT_EQ(*write_kv(*std::move(saved), packed), *write_kv(forked_content(content.cache), packed));
  }
}

TEST(KvCacheRewriting, AWindowKeepsItsPagesAlone) {
  std::mt19937 random(8);
  const kv::Shape shape = {.layers = 2, .kv_heads = 2, .positions = 150, .head_dim = 8};
  const kv::CacheContent content = random_cache(shape, random);
  const std::vector<float> values = kv_values(content.cache);
  for (const Storage& storage : {Storage{Dtype::f32}, Storage{Dtype::f16}, Storage{Dtype::f32, Layout::packed, 8}}) {
    const auto file = write_kv(forked_content(content.cache), storage);
    const auto read = read_kv(*file, kv_target(shape, KvType::f32, 40));
    ASSERT_TRUE(read);
    // Position 150 sees from 111 on, which is on the page that begins at 96.
    ASSERT_EQ(read->cache.first(0), 96U);
    EXPECT_EQ(read->cache.length(), 150U);
    std::vector<float> expected = stored(values, storage);
    for (size_t i = 0; i < expected.size(); ++i) {
      if (i / shape.head_dim % shape.positions < 96) expected[i] = 0;
    }
    expect_kv_numbers(kv_values(read->cache), expected);
    // A file of that holds zeros for the rows that are gone.
    const auto again = write_kv(forked_content(read->cache), storage);
    ASSERT_TRUE(again);
    expect_kv_numbers(kv_values(read_kv(*again)->cache), expected);
  }
}

}  // namespace
}  // namespace quintet::test
