// Broken KV cache files: an error that states what is wrong and where, or a cache that a session can continue with.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/kv/kv_cache_sink.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

constexpr const char* kRecipes = "malformed/kv_cache.json";
constexpr uint64_t kMaxPositions = 64;

// The model that the recipes name.
kv::CacheTarget target_of(KvType rows) {
  const auto model = read_file(fixture("amb/llama-f32.amb"), {.wants_data = false});
  EXPECT_TRUE(model);
  kv::CacheTarget target{
      .config = *read_decoder_config(model->description), .shape = {}, .max_positions = kMaxPositions};
  target.shape = {.layers = static_cast<size_t>(target.config.n_layers),
                  .kv_heads = static_cast<size_t>(target.config.n_kv_heads),
                  .row = *kv_row_layout(rows, static_cast<size_t>(target.config.head_dim))};
  return target;
}

struct CacheReading {
  const char* name;
  size_t chunk = SIZE_MAX;
  bool length_known = true;
};
constexpr CacheReading kCacheReadings[] = {
    {"whole"}, {"by byte", 1}, {"of unknown length", 11, false}, {"in pieces", 100}};

Result<kv::CacheContent> read_cache_bytes(Bytes file, const std::optional<kv::CacheTarget>& target,
                                          const CacheReading& how) {
  kv::KvCacheSink reader(target);
  ByteStream in(how.length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
  Parse<void> parse = kv::read_cache(in, reader);
  if (Status status = drive(file, in, parse, how.chunk); !status) return fail(status.error());
  return reader.take();
}

void expect_cache_error(const Error& error, const BrokenFile& file) {
  EXPECT_EQ(error.format, "safetensors");
  EXPECT_TRUE(error.code == Code::format || error.code == Code::unsupported) << error.detail;
  EXPECT_FALSE(error.detail.empty());
  ASSERT_TRUE(error.offset);
  EXPECT_LE(*error.offset, file.bytes.size());
}

// Every row decodes to finite values; the ids are of the vocabulary.
void expect_usable(const kv::CacheContent& content, uint64_t n_vocab) {
  using Part = decoder::KvCache::Part;
  const auto& shape = content.cache.shape();
  std::vector<float> values(shape.row.head_dim);
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    for (size_t head = 0; head < shape.kv_heads; ++head) {
      for (size_t position = 0; position < content.cache.length(); ++position) {
        for (const Part part : {Part::key, Part::value}) {
          decode_kv_row(shape.row, content.cache.row(layer, head, part, position), values.data());
          EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
        }
      }
    }
  }
  if (!content.tokens) return;
  EXPECT_EQ(content.tokens->size(), content.cache.length());
  EXPECT_TRUE(std::ranges::all_of(*content.tokens, [&](uint32_t id) { return id < n_vocab; }));
}

TEST(BrokenKvCache, IsRejectedWithItsReasonAndPlace) {
  const kv::CacheTarget target = target_of(KvType::f32);
  const auto files = broken_files(kRecipes);
  ASSERT_GT(files.size(), 80u);
  for (const BrokenFile& file : files) {
    std::optional<std::string> detail;
    for (const CacheReading& how : kCacheReadings) {
      SCOPED_TRACE(file.id + " " + how.name);
      const auto content = read_cache_bytes(file.bytes, target, how);
      if (file.expect == "error") {
        EXPECT_FALSE(content);
      }
      if (content) expect_usable(*content, target.config.n_vocab);
      if (!content) expect_cache_error(content.error(), file);
      // A wrong file is just as wrong in pieces of any size.
      const std::string found = content ? "" : content.error().tensor;
      if (how.length_known) {
        EXPECT_EQ(detail.value_or(found), found);
        detail = found;
      }
    }
  }
}

TEST(BrokenKvCache, IsRejectedForEveryTypeOfRowsToo) {
  for (const KvType rows : {KvType::f16, KvType::int8, KvType::int4}) {
    const kv::CacheTarget target = target_of(rows);
    for (const BrokenFile& file : broken_files(kRecipes)) {
      SCOPED_TRACE(file.id);
      const auto content = read_cache_bytes(file.bytes, target, kCacheReadings[0]);
      if (file.expect == "error") {
        EXPECT_FALSE(content);
      }
      if (content) expect_usable(*content, target.config.n_vocab);
    }
  }
}

// A file that contradicts only the model may be a cache of another one.
TEST(BrokenKvCache, WithoutAModelIsRejectedOrUsable) {
  for (const BrokenFile& file : broken_files(kRecipes)) {
    SCOPED_TRACE(file.id);
    const auto content = read_cache_bytes(file.bytes, std::nullopt, kCacheReadings[0]);
    if (content) expect_usable(*content, uint64_t{1} << 31);
    if (!content) expect_cache_error(content.error(), file);
  }
}

TEST(BrokenKvCache, CutAtEveryByteIsRejected) {
  const kv::CacheTarget target = target_of(KvType::f32);
  for (const char* path : {"safetensors/kv-f16.safetensors", "safetensors/kv-int4-packed.safetensors"}) {
    const File whole = fixture(path);
    for (size_t length = 0; length < whole.size(); ++length) {
      for (const CacheReading& how : {kCacheReadings[0], kCacheReadings[2]}) {
        const auto content = read_cache_bytes(Bytes(whole).first(length), target, how);
        ASSERT_FALSE(content) << path << " " << length;
        ASSERT_TRUE(content.error().offset) << path << " " << length;
        ASSERT_LE(*content.error().offset, length) << path << " " << length;
      }
    }
  }
}

TEST(BrokenKvCache, MorePositionsThanTheContextIsTheCallersMistake) {
  kv::CacheTarget target = target_of(KvType::f32);
  target.max_positions = 7;
  const auto content = read_cache_bytes(fixture("safetensors/kv-f32.safetensors"), target, kCacheReadings[0]);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, Code::input);
  EXPECT_EQ(content.error().reason, Reason::limit);
}

// A header alone, without a byte of the data that it announces.
TEST(BrokenKvCache, AnnouncedPositionsTakeNoMemoryBeforeTheirDataIsThere) {
  const std::string header =
      R"({"layer_0_key":{"dtype":"F32","shape":[1,65536,2000000,1048],"data_offsets":[0,549453824000000]},)"
      R"("layer_0_value":{"dtype":"F32","shape":[1,65536,2000000,1048],)"
      R"("data_offsets":[549453824000000,1098907648000000]}})";
  ASSERT_EQ(uint64_t{65536} * 2000000 * 1048 * 4, 549453824000000u);
  File file;
  for (unsigned i = 0; i < 8; ++i) file.push_back(static_cast<std::byte>(header.size() >> 8 * i));
  for (const char c : header) file.push_back(static_cast<std::byte>(c));
  for (const bool with_target : {false, true}) {
    for (const CacheReading& how : kCacheReadings) {
      const auto content =
          read_cache_bytes(file, with_target ? std::optional(target_of(KvType::f32)) : std::nullopt, how);
      ASSERT_FALSE(content) << how.name;
      EXPECT_NE(content.error().code, Code::memory) << how.name;
    }
  }
}

}  // namespace
}  // namespace quintet::test
