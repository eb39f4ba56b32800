#include "bench/native/kernels/benchmarks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tensor/block_types.h"
#include "tensor/codecs/payload.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/repacker.h"

namespace quintet::bench {
namespace {

void bench_packing(const char* name, Storage storage, size_t element_bytes) {
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

constexpr size_t kRows = 2048, kCols = 2048;
constexpr size_t kPiece = 1 << 20;  // bytes of a file that arrive together

// Any bytes are valid blocks if no half is infinite or NaN: the highest bit of each exponent is cleared.
std::vector<std::byte> random_blocks(size_t bytes) {
  std::minstd_rand random(1);
  std::vector<std::byte> blocks(bytes);
  for (std::byte& byte : blocks) byte = static_cast<std::byte>(random() >> 8 & 0xbf);
  return blocks;
}

Status repack(Bytes payload, const Quantization& quantization, BlockMatrix& matrix) {
  const auto repacker = make_repacker(quantization, matrix);
  for (size_t at = 0; at < payload.size(); at += kPiece) {
    QUINTET_CHECK(repacker->write(payload.subspan(at, std::min(kPiece, payload.size() - at))));
  }
  return repacker->finish();
}

// Whether the last row has the values that the decoder of the type finds in the file.
bool is_right(Bytes payload, const Quantization& quantization, const BlockMatrix& matrix) {
  std::vector<float> values, row(kCols);
  auto decoder =
      make_decoder(Dtype::i8, quantization, kRows * kCols, payload.size(), std::make_unique<ValueCollector>(values));
  if (!decoder || !(*decoder)->write(payload)) return false;
  matrix.read_row(kRows - 1, row.data());
  const auto expected = std::span(values).last(kCols);
  // An offset of the matrix is relative to the middle of the range, except in super-blocks: rounded once more.
  const float greatest = std::abs(std::ranges::max(expected, {}, [](float value) { return std::abs(value); }));
  const bool moved = matrix.layout().has_offsets && !matrix.layout().has_super_blocks();
  const float tolerance = moved ? 1e-6F * greatest : 0;
  return std::ranges::equal(row, expected, [=](float a, float b) { return std::abs(a - b) <= tolerance; });
}

bool bench_repacking(Scheme scheme) {
  const Quantization quantization = {.scheme = scheme};
  const auto size = gguf_payload_size(scheme, kRows * kCols);
  const auto layout = repacked_layout(quantization, kRows, kCols);
  if (!size || !layout) return false;
  const std::vector<std::byte> payload = random_blocks(static_cast<size_t>(size->data));
  BlockMatrix matrix;
  bool right = true;
  const double seconds = best_seconds([&] {
    matrix = BlockMatrix(*layout);
    right = matrix.reserve() && repack(payload, quantization, matrix) && right;
  });
  right = right && is_right(payload, quantization, matrix);
  const std::string_view name = name_of(scheme);
  std::printf("repack %-5.*s %6.2f GB/s of the file%s\n", static_cast<int>(name.size()), name.data(),
              static_cast<double>(payload.size()) / seconds / 1e9, right ? "" : ": wrong");
  return right;
}

}  // namespace

bool bench_pack(const Peaks&) {
  bench_packing("f32", Storage::f32, 4);
  bench_packing("f16", Storage::f16, 2);
  bench_packing("int8", Storage::i8, 1);
  return true;
}

bool bench_repack(const Peaks&) {
  bool right = true;
  for (const BlockType& type : kBlockTypes) {
    if (type.codec == Codec::gguf) right = bench_repacking(type.scheme) && right;
  }
  return right;
}

}  // namespace quintet::bench
