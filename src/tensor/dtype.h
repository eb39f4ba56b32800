#pragma once
// The types of tensor elements in all formats.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"

namespace quintet {

enum class Dtype : uint8_t {
  f32,
  f16,
  bf16,
  i32,
  i16,
  i8,
  u32,
  u16,
  u8,  // in the order of their codes in .weights files
  f64,
  i64,
  u64,
  boolean,
  c64,  // complex: two f32
  f8_e4m3,
  f8_e5m2,
  f8_e8m0,
  f6_e2m3,
  f6_e3m2,
  f4,
};
constexpr int kDtypes = 20;

// The name in safetensors: "F32", "BF16", "BOOL". Also used in messages that are not about a certain format.
std::string_view name_of(Dtype dtype);
std::optional<Dtype> dtype_named(std::string_view safetensors_name);

// The name in the .weights specification ("FLOAT32"); empty if that format has no such type.
std::string_view weights_name_of(Dtype dtype);

// Bits of one element; types below 8 bits are packed.
unsigned bits_of(Dtype dtype);

// Bytes of `elements` values; nothing if they do not end at a byte boundary or the product does not fit.
std::optional<uint64_t> bytes_of(Dtype dtype, uint64_t elements);

// Whether decode() supports the type: all of at least 8 bits except complex numbers.
bool decodable(Dtype dtype);

// Values as float32: exact for floats of up to 32 bits and integers of up to 24, otherwise rounded. Requires
// decodable(dtype) and bytes.size() == out.size() * bits_of(dtype) / 8. The bytes need not be aligned.
void decode(Dtype dtype, Bytes bytes, std::span<float> out);

// Float32 as f32, f16 or bf16, rounded to the nearest. Requires bytes.size() == values.size() * bits_of(dtype) / 8.
void encode(Dtype dtype, std::span<const float> values, std::span<std::byte> bytes);

}  // namespace quintet
