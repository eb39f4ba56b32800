#include "tensor/packed/block_matrix.h"

#include <algorithm>
#include <cstring>

#include "base/half.h"
#include "tensor/finite.h"
#include "tensor/packed/block_panel.h"
#include "tensor/packed/growth.h"

namespace quintet {
namespace {

constexpr size_t kVectorBytes = 16;

QuadBytes load(const std::byte* p) {
  QuadBytes quad;
  std::memcpy(&quad, p, sizeof quad);
  return quad;
}

template <class T>
T load_as(const std::byte* values, size_t i) {
  T value;
  std::memcpy(&value, values + i * sizeof value, sizeof value);
  return value;
}

void set_bits(std::byte* p, QuadBytes bits) {
  bits |= load(p);
  std::memcpy(p, &bits, sizeof bits);
}

// Converts between two's complement and the same value with a bias of half the range.
QuadBytes rebias(QuadBytes values, unsigned bits) {
  return (values & in_each_byte(static_cast<uint8_t>((1u << bits) - 1))) ^
         in_each_byte(static_cast<uint8_t>(1u << (bits - 1)));
}

// The position of a quad of a row in a record.
struct Place {
  Place(size_t lane, size_t quad)
      : nibbles(quad * kVectorBytes + lane % kHalfPanel * kQuad),
        nibble_shift(static_cast<unsigned>(lane / kHalfPanel) * 4),
        high(quad / 4 * kVectorBytes + lane % kHalfPanel * kQuad),
        high_shift(static_cast<unsigned>(quad % 4 * 2 + lane / kHalfPanel)),
        bytes((quad * kPanelRows + lane) * kQuad) {}

