#include "tensor/packed/nibble_panel.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "tensor/packed/block_panel.h"

namespace quintet {
namespace {

// A number of each of four rows. GCC and Clang compile operations on these to SIMD instructions.
using Words [[gnu::vector_size(kHalfPanel * sizeof(uint32_t))]] = uint32_t;
using Floats [[gnu::vector_size(kHalfPanel * sizeof(float))]] = float;

constexpr float kMiddle = 8;  // of unsigned values, which are around 0 in a matrix

// The same block of four rows.
struct HalfBlocks {
  const std::byte* at;
  size_t stride;

  template <class Integer>
  Words gather(size_t byte) const {
    Words words;
    for (size_t r = 0; r < kHalfPanel; ++r) {
      Integer value;
      std::memcpy(&value, at + r * stride + byte, sizeof value);
      words[r] = value;
    }
    return words;
  }
};

// Where the parameters of four rows go: to the record of a group of columns.
struct Parameters {
  std::byte* scales;
  std::byte* offsets;
  size_t record_bytes;

  void put_half_scales(Words halves) const {
    for (size_t r = 0; r < kHalfPanel; ++r) {
      const auto half = static_cast<uint16_t>(halves[r]);
      std::memcpy(scales + r * sizeof half, &half, sizeof half);
    }
  }
  void put_scales(size_t group, Floats values) const { put(scales, group, values); }
  // Of values from 0 on.
  void put_offsets(size_t group, Floats values, Floats of_group) const {
    put(offsets, group, values + kMiddle * of_group);
  }

 private:
  void put(std::byte* parameters, size_t group, Floats values) const {
    std::memcpy(parameters + group * record_bytes, &values, sizeof values);
  }
};

// Halves as floats; exact for finite ones. The exponents differ by 112, also where both are subnormal.
Floats widen(Words halves) {
  const auto magnitude = std::bit_cast<Floats>((halves & 0x7FFF) << 13) * 0x1p112F;
  return std::bit_cast<Floats>(std::bit_cast<Words>(magnitude) | (halves & 0x8000) << 16);
}

// Bit 15 is set where a half is infinite or NaN.
Words infinite(Words halves) { return (halves & 0x7C00) + 0x0400; }

// A type: the layout of its blocks (gguf_blocks.cc), and put_parameters(), which returns infinite() of all halves. The
// nibbles come in runs of bytes: first the values in the low halves, then those in the high ones.

struct Q4_0 {
  static constexpr size_t kBytes = 18, kValues = 32, kNibblesAt = 2, kRun = 16, kScaleBytes = 2;

  static Words put_parameters(HalfBlocks blocks, Parameters to) {
    const Words d = blocks.gather<uint16_t>(0);
    to.put_half_scales(d);
    return infinite(d);
  }
};

struct Q4_1 {
  static constexpr size_t kBytes = 20, kValues = 32, kNibblesAt = 4, kRun = 16, kScaleBytes = 2;

  static Words put_parameters(HalfBlocks blocks, Parameters to) {
    const Words d = blocks.gather<uint16_t>(0), m = blocks.gather<uint16_t>(2);
    to.put_half_scales(d);
    to.put_offsets(0, widen(m), widen(d));
    return infinite(d) | infinite(m);
  }
};

struct Q4_K {
  static constexpr size_t kBytes = 144, kValues = 256, kNibblesAt = 16, kRun = 32, kScaleBytes = 4;

  static Words put_parameters(HalfBlocks blocks, Parameters to) {
    const Words d = blocks.gather<uint16_t>(0), dmin = blocks.gather<uint16_t>(2);
    const Words first = blocks.gather<uint32_t>(4), second = blocks.gather<uint32_t>(8);
    const Words third = blocks.gather<uint32_t>(12);
    // Six bits in each byte: four groups of four rows.
    const Words scales[] = {first & 0x3F3F3F3F, (third & 0x0F0F0F0F) | (first >> 6 & 0x03030303) << 4};
    const Words offsets[] = {second & 0x3F3F3F3F, (third >> 4 & 0x0F0F0F0F) | (second >> 6 & 0x03030303) << 4};
    const Floats of_scales = widen(d), of_offsets = widen(dmin);
    for (unsigned group = 0; group < 8; ++group) {
      const auto parameter = [=](const Words(&words)[2]) {
        return __builtin_convertvector(words[group / 4] >> group % 4 * 8 & 0xFF, Floats);
      };
      const Floats scale = of_scales * parameter(scales);
      to.put_scales(group, scale);
      to.put_offsets(group, -(of_offsets * parameter(offsets)), scale);
    }
    return infinite(d) | infinite(dmin);
  }
};

template <class Type>
bool pack(const std::byte* rows, size_t row_bytes, const BlockMatrix& matrix, std::byte* panel) {
  const size_t record_bytes = matrix.record_bytes(), scales_at = matrix.scales_at(), offsets_at = matrix.offsets_at();
  const auto place = [&](size_t column) {
    return panel + column / BlockMatrix::kMaxBlock * record_bytes + column % BlockMatrix::kMaxBlock / kQuad * 16;
  };
  Words wrong = {};
  for (size_t block = matrix.cols() / Type::kValues; block > 0; --block, rows += Type::kBytes) {
    for (size_t lane = 0; lane < kPanelRows; lane += kHalfPanel) {
      const Parameters to = {.scales = panel + scales_at + lane * Type::kScaleBytes,
                             .offsets = panel + offsets_at + lane * sizeof(float),
                             .record_bytes = record_bytes};
      wrong |= Type::put_parameters({.at = rows + lane * row_bytes, .stride = row_bytes}, to);
    }
    const std::byte* nibbles = rows + Type::kNibblesAt;
    for (size_t run = 0; run < Type::kValues; run += 2 * Type::kRun) {
      for (size_t i = 0; i < Type::kRun; i += kPackedColumns, nibbles += kPackedColumns) {
        pack_panel_nibbles(nibbles, row_bytes, place(run + i), place(run + Type::kRun + i));
      }
    }
    panel = place(Type::kValues);
  }
  for (size_t r = 0; r < kHalfPanel; ++r) {
    if ((wrong[r] & 0x8000) != 0) return false;
  }
  return true;
}

}  // namespace

PackNibblePanel* nibble_panel_packer(Scheme scheme) {
  switch (scheme) {
    case Scheme::q4_0:
      return pack<Q4_0>;
    case Scheme::q4_1:
      return pack<Q4_1>;
    case Scheme::q4_k:
      return pack<Q4_K>;
    default:
      return nullptr;
  }
}

}  // namespace quintet
