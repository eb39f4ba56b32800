#include "tests/formats/plain_amb.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/formats/file_cursor.h"

namespace quintet::test {
namespace {

class AmbCursor : public FileCursor {
 public:
  using FileCursor::FileCursor;

  float f16() {
    const auto code = number<uint16_t>();
    const int exponent = code >> 10 & 31;
    const int mantissa = code & 1023;
    double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    if (exponent == 31) value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
    return static_cast<float>(code & 0x8000 ? -value : value);
  }
  float bf16() {
    const uint32_t bits = static_cast<uint32_t>(number<uint16_t>()) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  float scale(int type) { return type == 1 ? f16() : number<float>(); }
  // `count` two's complement numbers of that many bits, least significant bit first, up to the end of a byte.
  std::vector<int> integers(size_t count, int bits) {
    std::vector<int> out;
    const std::string bytes = text((count * bits + 7) / 8);
    for (size_t i = 0; i < count; ++i) {
      int value = 0;
      for (int b = 0; b < bits; ++b) {
        const size_t place = i * bits + b;
        value |= (bytes[place / 8] >> place % 8 & 1) << b;
      }
      out.push_back(value < 1 << (bits - 1) ? value : value - (1 << bits));
    }
    return out;
  }
};

void append(std::vector<float>& values, const std::vector<int>& quantized, float scale) {
  for (const int q : quantized) values.push_back(static_cast<float>(q) * scale);
}

std::vector<float> adaptive(AmbCursor& in, size_t blocks, size_t block, int scale_type) {
  std::vector<int> codes;
  const std::string mask = in.text((blocks + 3) / 4);
  for (size_t i = 0; i < blocks; ++i) codes.push_back(mask[i / 4] >> i % 4 * 2 & 3);
  std::vector<float> scales;
  for (const int code : codes) scales.push_back(code == 3 ? 1.0F : in.scale(scale_type));
  std::vector<float> values;
  for (size_t i = 0; i < blocks; ++i) {
    const int bits[] = {4, 5, 8};
    if (codes[i] < 3) {
      append(values, in.integers(block, bits[codes[i]]), scales[i]);
    } else {
      for (size_t v = 0; v < block; ++v) values.push_back(in.f16());
    }
  }
  return values;
}

std::vector<float> values_of(AmbCursor& in, const PlainAmbTensor& tensor, size_t count) {
  std::vector<float> values;
  std::vector<float> scales;
  const size_t block = tensor.block != 0 ? tensor.block : count;
  const size_t blocks = (count + block - 1) / block;
  const int bits[] = {0, 0, 0, 8, 4, 5, 4, 5};
  if (tensor.type >= 3 && tensor.type <= 5) {
    for (size_t i = 0; i < blocks; ++i) scales.push_back(in.scale(tensor.scale_type));
  }
  const auto data_size = in.number<uint64_t>();
  const size_t begin = in.at();
  if (tensor.type == 8) values = adaptive(in, blocks, block, tensor.scale_type);
  for (size_t i = 0; tensor.type >= 3 && tensor.type < 8 && i < blocks; ++i) {
    const float scale = tensor.type >= 6 ? in.scale(tensor.scale_type) : scales[i];
    append(values, in.integers(block, bits[tensor.type]), scale);
  }
  for (size_t i = 0; tensor.type < 3 && i < count; ++i) {
    values.push_back(tensor.type == 0 ? in.number<float>() : tensor.type == 1 ? in.f16() : in.bf16());
  }
  if (in.at() != begin + data_size) return {};
  values.resize(count);
  return values;
}

PlainAmbTensor read_tensor(AmbCursor& in) {
  PlainAmbTensor tensor;
  size_t count = 1;
  const auto dimensions = in.number<uint8_t>();
  for (int d = 0; d < dimensions; ++d) count *= tensor.shape.emplace_back(in.number<uint32_t>());
  tensor.type = in.number<uint8_t>();
  if (tensor.type >= 3) {
    in.number<uint8_t>();
    tensor.block = in.number<uint16_t>();
    tensor.scale_type = in.number<uint8_t>();
  }
  tensor.values = values_of(in, tensor, count);
  return tensor;
}

PlainAmbTokenizer read_tokenizer(AmbCursor in, size_t size) {
  PlainAmbTokenizer out;
  if (size == 0) return out;
  out.type = in.number<uint8_t>();
  for (int i = 0; i < 5; ++i) out.special.push_back(in.number<uint16_t>());
  if (out.type == 0) {
    const auto merges = in.number<uint32_t>();
    for (uint32_t i = 0; i < merges; ++i) out.merges.push_back(in.text(in.number<uint16_t>()));
  }
  if (out.type == 1 || out.type == 3) {
    out.opaque = in.text(size - 11);
    return out;
  }
  const auto tokens = in.number<uint32_t>();
  for (uint32_t i = 0; i < tokens; ++i) {
    const uint32_t id = out.type == 0 ? in.number<uint32_t>() : i;
    out.tokens.emplace_back(id, in.text(in.number<uint16_t>()));
  }
  return out;
}

}  // namespace

PlainAmb read_plain_amb(const std::vector<std::byte>& file) {
  PlainAmb out;
  AmbCursor in(file, 6);
  out.flags = in.number<uint16_t>();
  const auto metadata = in.number<uint32_t>();
  const auto config = in.number<uint32_t>();
  const auto tokenizer = in.number<uint32_t>();
  const auto weights = in.number<uint64_t>();
  out.metadata = in.text(metadata);
  out.config = in.text(config);
  out.tokenizer = read_tokenizer(in, tokenizer);
  in.skip(tokenizer);
  out.end = in.at() + weights;
  while (in.at() < out.end) {
    out.names.push_back(in.text(in.number<uint16_t>()));
    out.tensors[out.names.back()] = read_tensor(in);
    in.skip((8 - in.at() % 8) % 8);
  }
  return out;
}

}  // namespace quintet::test
