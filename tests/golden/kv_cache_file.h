#pragma once
// KV cache files as tests read and write them, and what their tensors hold by their own reading.

#include <optional>
#include <string>
#include <vector>

#include "runtime/kv/cache_writer.h"
#include "runtime/kv/kv_cache_sink.h"
#include "tests/formats/reading.h"

namespace quintet::test {

// A row layout for heads of any size.
KvRowLayout kv_layout(KvType type, size_t head_dim);

// A cache's rows as floats, [layers][key, value][kv_heads][positions][head_dim]; those that a window gave back are
// zeros.
std::vector<float> kv_values(const decoder::KvCache& cache);

// The values of a plain file or one of rounded floats, in that order, by their definition.
std::vector<float> kv_values(const ReadFile& file);

// Equality of bits, and of numbers: INT4 has a zero without a sign.
void expect_kv_bits(const std::vector<float>& found, const std::vector<float>& expected);
void expect_kv_numbers(const std::vector<float>& found, const std::vector<float>& expected);

// Keys and values alone.
kv::CacheContent forked_content(const decoder::KvCache& cache);

// Feeds a file in pieces of at most `chunk` bytes to a reader.
Result<kv::CacheContent> read_kv(Bytes file, std::optional<kv::CacheTarget> target = {}, size_t chunk = SIZE_MAX);

// All of a file, by calls with room for at most `chunk` bytes.
Result<File> write_kv(kv::CacheContent content, const kv::Storage& storage, size_t chunk = SIZE_MAX);

// A model that the cache is of.
kv::CacheTarget kv_target(const kv::Shape& shape, KvType type, size_t window = 0);

}  // namespace quintet::test
