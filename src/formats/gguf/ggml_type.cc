#include "formats/gguf/ggml_type.h"

#include <string>

#include "tensor/block_types.h"

namespace quintet::gguf {
namespace {

struct PlainType {
  uint32_t number;
  Dtype dtype;
};
constexpr PlainType kPlainTypes[] = {
    {0, Dtype::f32},  {1, Dtype::f16},  {30, Dtype::bf16}, {24, Dtype::i8},
    {25, Dtype::i16}, {26, Dtype::i32}, {27, Dtype::i64},  {28, Dtype::f64},
};

constexpr auto& kNames = kBlockTypeColumn<&BlockType::name>;
constexpr auto& kNumbers = kBlockTypeColumn<&BlockType::ggml>;

void add_name(std::string_view name, std::string& names) {
  if (!names.empty()) names += ", ";
  names += name;
}

std::string decoded_names() {
  std::string names;
  for (const PlainType& plain : kPlainTypes) add_name(name_of(plain.dtype), names);
  for (size_t i = 0; i < kSchemes; ++i) {
    if (kNumbers[i] != kNoNumber) add_name(kNames[i], names);
  }
  return names;
}

}  // namespace

Result<GgmlType> ggml_type(uint32_t number) {
  for (const PlainType& plain : kPlainTypes) {
    if (plain.number == number) return GgmlType{.dtype = plain.dtype};
  }
  std::string_view name = "unknown";
  for (size_t i = 0; i < kNumbers.size(); ++i) {
    if (int64_t{kNumbers[i]} != number) continue;
    name = kNames[i];
    if (i >= kSchemes) break;
    const auto scheme = static_cast<Scheme>(i);
    return GgmlType{.dtype = Dtype::f32, .scheme = scheme, .block = layout_of(scheme).values};
  }
  return unsupported_error("tensor type " + std::to_string(number) + " (" + std::string(name) +
                           "); the types that can be read are " + decoded_names());
}

}  // namespace quintet::gguf