  size_t nibbles;
  unsigned nibble_shift;
  size_t high;  // from high_at() on
  unsigned high_shift;
  size_t bytes;
};

// Quads of a block of 6 bits that have their own bytes. The upper two bits of these bytes are a part of the fourth,
// from bit six_bits_part(quad) of its values on.
constexpr size_t kSixBitQuads = 3;
constexpr unsigned six_bits_part(size_t quad) { return static_cast<unsigned>(2 * (kSixBitQuads - 1 - quad)); }

// The place of a block's offset in a super-block.
constexpr size_t offset_at(size_t block, size_t lane) { return (block / 2 * kPanelRows + lane) * 2 + block % 2; }

// The positions of scales and offsets in a record, and the type of the scales.
struct ParametersAt {
  size_t scales, offsets;
  Dtype scale_dtype;
};

void put_float(std::byte* values, size_t i, float value) {
  std::memcpy(values + i * sizeof value, &value, sizeof value);
}

void put_scale(std::byte* scales, size_t i, float scale, Dtype dtype) {
  if (dtype == Dtype::f32) return put_float(scales, i, scale);
  if (dtype == Dtype::i8) return void(scales[i] = static_cast<std::byte>(static_cast<int>(scale)));
  const uint16_t half = f32_to_f16(scale);
  std::memcpy(scales + i * sizeof half, &half, sizeof half);
}

bool is_finite_half(uint16_t half) { return (half & 0x7C00) != 0x7C00; }

Status internal_mismatch(const char* detail) { return fail(Code::internal, Reason::mismatch, "{}", detail); }

}  // namespace

size_t BlockMatrix::scales_at() const {
  const size_t quads = block_quads();
  switch (layout_.bits) {
    case BlockBits::four:
      return quads * kVectorBytes;
    case BlockBits::five:
      return high_at() + (quads + 3) / 4 * kVectorBytes;
    case BlockBits::six:
      return kSixBitQuads * 2 * kVectorBytes;
    case BlockBits::eight:
      break;
  }
  return quads * 2 * kVectorBytes;
}

size_t BlockMatrix::scale_bytes() const {
  if (layout_.has_super_blocks()) return sizeof(int8_t);
  return layout_.scale_dtype == Dtype::f16 ? sizeof(uint16_t) : sizeof(float);
}

size_t BlockMatrix::offsets_at() const { return scales_at() + kPanelRows * scale_bytes(); }

size_t BlockMatrix::record_bytes() const {
  const bool offsets_inside = layout_.has_offsets && !layout_.has_super_blocks();
  return offsets_at() + (offsets_inside ? kPanelRows * sizeof(float) : 0);
}

size_t BlockMatrix::super_block_bytes() const {
  if (!layout_.has_super_blocks()) return 0;
  return units_at() + unit_count() * kPanelRows * sizeof(uint16_t);
}

size_t BlockMatrix::panel_bytes() const {
  return blocks() * record_bytes() + layout_.cols / kSuperBlock * super_block_bytes();
}

uint64_t BlockMatrix::bytes_of(uint64_t panels) const {
  const uint64_t of_super_block = uint64_t{super_block()} * record_bytes() + super_block_bytes();
  const uint64_t of_panel = layout_.has_super_blocks() ? saturating_product(layout_.cols / kSuperBlock, of_super_block)
                                                       : saturating_product(blocks(), record_bytes());
  return saturating_product(panels, of_panel);
}

Status BlockMatrix::check_layout() const {
  if (layout_.block == 0 || layout_.block > kMaxBlock || layout_.cols % layout_.block != 0)
    return internal_mismatch("blocks do not divide the columns");
  const bool plain = layout_.has_super_blocks() && layout_.block == kSixBitBlock && !layout_.has_offsets;
  if (layout_.bits == BlockBits::six && !plain)
    return internal_mismatch("6 bits without super-blocks, with offsets, or with blocks of another size");
  if (layout_.has_super_blocks()) {
    if (kSuperBlock % layout_.block == 0 && layout_.cols % kSuperBlock == 0) return {};
    return internal_mismatch("super-blocks do not divide the columns");
  }
  if (layout_.scale_dtype != Dtype::f16 && layout_.scale_dtype != Dtype::f32)
    return internal_mismatch("scales are neither F16 nor F32");
  return {};
}

Status BlockMatrix::reserve() {
  QUINTET_CHECK(check_layout());
  return records_.reserve(bytes_of(panels()));
}

Status BlockMatrix::append_rows(size_t count, std::span<const int8_t> q, std::span<const float> scales,
                                std::span<const float> offsets) {
  QUINTET_CHECK(check_layout());
  const size_t first = appended_;
  if (layout_.has_super_blocks()) return internal_mismatch("rows with scales of their own for super-blocks");
  if (count > kPanelRows - first % kPanelRows || q.size() != count * layout_.cols ||
      scales.size() != count * blocks() || offsets.size() != (layout_.has_offsets ? count * blocks() : 0)) {
    return internal_mismatch("rows that do not fit the matrix");
  }
  QUINTET_CHECK(extend(count));
  if (!put_rows(first, count, q, scales, offsets)) set_infinite();
  return {};
}

Status BlockMatrix::extend(size_t count) {
  QUINTET_CHECK(check_layout());
  if (count > layout_.rows - appended_) return internal_mismatch("more rows than the matrix has");
  const uint64_t bytes = bytes_of((appended_ + count + kPanelRows - 1) / kPanelRows);
  QUINTET_CHECK(reserve_ahead(records_, bytes, bytes_of(panels())));
  QUINTET_CHECK(records_.resize_uninitialized(bytes));
  appended_ += count;
  return {};
}

bool BlockMatrix::put_rows(size_t first, size_t count, std::span<const int8_t> q, std::span<const float> scales,
                           std::span<const float> offsets, std::span<const uint16_t> units) {
  const size_t lane = first % kPanelRows;
  std::byte* record = records_.data() + first / kPanelRows * panel_bytes();
  // Kept here, because as far as a compiler knows, writing a record could change them.
  const size_t columns = block(), in_row = blocks(), bytes = record_bytes();
  const ParametersAt at = {.scales = scales_at(), .offsets = offsets_at(), .scale_dtype = layout_.scale_dtype};
  const bool whole = count == kPanelRows && columns % kPackedColumns == 0, integers = layout_.has_super_blocks();
  // Values beyond the last row and the last column are zero, and bits are set in zeros.
  if (!whole && lane == 0) std::memset(record, 0, panel_bytes());
  for (size_t b = 0; b < in_row; ++b, record += bytes) {
    if (whole) pack_panel_block(layout_.bits, columns, q.data() + b * columns, layout_.cols, record);
    for (size_t r = 0; r < count; ++r) {
      if (!whole) put_block(record, lane + r, q.subspan(r * layout_.cols + b * columns, columns));
      put_scale(record + at.scales, lane + r, scales[r * in_row + b], at.scale_dtype);
      if (!offsets.empty() && !integers) put_float(record + at.offsets, lane + r, offsets[r * in_row + b]);
    }
    if (!integers || (b + 1) % super_block() != 0) continue;
    for (size_t r = 0; r < count; ++r) {
      const size_t s = r * (layout_.cols / kSuperBlock) + b / super_block();
      put_parameters(record + bytes, lane + r,
                     offsets.empty() ? offsets : offsets.subspan(s * super_block(), super_block()),
                     units.subspan(s * unit_count(), unit_count()));
    }
    record += super_block_bytes();
  }
  return all_finite(scales) && all_finite(offsets) && std::ranges::all_of(units, is_finite_half);
}

void BlockMatrix::put_parameters(std::byte* parameters, size_t lane, std::span<const float> offsets,
                                 std::span<const uint16_t> units) const {
  for (size_t b = 0; b < offsets.size(); ++b) {
    parameters[offset_at(b, lane)] = static_cast<std::byte>(-static_cast<int>(offsets[b]));
  }
  for (size_t i = 0; i < units.size(); ++i) {
    std::memcpy(parameters + units_at() + (i * kPanelRows + lane) * sizeof(uint16_t), &units[i], sizeof(uint16_t));
  }
}

// All decisions are made outside of the loop, because models have billions of quads.
void BlockMatrix::put_block(std::byte* record, size_t lane, std::span<const int8_t> q) const {
  const auto put_all = [&](auto put) {
    const size_t whole = q.size() / kQuad;
    for (size_t quad = 0; quad < whole; ++quad) put(quad, load(std::as_bytes(q).data() + quad * kQuad));
    if (q.size() % kQuad == 0) return;
    QuadBytes values = 0;
    std::memcpy(&values, q.data() + whole * kQuad, q.size() % kQuad);
    put(whole, values);
  };
  switch (layout_.bits) {
    case BlockBits::four:
      return put_all([=](size_t quad, QuadBytes values) {
        const Place place(lane, quad);
        set_bits(record + place.nibbles, rebias(values, 4) << place.nibble_shift);
      });
    case BlockBits::five:
      return put_all([=, high = record + high_at()](size_t quad, QuadBytes values) {
        const Place place(lane, quad);
        const QuadBytes u = rebias(values, 5);
        set_bits(record + place.nibbles, (u & in_each_byte(15)) << place.nibble_shift);
        set_bits(high + place.high, (u >> 4 & in_each_byte(1)) << place.high_shift);
      });
    case BlockBits::six:
      return put_all([=](size_t quad, QuadBytes values) {
        const QuadBytes u = rebias(values, 6);
        if (quad != kSixBitQuads) return set_bits(record + Place(lane, quad).bytes, u);
        for (size_t i = 0; i < kSixBitQuads; ++i) {
          set_bits(record + Place(lane, i).bytes, (u >> six_bits_part(i) & in_each_byte(3)) << 6);
        }
      });
    case BlockBits::eight:
      return put_all(
          [=](size_t quad, QuadBytes values) { set_bits(record + Place(lane, quad).bytes, rebias(values, 8)); });
  }
}

uint32_t BlockMatrix::get(const std::byte* record, size_t lane, size_t quad) const {
  const Place place(lane, quad);
  const unsigned bits = static_cast<unsigned>(layout_.bits);
  QuadBytes u = 0;
  if (layout_.bits == BlockBits::eight) {
    u = load(record + place.bytes);
  } else if (layout_.bits == BlockBits::six) {
    if (quad != kSixBitQuads) u = load(record + place.bytes) & in_each_byte(63);
    for (size_t i = 0; quad == kSixBitQuads && i < kSixBitQuads; ++i) {
      u |= (load(record + Place(lane, i).bytes) >> 6 & in_each_byte(3)) << six_bits_part(i);
    }
  } else {
    u = load(record + place.nibbles) >> place.nibble_shift & in_each_byte(15);
    if (layout_.bits == BlockBits::five)
      u |= (load(record + high_at() + place.high) >> place.high_shift & in_each_byte(1)) << 4;
  }
  if (layout_.has_super_blocks() && layout_.has_offsets) return u;
  // Extends the sign to the whole byte.
  const QuadBytes q = rebias(u, bits);
  const QuadBytes signs = q >> (bits - 1) & in_each_byte(1);
  return q | signs * static_cast<uint8_t>(0x100 - (1u << bits));
}

float BlockMatrix::scale(const std::byte* record, size_t i) const {
  const std::byte* scales = record + scales_at();
  if (layout_.has_super_blocks()) return static_cast<float>(std::to_integer<int8_t>(scales[i]));
  if (layout_.scale_dtype == Dtype::f16) return f16_to_f32(load_as<uint16_t>(scales, i));
  return load_as<float>(scales, i);
}

const std::byte* BlockMatrix::record(size_t row, size_t b) const {
  return panel(row / kPanelRows) + b * record_bytes() + b / super_block() * super_block_bytes();
}

BlockMatrix::RowBlock BlockMatrix::row_block(size_t row, size_t b) const {
  const std::byte* const record = this->record(row, b);
  const size_t lane = row % kPanelRows;
  RowBlock values = {.q = {}, .scale = scale(record, lane), .offset = 0};
  for (size_t quad = 0; quad < block_quads(); ++quad) {
    const QuadBytes q = get(record, lane, quad);
    std::memcpy(values.q.data() + quad * kQuad, &q, sizeof q);
  }
  if (!layout_.has_offsets) return values;
  if (layout_.has_super_blocks()) {
    const size_t in_super_block = b % super_block();
    const std::byte* const offsets = record + (super_block() - in_super_block) * record_bytes();
    values.offset = std::to_integer<uint8_t>(offsets[offset_at(in_super_block, lane)]);
  } else {
    values.offset = load_as<float>(record + offsets_at(), lane);
  }
  return values;
}

BlockMatrix::Units BlockMatrix::units(size_t row, size_t s) const {
  if (!layout_.has_super_blocks()) return {};
  const std::byte* const units = record(row, s * super_block()) + super_block() * record_bytes() + units_at();
  const auto unit = [&](size_t i) { return f16_to_f32(load_as<uint16_t>(units, i * kPanelRows + row % kPanelRows)); };
  return {.scale = unit(0), .offset = layout_.has_offsets ? -unit(1) : 0};
}

void BlockMatrix::read_row(size_t row, float* out) const {
  for (size_t b = 0; b < blocks(); ++b) {
    const RowBlock values = row_block(row, b);
    const Units of = units(row, b * block() / kSuperBlock);
    const float scale = of.scale * values.scale, offset = of.offset * values.offset;
    for (size_t k = 0; k < block(); ++k, ++out) *out = static_cast<float>(values.q[k]) * scale + offset;
  }
}

}  // namespace quintet
