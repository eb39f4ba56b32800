// ALT's quantizations, against the values that another program made, and by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

constexpr Scheme kSchemes[] = {Scheme::qint8, Scheme::qint4, Scheme::qint4_packed};

float float_at(const File& file, uint64_t offset) {
  float value;
  std::memcpy(&value, file.data() + offset, sizeof(value));
  return value;
}

// In front of the data stand delta, min and max, unaligned, and the packing flag.
Quantization quantization_before(const File& file, uint64_t offset, bool wide) {
  Quantization quantization = {
      .delta = float_at(file, offset - 13), .min = float_at(file, offset - 9), .max = float_at(file, offset - 5)};
  const bool packed = file[offset - 1] == std::byte{1};
  quantization.scheme = wide ? Scheme::qint8 : packed ? Scheme::qint4_packed : Scheme::qint4;
  return quantization;
}

class AltFile : public testing::TestWithParam<std::string> {};

TEST_P(AltFile, EveryValueIsTheRecordedOne) {
  const Json& expect = *expected_entry("alt/expected.json", GetParam()).find("expect");
  const File file = fixture("alt/" + GetParam());
  const std::string stem = GetParam().substr(0, GetParam().size() - 4);
  const std::vector<float> values = floats(fixture("alt/" + stem + ".values.f32"));
  std::map<std::string, const Json*> facts;
  for (const Json& tensor : *expect.find("inspect")->find("tensors")->as_array()) {
    facts[*tensor.find("name")->as_string()] = &tensor;
  }
  size_t start = 0;
  for (const Json& entry : *expect.find("dequantized")->find("tensors")->as_array()) {
    const Json& tensor_facts = *facts.at(*entry.find("name")->as_string());
    const uint64_t offset = *tensor_facts.find("offset")->as_uint();
    StoredTensor tensor = {.name = *entry.find("name")->as_string(),
                           .quantization = quantization_before(file, offset, GetParam()[1] == '8'),
                           .elements = *entry.find("count")->as_uint(),
                           .data_bytes = *tensor_facts.find("bytes")->as_uint()};
    const auto data = file.begin() + static_cast<ptrdiff_t>(offset);
    tensor.payload.assign(data, data + static_cast<ptrdiff_t>(tensor.data_bytes));
    EXPECT_EQ(payload_size(Dtype::f32, tensor.quantization, tensor.elements),
              (PayloadSize{.scales = 0, .data = tensor.data_bytes}));
    expect_decoded(tensor, std::span(values).subspan(start, tensor.elements));
    start += tensor.elements;
  }
  EXPECT_EQ(start, values.size());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, AltFile,
                         testing::Values("q8-sym.alt", "q8-aff.alt", "q4-sym-packed.alt", "q4-sym-unpacked.alt",
                                         "q4-aff-packed.alt", "q4-aff-unpacked.alt"),
                         [](const auto& info) { return test_name(info.param); });

TEST(AltQuantizers, ByHand) {
  const std::vector<float> values = {7, -3.4F, 0.5F, 1.5F, -7};
  auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::qint4_packed});
  EXPECT_EQ(tensor.quantization.delta, 1);
  EXPECT_EQ(tensor.payload, bytes_of_list({0xD7, 0x20, 0x09}));
  tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::qint4});
  EXPECT_EQ(tensor.payload, bytes_of_list({7, -3, 0, 2, -7}));
  tensor = expect_encoded(std::vector<float>{-1, 14, 0.6F}, Dtype::f32,
                          {.scheme = Scheme::qint4_packed, .asymmetric = true});
  EXPECT_EQ(tensor.quantization.min, -1);
  EXPECT_EQ(tensor.quantization.max, 14);
  EXPECT_EQ(tensor.quantization.delta, 1);
  EXPECT_EQ(tensor.payload, bytes_of_list({0xF0, 0x02}));
  expect_decoded(tensor, std::vector<float>{-1, 14, 1});
}

TEST(AltQuantizers, ValuesComeBackWithinHalfAStep) {
  const std::vector<float> values = weights_like(5001, 3);
  for (const Scheme scheme : kSchemes) {
    for (const bool asymmetric : {false, true}) {
      const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = scheme, .asymmetric = asymmetric});
      EXPECT_EQ(tensor.quantization.min != 0, asymmetric);
      const auto back = decoded(tensor);
      ASSERT_TRUE(back);
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_LE(std::fabs(values[i] - (*back)[i]), tensor.quantization.delta * 0.5001F);
      }
    }
  }
}

TEST(AltQuantizers, ZerosAndConstantsAreExact) {
  for (const Scheme scheme : kSchemes) {
    for (const bool asymmetric : {false, true}) {
      for (const float value : {0.0F, 3.25F, -1e-30F}) {
        const std::vector<float> values(5, value);
        const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = scheme, .asymmetric = asymmetric});
        const auto back = decoded(tensor);
        ASSERT_TRUE(back);
        for (const float result : *back) EXPECT_FLOAT_EQ(result, value);
      }
    }
  }
}

TEST(AltQuantizers, RejectUnsupportedValues) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (const Scheme scheme : kSchemes) {
    for (const bool asymmetric : {false, true}) {
      const Quantization quantization = {.scheme = scheme, .asymmetric = asymmetric};
      for (const float bad : {INFINITY, -INFINITY, NAN}) {
        const auto refused = encoded(std::vector<float>{1, bad}, Dtype::f32, quantization);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().reason, Reason::out_of_range);
      }
      const auto wide = encoded(std::vector<float>{kLargest, -kLargest}, Dtype::f32, quantization);
      EXPECT_EQ(wide.has_value(), !asymmetric);
      if (wide) {
        EXPECT_FLOAT_EQ(decoded(*wide)->front(), kLargest);
      }
    }
  }
}

}  // namespace
}  // namespace quintet::test
