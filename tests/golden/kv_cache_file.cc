#include "tests/golden/kv_cache_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace quintet::test {

using decoder::KvCache;

KvRowLayout kv_layout(KvType type, size_t head_dim) { return kv_row_layout(type, head_dim).value(); }

std::vector<float> kv_values(const KvCache& cache) {
  const KvCache::Shape& shape = cache.shape();
  std::vector<float> values, row(shape.row.head_dim);
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    for (const auto part : {KvCache::Part::key, KvCache::Part::value}) {
      for (size_t head = 0; head < shape.kv_heads; ++head) {
        for (size_t position = 0; position < cache.length(); ++position) {
          const std::byte* bytes = cache.row(layer, head, part, position);
          std::ranges::fill(row, 0.0F);
          if (bytes != nullptr) decode_kv_row(shape.row, bytes, row.data());
          values.insert(values.end(), row.begin(), row.end());
        }
      }
    }
  }
  return values;
}

std::vector<float> kv_values(const ReadFile& file) {
  std::vector<float> values;
  for (size_t layer = 0;; ++layer) {
    for (const char* part : {"_key", "_value"}) {
      const std::string name = "layer_" + std::to_string(layer) + part;
      if (!file.data.contains(name)) return values;
      const std::vector<float> tensor = dequantized(file, name);
      values.insert(values.end(), tensor.begin(), tensor.end());
    }
  }
}

void expect_kv_bits(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(found[i]), std::bit_cast<uint32_t>(expected[i])) << i;
  }
}

void expect_kv_numbers(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i]) << i;
}

kv::CacheContent forked_content(const decoder::KvCache& cache) {
  return {.cache = cache.fork(), .tokens = {}, .logits = {}, .metadata = Json::object()};
}

Result<kv::CacheContent> read_kv(Bytes file, std::optional<kv::CacheTarget> target, size_t chunk) {
  kv::KvCacheSink reader(std::move(target));
  ByteStream in(file.size());
  Parse<void> parse = kv::read_cache(in, reader);
  if (Status status = drive(file, in, parse, chunk); !status) return fail(status.error());
  return reader.take();
}

Result<File> write_kv(kv::CacheContent content, const kv::Storage& storage, size_t chunk) {
  QUINTET_TRY(kv::CacheWriter writer, kv::CacheWriter::create(std::move(content), storage));
  File file;
  for (;;) {
    const uint64_t left = writer.bytes() - file.size();
    File piece(std::min<uint64_t>(chunk, left + 1));
    QUINTET_TRY(const size_t count, writer.write(piece));
    // All of the room is used before the end.
    EXPECT_EQ(count, std::min<uint64_t>(piece.size(), left));
    if (count == 0) return file;
    file.insert(file.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

kv::CacheTarget kv_target(const kv::Shape& shape, KvType type, size_t window) {
  kv::CacheTarget target;
  target.config.architecture = "llama";
  target.config.n_vocab = 64;
  target.config.n_layers = shape.layers;
  target.config.n_kv_heads = shape.kv_heads;
  target.config.head_dim = shape.head_dim;
  target.shape = {
      .layers = shape.layers, .kv_heads = shape.kv_heads, .row = kv_layout(type, shape.head_dim), .window = window};
  target.max_positions = 4096;
  return target;
}

}  // namespace quintet::test
