#include "bench/native/kernels/benchmarks.h"

#include <cstdio>

#include "base/aligned_buffer.h"
#include "kernels/score_rows.h"

namespace quintet::bench {
namespace {

constexpr size_t kRows = 100'000;
constexpr size_t kDimension = 384;
constexpr size_t kBlock = 256;  // rows of one call, as the index calls

template <class Query, class Element, class Score>
using ScoreRows = void (*)(const Query* query, const Element* rows, size_t count, size_t width, Score* scores);

template <class Query, class Element, class Score>
bool bench(const char* kernel, ScoreRows<Query, Element, Score> definition,
           ScoreRows<Query, Element, Score> kernel_function, size_t width) {
  // Volatile: not to be merged into this function, which runs once and is never optimized.
  ScoreRows<Query, Element, Score> volatile score = kernel_function;
  AlignedBuffer<Query> query_row;
  AlignedBuffer<Element> rows;
  AlignedBuffer<Score> expected, scores;
  if (!query_row.resize(width) || !rows.resize(kRows * width) || !expected.resize(kRows) || !scores.resize(kRows))
    return false;
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Element>(static_cast<int>(i * 7919 % 251) - 125);
  for (size_t i = 0; i < width; ++i) query_row[i] = static_cast<Query>(rows[17 * width + i]);
  const Query* query = query_row.data();
  definition(query, rows.data(), kRows, width, expected.data());
  const auto run = [&] {
    for (size_t i = 0; i < kRows; i += kBlock) {
      score(query, rows.data() + i * width, kRows - i < kBlock ? kRows - i : kBlock, width, scores.data() + i);
    }
  };
  run();
  if (std::memcmp(expected.data(), scores.data(), kRows * sizeof(Score)) != 0) {
    std::printf("%s is wrong\n", kernel);
    return false;
  }
  const double bytes = static_cast<double>(rows.size() * sizeof(Element));
  const double seconds = best_seconds(run);
  const double plain = read_rate(rows.data(), rows.size() * sizeof(Element));
  std::printf("%-17s %6.2f ms %6.1f GB/s, %4.0f %% of a plain read\n", kernel, seconds * 1e3, bytes / seconds / 1e9,
              bytes / seconds / 1e7 / plain);
  return true;
}

}  // namespace

bool bench_search(const Peaks&) {
  return bench("score_rows_f32", scalar::score_rows_f32, simd128::score_rows_f32, kDimension) &&
         bench("score_rows_i8", scalar::score_rows_i8, simd128::score_rows_i8, kDimension) &&
         bench("score_rows_binary", scalar::score_rows_binary, simd128::score_rows_binary, kDimension / 8);
}

}  // namespace quintet::bench
