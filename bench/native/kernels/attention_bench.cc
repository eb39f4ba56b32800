#include "bench/native/kernels/benchmarks.h"

#include <cstdio>

#include "kernels/registry.h"

namespace quintet::bench {
namespace {

constexpr size_t kPositions = 32;  // a page of the cache
constexpr size_t kCalls = 256;     // of one repetition

struct Type {
  const char* name;
  KvType type;
};
constexpr Type kTypes[] = {{"f32", KvType::f32}, {"f16", KvType::f16}, {"int8", KvType::int8}, {"int4", KvType::int4}};

std::vector<std::byte> random_rows(const KvRowLayout& layout) {
  const std::vector<float> values = random_floats(kPositions * layout.head_dim);
  std::vector<std::byte> rows(kPositions * layout.bytes);
  for (size_t i = 0; i < kPositions; ++i) {
    encode_kv_row(layout, values.data() + i * layout.head_dim, rows.data() + i * layout.bytes);
  }
  return rows;
}

void bench_type(const Kernels& kernels, const Type& type, size_t head_dim, size_t rows) {
  // Volatile: not to be merged into this function, which runs once and is never optimized.
  QkScores* const volatile score = kernels.qk_scores;
  AttentionValue* const volatile mix = kernels.attention_value;
  const KvRowLayout layout = kv_row_layout(type.type, head_dim).value();
  const std::vector<std::byte> cache = random_rows(layout);
  const std::vector<float> query = random_floats(rows * head_dim);
  std::vector<float> scores(rows * kPositions), out(rows * head_dim);
  const auto nanoseconds = [&](auto run) {
    const double seconds = best_seconds([&] {
      for (size_t i = 0; i < kCalls; ++i) run();
    });
    return seconds * 1e9 * 8 / static_cast<double>(kCalls * rows * kPositions * head_dim);
  };
  const KvRows cached = {.layout = layout, .data = cache.data(), .count = kPositions};
  const double scoring = nanoseconds([&] {
    score({.queries = {query.data(), head_dim},
           .rows = rows,
           .keys = cached,
           .alpha = 0.125F,
           .scores = {scores.data(), kPositions}});
  });
  const double mixing = nanoseconds([&] {
    mix({.weights = {scores.data(), kPositions}, .rows = rows, .values = cached, .out = {out.data(), head_dim}});
  });
  std::printf("%-8s %-4s %3zu x %zu rows: qk_scores %5.2f, attention_value %5.2f ns\n", kernels.name.data(), type.name,
              head_dim, rows, scoring, mixing);
}

}  // namespace

bool bench_attention(const Peaks&) {
  std::printf("attention, nanoseconds for eight elements of one row\n");
  for (const Kernels* kernels : compiled_kernels().subspan(1)) {
    for (const Type& type : kTypes) {
      for (const size_t rows : {size_t{1}, size_t{4}, size_t{8}}) bench_type(*kernels, type, 64, rows);
    }
  }
  return true;
}

}  // namespace quintet::bench
