#pragma once
// All types in which files store quantized values, one row each. All facts about a type are here; functions look up a
// column.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tensor/codecs/gguf_blocks.h"
#include "tensor/quantization.h"

namespace quintet {

// Decoding of a type's bytes (tensor/codecs/), and the fields of a Quantization that it uses.
enum class Codec : uint8_t {
  none,        // cannot be decoded
  plain,       // a Dtype
  amb,         // block, scale_dtype
  alt,         // delta, min, max
  group_int8,  // block, asymmetric
  tensor_int,  // scale, zero_point
  gguf,        // nothing: the blocks contain everything
};

// For the blocks of a type with a fixed block size.
struct BlockLayout {
  uint16_t values = 0;
  uint16_t bytes = 0;
  uint16_t group = 0;  // values that share a scale
  bool has_offsets = false;
  Dtype scale_dtype = Dtype::f16;  // of a matrix: it represents the products of all scales exactly; i8: super-blocks
};

constexpr int kNoNumber = -1;

struct BlockType {
  Scheme scheme = Scheme::none;
  std::string_view name = {};  // in its format
  Codec codec = Codec::none;
  uint8_t bits = 0;  // of the integers that are decoded, without their share of the scales; 0 if blocks differ
  int amb = kNoNumber;
  int ggml = kNoNumber;
  std::string_view amb_config = {};   // in the config of an AMB file
  Scheme nearest_amb = Scheme::none;  // for converters, the type with the same number of bits; none: floats
  BlockLayout blocks = {};
  DecodeBlock* decode_block = nullptr;  // codec gguf
};

namespace block_types {

constexpr BlockType amb(Scheme scheme, std::string_view name, std::string_view config, int number, uint8_t bits) {
  return {.scheme = scheme,
          .name = name,
          .codec = Codec::amb,
          .bits = bits,
          .amb = number,
          .amb_config = config,
          .nearest_amb = scheme};
}

constexpr BlockType alt(Scheme scheme, std::string_view name, uint8_t bits, Scheme nearest_amb) {
  return {.scheme = scheme, .name = name, .codec = Codec::alt, .bits = bits, .nearest_amb = nearest_amb};
}

constexpr BlockType tiny(Scheme scheme, std::string_view name, Codec codec, uint8_t bits) {
  return {.scheme = scheme, .name = name, .codec = codec, .bits = bits};
}

constexpr BlockType gguf(Scheme scheme, std::string_view name, int number, uint8_t bits, BlockLayout blocks,
                         Scheme nearest_amb, DecodeBlock* decode_block) {
  return {.scheme = scheme,
          .name = name,
          .codec = Codec::gguf,
          .bits = bits,
          .ggml = number,
          .nearest_amb = nearest_amb,
          .blocks = blocks,
          .decode_block = decode_block};
}

// A GGUF type that is only known by name, for errors.
constexpr BlockType undecoded(std::string_view name, int number) { return {.name = name, .ggml = number}; }

}  // namespace block_types

// clang-format off
inline constexpr auto kBlockTypes = std::to_array<BlockType>({
    // The types that can be decoded, in the order of Scheme.
    {.scheme = Scheme::none, .codec = Codec::plain},

    block_types::amb(Scheme::int8, "INT8", "int8", 3, 8),
    block_types::amb(Scheme::int4, "INT4", "int4", 4, 4),
    block_types::amb(Scheme::int5, "INT5", "int5", 5, 5),
    block_types::amb(Scheme::int4_block, "INT4BLOCK", "int4_block", 6, 4),
    block_types::amb(Scheme::int5_block, "INT5BLOCK", "int5_block", 7, 5),
    block_types::amb(Scheme::adaptive, "ADAPTIVE", "adaptive", 8, 0),

    // An affine 4-bit value has no sign, so values around 0 need a fifth bit.
    block_types::alt(Scheme::qint8, "qint8", 8, Scheme::int8),
    block_types::alt(Scheme::qint4, "qint4", 4, Scheme::int5_block),
    block_types::alt(Scheme::qint4_packed, "qint4", 4, Scheme::int5_block),

    block_types::tiny(Scheme::group_int8, "int8", Codec::group_int8, 8),
    block_types::tiny(Scheme::tensor_int8, "int8", Codec::tensor_int, 8),
    block_types::tiny(Scheme::tensor_int32, "int32", Codec::tensor_int, 32),

    block_types::gguf(Scheme::q4_0, "Q4_0", 2, 4, {32, 18, 32}, Scheme::int4_block, decode_q4_0),
    block_types::gguf(Scheme::q4_1, "Q4_1", 3, 4, {32, 20, 32, true}, Scheme::int4_block, decode_q4_1),
    block_types::gguf(Scheme::q5_0, "Q5_0", 6, 5, {32, 22, 32}, Scheme::int5_block, decode_q5_0),
    block_types::gguf(Scheme::q5_1, "Q5_1", 7, 5, {32, 24, 32, true}, Scheme::int5_block, decode_q5_1),
    block_types::gguf(Scheme::q8_0, "Q8_0", 8, 8, {32, 34, 32}, Scheme::int8, decode_q8_0),
    block_types::gguf(Scheme::q4_k, "Q4_K", 12, 4, {256, 144, 32, true, Dtype::i8}, Scheme::int4_block, decode_q4_k),
    block_types::gguf(Scheme::q5_k, "Q5_K", 13, 5, {256, 176, 32, true, Dtype::i8}, Scheme::int5_block, decode_q5_k),
    block_types::gguf(Scheme::q6_k, "Q6_K", 14, 6, {256, 210, 16, false, Dtype::i8}, Scheme::int8, decode_q6_k),
    block_types::gguf(Scheme::q2_k, "Q2_K", 10, 2, {256, 84, 16, true, Dtype::i8}, Scheme::int4_block, decode_q2_k),
    block_types::gguf(Scheme::q3_k, "Q3_K", 11, 3, {256, 110, 16, false, Dtype::i8}, Scheme::int4_block, decode_q3_k),
    // Four bits choose one of sixteen integers, which need eight, or five in MXFP4.
    block_types::gguf(Scheme::iq4_nl, "IQ4_NL", 20, 8, {32, 18, 32}, Scheme::int8, decode_iq4_nl),
    block_types::gguf(Scheme::iq4_xs, "IQ4_XS", 23, 8, {256, 136, 32, false, Dtype::i8}, Scheme::int8, decode_iq4_xs),
    block_types::gguf(Scheme::mxfp4, "MXFP4", 39, 5, {32, 17, 32, false, Dtype::f32}, Scheme::int5_block, decode_mxfp4),
    // Points of a grid, with coordinates of up to seven bits, or of five.
    block_types::gguf(Scheme::iq2_xxs, "IQ2_XXS", 16, 8, {256, 66, 32, false, Dtype::f32}, Scheme::int8, decode_iq2_xxs),
    block_types::gguf(Scheme::iq2_xs, "IQ2_XS", 17, 8, {256, 74, 16, false, Dtype::f32}, Scheme::int8, decode_iq2_xs),
    block_types::gguf(Scheme::iq2_s, "IQ2_S", 22, 8, {256, 82, 16, false, Dtype::f32}, Scheme::int8, decode_iq2_s),
    block_types::gguf(Scheme::iq3_xxs, "IQ3_XXS", 18, 8, {256, 98, 32, false, Dtype::f32}, Scheme::int8, decode_iq3_xxs),
    block_types::gguf(Scheme::iq3_s, "IQ3_S", 21, 5, {256, 110, 32, false, Dtype::i8}, Scheme::int5_block, decode_iq3_s),
    block_types::gguf(Scheme::iq1_s, "IQ1_S", 19, 5, {256, 50, 32, false, Dtype::f32}, Scheme::int5_block, decode_iq1_s),
    block_types::gguf(Scheme::iq1_m, "IQ1_M", 29, 5, {256, 56, 16, false, Dtype::f32}, Scheme::int5_block, decode_iq1_m),
    block_types::gguf(Scheme::q8_1, "Q8_1", 9, 8, {32, 36, 32}, Scheme::int8, decode_q8_1),
    block_types::gguf(Scheme::q8_k, "Q8_K", 15, 8, {256, 292, 32, false, Dtype::f32}, Scheme::int8, decode_q8_k),

    block_types::undecoded("TQ1_0", 34),
    block_types::undecoded("TQ2_0", 35),
    block_types::undecoded("NVFP4", 40),
    block_types::undecoded("Q1_0", 41),
    block_types::undecoded("Q2_0", 42),
});
// clang-format on

static_assert(
    [] {
      for (size_t i = 0; i < kBlockTypes.size(); ++i) {
        const bool decoded = kBlockTypes[i].codec != Codec::none;
        if (decoded != (i < kSchemes) || (decoded && kBlockTypes[i].scheme != static_cast<Scheme>(i))) return false;
      }
      return true;
    }(),
    "a row for each Scheme, in their order, and the other types behind them");

// One column of all rows. A module only contains the columns that it uses: for example names without codecs.
template <auto kField>
inline constexpr auto kBlockTypeColumn = [] {
  std::array<std::remove_cvref_t<decltype(kBlockTypes[0].*kField)>, kBlockTypes.size()> column = {};
  for (size_t i = 0; i < column.size(); ++i) column[i] = kBlockTypes[i].*kField;
  return column;
}();

template <auto kField>
constexpr auto block_type_field(Scheme scheme) {
  return kBlockTypeColumn<kField>[static_cast<size_t>(scheme)];
}

// Empty for Scheme::none.
inline std::string_view name_of(Scheme scheme) { return block_type_field<&BlockType::name>(scheme); }
inline Codec codec_of(Scheme scheme) { return block_type_field<&BlockType::codec>(scheme); }
inline unsigned bits_of(Scheme scheme) { return block_type_field<&BlockType::bits>(scheme); }
inline BlockLayout layout_of(Scheme scheme) { return block_type_field<&BlockType::blocks>(scheme); }
inline DecodeBlock* block_decoder(Scheme scheme) { return block_type_field<&BlockType::decode_block>(scheme); }

}  // namespace quintet
