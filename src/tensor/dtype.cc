#include "tensor/dtype.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/checked.h"
#include "base/half.h"

namespace quintet {
namespace {

// Reads one value from its bytes.
using ReadValue = float(const std::byte*);

template <class Stored>
Stored load(const std::byte* bytes) {
  Stored stored;
  std::memcpy(&stored, bytes, sizeof(Stored));
  return stored;
}

template <class Stored>
float read_number(const std::byte* bytes) {
  return static_cast<float>(load<Stored>(bytes));
}

// OCP 8-bit floating point, "E4M3": bias 7, no infinities, all ones is NaN.
float f8_e4m3_to_f32(uint8_t code) {
  const uint32_t sign = static_cast<uint32_t>(code & 0x80) << 24;
  const uint32_t magnitude = code & 0x7F;
  if (magnitude == 0x7F) return std::bit_cast<float>(sign | 0x7FC00000u);
  // Read as a half with the same fields, which has three more exponent values below: exact, scaled by 2^-8.
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

template <class Stored, float (*to_float)(Stored)>
float read_float(const std::byte* bytes) {
  return to_float(load<Stored>(bytes));
}

struct Facts {
  std::string_view name, weights_name;
  unsigned bits;
  ReadValue* read = nullptr;  // none: not decodable
};

constexpr std::array<Facts, kDtypes> kFacts = {{
    {"F32", "FLOAT32", 32, read_number<float>},
    {"F16", "FLOAT16", 16, read_float<uint16_t, f16_to_f32>},
    {"BF16", "BFLOAT16", 16, read_float<uint16_t, bf16_to_f32>},
    {"I32", "INT32", 32, read_number<int32_t>},
    {"I16", "INT16", 16, read_number<int16_t>},
    {"I8", "INT8", 8, read_number<int8_t>},
    {"U32", "UINT32", 32, read_number<uint32_t>},
    {"U16", "UINT16", 16, read_number<uint16_t>},
    {"U8", "UINT8", 8, read_number<uint8_t>},
    {"F64", "", 64, read_number<double>},
    {"I64", "", 64, read_number<int64_t>},
    {"U64", "", 64, read_number<uint64_t>},
    {"BOOL", "", 8, read_number<uint8_t>},
    {"C64", "", 64},
    {"F8_E4M3", "", 8, read_float<uint8_t, f8_e4m3_to_f32>},
    {"F8_E5M2", "", 8, read_float<uint8_t, f8_e5m2_to_f32>},
    {"F8_E8M0", "", 8, read_float<uint8_t, f8_e8m0_to_f32>},
    {"F6_E2M3", "", 6},
    {"F6_E3M2", "", 6},
    {"F4", "", 4},
}};

const Facts& facts(Dtype dtype) { return kFacts[static_cast<size_t>(dtype)]; }

// A separate loop for a type that many models have.
template <ReadValue* read, size_t kBytes>
void decode_fast(Bytes bytes, std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = read(bytes.data() + i * kBytes);
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

bool decodable(Dtype dtype) { return facts(dtype).read != nullptr; }

void decode(Dtype dtype, Bytes bytes, std::span<float> out) {
  switch (dtype) {
    case Dtype::f32:
      if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size_bytes());
      return;
    case Dtype::f16:
      return decode_fast<read_float<uint16_t, f16_to_f32>, 2>(bytes, out);
    case Dtype::bf16:
      return decode_fast<read_float<uint16_t, bf16_to_f32>, 2>(bytes, out);
    case Dtype::i8:
      return decode_fast<read_number<int8_t>, 1>(bytes, out);
    default:
      break;
  }
  const auto [name, weights_name, bits, read] = facts(dtype);
  for (size_t i = 0; i < out.size(); ++i) out[i] = read(bytes.data() + i * (bits / 8));
}

void encode(Dtype dtype, std::span<const float> values, std::span<std::byte> bytes) {
  if (dtype == Dtype::f16) return encode_each(values, bytes, f32_to_f16);
  if (dtype == Dtype::bf16) return encode_each(values, bytes, f32_to_bf16);
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
}

}  // namespace quintet
