#include "tests/formats/plain_weights.h"

#include <cmath>

#include "tests/formats/file_cursor.h"

namespace quintet::test {
namespace {

double sixteen_bit_float(uint16_t code, int exponent_bits, int bias) {
  const int mantissa_bits = 15 - exponent_bits;
  const int exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = code & ((1 << mantissa_bits) - 1);
  const int implicit = exponent == 0 ? 0 : 1 << mantissa_bits;
  const double magnitude = std::ldexp(implicit + mantissa, (exponent == 0 ? 1 : exponent) - bias - mantissa_bits);
  return (code & 0x8000) != 0 ? -magnitude : magnitude;
}

double read_value(FileCursor& in, int dtype) {
  switch (dtype) {
    case 0:
      return static_cast<double>(in.number<float>());
    case 1:
      return sixteen_bit_float(in.number<uint16_t>(), 5, 15);
    case 2:
      return sixteen_bit_float(in.number<uint16_t>(), 8, 127);
    case 5:
      return in.number<int8_t>();
    default:
      return in.number<uint8_t>();  // 8; the fixtures have no other
  }
}

void read_values(FileCursor in, PlainTensor& tensor) {
  size_t count = 1;
  for (const uint32_t dimension : tensor.shape) count *= dimension;
  for (size_t i = 0; i < count; ++i) tensor.values.push_back(read_value(in, tensor.dtype));
}

}  // namespace

PlainWeights read_plain_weights(const std::vector<std::byte>& file) {
  PlainWeights out;
  FileCursor header(file, 12);
  const auto metadata_at = header.number<uint32_t>();
  header.number<uint32_t>();
  const auto vocabulary_at = header.number<uint32_t>();
  header.number<uint32_t>();
  const auto index_at = header.number<uint32_t>();
  const auto tensors = header.number<uint32_t>();
  const auto data_at = header.number<uint32_t>();

  FileCursor metadata(file, metadata_at);
  const auto entries = metadata.number<uint32_t>();
  metadata.number<uint32_t>();
  for (uint32_t i = 0; i < entries; ++i) {
    const auto key_length = metadata.number<uint16_t>();
    const auto value_length = metadata.number<uint16_t>();
    const std::string key = metadata.text(key_length);
    out.metadata[key] = metadata.text(value_length);
  }

  FileCursor vocabulary(file, vocabulary_at);
  const auto tokens = vocabulary.number<uint32_t>();
  vocabulary.number<uint64_t>();
  for (uint32_t i = 0; i < tokens; ++i) out.tokens.push_back(vocabulary.text(vocabulary.number<uint16_t>()));

  FileCursor names(file, index_at + 32 * tensors);
  for (uint32_t i = 0; i < tensors; ++i) {
    FileCursor descriptor(file, index_at + 32 * i + 4);
    PlainTensor tensor;
    tensor.dtype = descriptor.number<uint8_t>();
    const auto rank = descriptor.number<uint8_t>();
    const auto name_length = descriptor.number<uint16_t>();
    for (int d = 0; d < 4; ++d) {
      const auto dimension = descriptor.number<uint32_t>();
      if (d < rank) tensor.shape.push_back(dimension);
    }
    read_values(FileCursor(file, data_at + descriptor.number<uint64_t>()), tensor);
    out.tensors[names.text(name_length)] = tensor;
  }
  return out;
}

PlainWeights read_plain_flat(const std::vector<std::byte>& file) {
  PlainWeights out;
  FileCursor in(file, 8);
  const auto tensors = in.number<uint32_t>();
  for (uint32_t i = 0; i < tensors; ++i) {
    PlainTensor& tensor = out.tensors[in.text(in.number<uint32_t>())];
    const auto rank = in.number<uint32_t>();
    size_t count = 1;
    for (uint32_t d = 0; d < rank; ++d) count *= tensor.shape.emplace_back(in.number<uint32_t>());
    for (size_t v = 0; v < count; ++v) tensor.values.push_back(static_cast<double>(in.number<float>()));
  }
  const auto tokens = in.number<uint32_t>();
  for (uint32_t i = 0; i < tokens; ++i) out.tokens.push_back(in.text(in.number<uint32_t>()));
  return out;
}

}  // namespace quintet::test
