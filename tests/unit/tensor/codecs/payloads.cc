#include "tests/unit/tensor/codecs/payloads.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace quintet::test {
namespace {

constexpr size_t kPieces[] = {1, 3, 7, 1000};

bool same(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

void expect_same(std::span<const float> got, std::span<const float> expected, const std::string& name) {
  ASSERT_EQ(got.size(), expected.size()) << name;
  for (size_t i = 0; i < got.size(); ++i) ASSERT_TRUE(same(got[i], expected[i])) << name << ' ' << i << ": " << got[i];
}

}  // namespace

Result<std::vector<float>> decoded(const StoredTensor& tensor, size_t piece) {
  std::vector<float> values;
  QUINTET_TRY(const auto decoder, make_decoder(tensor.dtype, tensor.quantization, tensor.elements, tensor.data_bytes,
                                               std::make_unique<ValueCollector>(values)));
  for (Bytes rest = tensor.payload; !rest.empty(); rest = rest.subspan(std::min(piece, rest.size()))) {
    QUINTET_CHECK(decoder->write(rest.first(std::min(piece, rest.size()))));
  }
  QUINTET_CHECK(decoder->finish());
  return values;
}

void expect_decoded(const StoredTensor& tensor, std::span<const float> expected) {
  const auto whole = decoded(tensor);
  ASSERT_TRUE(whole) << tensor.name << ": " << whole.error().detail;
  expect_same(*whole, expected, tensor.name);
  for (const size_t piece : kPieces) {
    const auto pieces = decoded(tensor, piece);
    ASSERT_TRUE(pieces) << tensor.name << ": " << pieces.error().detail;
    expect_same(*pieces, expected, tensor.name + " in pieces of " + std::to_string(piece));
  }
}

Result<StoredTensor> encoded(std::span<const float> values, Dtype dtype, const Quantization& quantization,
                             uint64_t data_bytes, size_t piece) {
  StoredTensor tensor = {.dtype = dtype, .elements = values.size(), .data_bytes = data_bytes};
  QUINTET_TRY(const auto encoder, make_encoder(dtype, quantization, values.size(), data_bytes));
  while (!values.empty()) {
    const size_t count = std::min(piece, values.size());
    QUINTET_CHECK(encoder->write(values.first(count), tensor.payload));
    values = values.subspan(count);
  }
  QUINTET_CHECK(encoder->finish(tensor.payload));
  tensor.quantization = encoder->quantization();
  return tensor;
}

StoredTensor expect_encoded(std::span<const float> values, Dtype dtype, const Quantization& quantization,
                            uint64_t data_bytes) {
  const auto whole = encoded(values, dtype, quantization, data_bytes);
  EXPECT_TRUE(whole) << whole.error().detail;
  if (!whole) return {};
  for (const size_t piece : kPieces) {
    const auto pieces = encoded(values, dtype, quantization, data_bytes, piece);
    EXPECT_TRUE(pieces);
    if (pieces) {
      EXPECT_EQ(pieces->payload, whole->payload) << piece;
      EXPECT_EQ(pieces->quantization, whole->quantization) << piece;
    }
  }
  return *whole;
}

std::vector<std::byte> bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  }
  return bytes;
}

std::vector<std::byte> bytes_of_list(std::initializer_list<int> bytes) {
  std::vector<std::byte> out;
  for (const int byte : bytes) out.push_back(static_cast<std::byte>(byte));
  return out;
}

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

std::vector<float> weights_like(size_t count, unsigned seed, float outlier) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = normal(random) * (random() % 97 == 0 ? outlier : 1);
  return values;
}

}  // namespace quintet::test
