#pragma once
// Payloads in memory, decoded and encoded in pieces of any size.

#include <span>
#include <string>
#include <vector>

#include "tensor/codecs/payload.h"

namespace quintet::test {

// A tensor's type and its payload, [scales][data].
struct StoredTensor {
  std::string name = {};
  Dtype dtype = Dtype::f32;
  Quantization quantization = {};
  uint64_t elements = 0;
  uint64_t data_bytes = 0;
  std::vector<std::byte> payload = {};
};

Result<std::vector<float>> decoded(const StoredTensor& tensor, size_t piece = SIZE_MAX);

// Fails the test where the values are others, bit for bit; all NaN are one. Decodes in pieces of 1, 3, 7, 1000 bytes
// and whole.
void expect_decoded(const StoredTensor& tensor, std::span<const float> expected);

// `data_bytes` matters for ADAPTIVE alone.
Result<StoredTensor> encoded(std::span<const float> values, Dtype dtype, const Quantization& quantization,
                             uint64_t data_bytes = 0, size_t piece = SIZE_MAX);

// Like the function above, and fails the test if an encoding in pieces of 1, 3, 7 or 1000 values differs.
StoredTensor expect_encoded(std::span<const float> values, Dtype dtype, const Quantization& quantization,
                            uint64_t data_bytes = 0);

std::vector<std::byte> bytes_of_hex(std::string_view hex);
std::vector<std::byte> bytes_of_list(std::initializer_list<int> bytes);

// Values of a .f32 file.
std::vector<float> floats(std::span<const std::byte> bytes);

// Normally distributed values with an outlier now and then; `seed` names the sequence.
std::vector<float> weights_like(size_t count, unsigned seed, float outlier = 1);

}  // namespace quintet::test
