#include "bench/native/kernels/benchmarks.h"

#include <cstdio>
#include <vector>

#include "bench/native/kernels/measure.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::bench {
namespace {

void bench(const char* name, Storage storage, size_t element_bytes) {
  constexpr size_t kRows = 1536, kCols = 384, kPiece = 64;  // rows that arrive together
  const std::vector<std::byte> source(kRows * kCols * element_bytes + 1);
  // A chunk of a file may begin anywhere.
  const std::byte* const unaligned = source.data() + 1;
  const double seconds = best_seconds([&] {
    PackedMatrix matrix(storage, kRows, kCols);
    if (!matrix.reserve()) return;
    for (size_t row = 0; row < kRows; row += kPiece) {
      if (!matrix.append_rows(unaligned + row * kCols * element_bytes, kPiece)) return;
    }
  });
  std::printf("pack %-5s %6.2f GB/s\n", name, static_cast<double>(source.size()) / seconds / 1e9);
}

}  // namespace

bool bench_pack(const Peaks&) {
  bench("f32", Storage::f32, 4);
  bench("f16", Storage::f16, 2);
  bench("int8", Storage::i8, 1);
  return true;
}

}  // namespace quintet::bench
