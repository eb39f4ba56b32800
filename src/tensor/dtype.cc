#include "tensor/dtype.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/checked.h"
#include "base/half.h"

namespace quintet {
namespace {

struct Facts {
  std::string_view name, weights_name;
  unsigned bits;
};

constexpr std::array<Facts, kDtypes> kFacts = {{
    {"F32", "FLOAT32", 32}, {"F16", "FLOAT16", 16}, {"BF16", "BFLOAT16", 16}, {"I32", "INT32", 32},
    {"I16", "INT16", 16},   {"I8", "INT8", 8},      {"U32", "UINT32", 32},    {"U16", "UINT16", 16},
    {"U8", "UINT8", 8},     {"F64", "", 64},        {"I64", "", 64},          {"U64", "", 64},
    {"BOOL", "", 8},        {"C64", "", 64},        {"F8_E4M3", "", 8},       {"F8_E5M2", "", 8},
    {"F8_E8M0", "", 8},     {"F6_E2M3", "", 6},     {"F6_E3M2", "", 6},       {"F4", "", 4},
}};

const Facts& facts(Dtype dtype) { return kFacts[static_cast<size_t>(dtype)]; }

template <class Stored, class ToFloat>
void decode_each(Bytes bytes, std::span<float> out, ToFloat to_float) {
  for (size_t i = 0; i < out.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = to_float(stored);
  }
}

template <class Stored>
void decode_numbers(Bytes bytes, std::span<float> out) {
  decode_each<Stored>(bytes, out, [](Stored stored) { return static_cast<float>(stored); });
}

// OCP 8-bit floating point, "E4M3": bias 7, no infinities, all ones is NaN.
float f8_e4m3_to_f32(uint8_t code) {
  const uint32_t sign = static_cast<uint32_t>(code & 0x80) << 24;
  const uint32_t magnitude = code & 0x7F;
  if (magnitude == 0x7F) return std::bit_cast<float>(sign | 0x7FC00000u);
  // As a half with the same fields, which has three more exponent values below: exact, scaled by 2^-8.
  const float scaled = f16_to_f32(static_cast<uint16_t>(magnitude << 7));
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(scaled * 256.0F));
}

// "E5M2" is the upper half of a 16-bit float.
float f8_e5m2_to_f32(uint8_t code) { return f16_to_f32(static_cast<uint16_t>(code << 8)); }

// "E8M0": a power of two without a sign.
float f8_e8m0_to_f32(uint8_t code) {
  if (code == 0xFF) return std::bit_cast<float>(0x7FC00000u);
  return std::bit_cast<float>(code == 0 ? 0x00400000u : static_cast<uint32_t>(code) << 23);
}

template <class ToHalf>
void encode_each(std::span<const float> values, std::span<std::byte> bytes, ToHalf to_half) {
  for (size_t i = 0; i < values.size(); ++i) {
    const uint16_t half = to_half(values[i]);
    std::memcpy(bytes.data() + i * sizeof(half), &half, sizeof(half));
  }
}

}  // namespace

std::string_view name_of(Dtype dtype) { return facts(dtype).name; }

std::optional<Dtype> dtype_named(std::string_view safetensors_name) {
  for (size_t i = 0; i < kFacts.size(); ++i) {
    if (kFacts[i].name == safetensors_name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

std::string_view weights_name_of(Dtype dtype) { return facts(dtype).weights_name; }

unsigned bits_of(Dtype dtype) { return facts(dtype).bits; }

std::optional<uint64_t> bytes_of(Dtype dtype, uint64_t elements) {
  const std::optional<uint64_t> bits = checked_mul(elements, bits_of(dtype));
  if (!bits || *bits % 8 != 0) return std::nullopt;
  return *bits / 8;
}

bool decodable(Dtype dtype) { return bits_of(dtype) >= 8 && dtype != Dtype::c64; }

void decode(Dtype dtype, Bytes bytes, std::span<float> out) {
  switch (dtype) {
    case Dtype::f32:
      if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size_bytes());
      return;
    case Dtype::f16:
      return decode_each<uint16_t>(bytes, out, f16_to_f32);
    case Dtype::bf16:
      return decode_each<uint16_t>(bytes, out, bf16_to_f32);
    case Dtype::i32:
      return decode_numbers<int32_t>(bytes, out);
    case Dtype::i16:
      return decode_numbers<int16_t>(bytes, out);
    case Dtype::i8:
      return decode_numbers<int8_t>(bytes, out);
    case Dtype::u32:
      return decode_numbers<uint32_t>(bytes, out);
    case Dtype::u16:
      return decode_numbers<uint16_t>(bytes, out);
    case Dtype::u8:
    case Dtype::boolean:
      return decode_numbers<uint8_t>(bytes, out);
    case Dtype::f64:
      return decode_numbers<double>(bytes, out);
    case Dtype::i64:
      return decode_numbers<int64_t>(bytes, out);
    case Dtype::u64:
      return decode_numbers<uint64_t>(bytes, out);
    case Dtype::f8_e4m3:
      return decode_each<uint8_t>(bytes, out, f8_e4m3_to_f32);
    case Dtype::f8_e5m2:
      return decode_each<uint8_t>(bytes, out, f8_e5m2_to_f32);
    case Dtype::f8_e8m0:
      return decode_each<uint8_t>(bytes, out, f8_e8m0_to_f32);
    case Dtype::c64:
    case Dtype::f6_e2m3:
    case Dtype::f6_e3m2:
    case Dtype::f4:
      return;  // not decodable()
  }
}

void encode(Dtype dtype, std::span<const float> values, std::span<std::byte> bytes) {
  if (dtype == Dtype::f16) return encode_each(values, bytes, f32_to_f16);
  if (dtype == Dtype::bf16) return encode_each(values, bytes, f32_to_bf16);
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
}

}  // namespace quintet
