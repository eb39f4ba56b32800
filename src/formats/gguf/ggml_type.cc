#include "formats/gguf/ggml_type.h"

#include <array>
#include <string>
#include <string_view>

namespace quintet::gguf {
namespace {

struct Known {
  uint32_t number;
  GgmlType type;
};

constexpr GgmlType plain(Dtype dtype) { return {.dtype = dtype, .scheme = Scheme::none, .block = 1}; }
constexpr GgmlType blocks(Scheme scheme, uint32_t values) {
  return {.dtype = Dtype::f32, .scheme = scheme, .block = values};
}

constexpr Known kKnown[] = {
    {0, plain(Dtype::f32)},          {1, plain(Dtype::f16)},          {2, blocks(Scheme::q4_0, 32)},
    {3, blocks(Scheme::q4_1, 32)},   {6, blocks(Scheme::q5_0, 32)},   {7, blocks(Scheme::q5_1, 32)},
    {8, blocks(Scheme::q8_0, 32)},   {12, blocks(Scheme::q4_k, 256)}, {13, blocks(Scheme::q5_k, 256)},
    {14, blocks(Scheme::q6_k, 256)}, {24, plain(Dtype::i8)},          {25, plain(Dtype::i16)},
    {26, plain(Dtype::i32)},         {27, plain(Dtype::i64)},         {28, plain(Dtype::f64)},
    {30, plain(Dtype::bf16)},
};

// What the others are called, for the person who reads the error.
std::string_view other_name(uint32_t number) {
  switch (number) {
    case 9:
      return "Q8_1";
    case 10:
      return "Q2_K";
    case 11:
      return "Q3_K";
    case 15:
      return "Q8_K";
    case 16:
      return "IQ2_XXS";
    case 17:
      return "IQ2_XS";
    case 18:
      return "IQ3_XXS";
    case 19:
      return "IQ1_S";
    case 20:
      return "IQ4_NL";
    case 21:
      return "IQ3_S";
    case 22:
      return "IQ2_S";
    case 23:
      return "IQ4_XS";
    case 29:
      return "IQ1_M";
    case 34:
      return "TQ1_0";
    case 35:
      return "TQ2_0";
    case 39:
      return "MXFP4";
    default:
      return "unknown";
  }
}

}  // namespace

Result<GgmlType> ggml_type(uint32_t number) {
  for (const Known& known : kKnown) {
    if (known.number == number) return known.type;
  }
  return unsupported_error("tensor type " + std::to_string(number) + " (" + std::string(other_name(number)) + ")");
}

}  // namespace quintet::gguf
