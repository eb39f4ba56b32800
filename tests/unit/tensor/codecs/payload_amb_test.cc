// AMB's quantizations, against the values and bytes that another program made.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "base/half.h"
#include "tensor/codecs/amb.h"
#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

constexpr std::pair<std::string_view, Scheme> kSchemes[] = {{"INT8", Scheme::int8},
                                                            {"INT4", Scheme::int4},
                                                            {"INT5", Scheme::int5},
                                                            {"INT4BLOCK", Scheme::int4_block},
                                                            {"INT5BLOCK", Scheme::int5_block},
                                                            {"ADAPTIVE", Scheme::adaptive}};

Quantization quantization_of(const Json& facts) {
  Quantization quantization;
  for (const auto& [name, scheme] : kSchemes) {
    if (*facts.find("dtype")->as_string() == name) quantization.scheme = scheme;
  }
  if (quantization.scheme == Scheme::none) return quantization;
  quantization.block = static_cast<uint32_t>(*facts.find("block")->as_uint());
  quantization.scale_dtype = *facts.find("scale_type")->as_string() == "FP16" ? Dtype::f16 : Dtype::f32;
  return quantization;
}

uint64_t elements_of(const Json& facts) {
  uint64_t elements = 1;
  for (const uint64_t dim : numbers(*facts.find("shape"))) elements *= dim;
  return elements;
}

// The tensor cut out of the file: scales that stand apart lie right in front of the 8 bytes of the data's size.
StoredTensor cut_out(const File& file, const Json& facts) {
  StoredTensor tensor = {.name = *facts.find("name")->as_string(), .quantization = quantization_of(facts)};
  const std::string& dtype = *facts.find("dtype")->as_string();
  if (dtype == "FP16") tensor.dtype = Dtype::f16;
  if (dtype == "BF16") tensor.dtype = Dtype::bf16;
  tensor.elements = elements_of(facts);
  tensor.data_bytes = *facts.find("bytes")->as_uint();
  const auto size = payload_size(tensor.dtype, tensor.quantization, tensor.elements);
  EXPECT_TRUE(size) << tensor.name;
  if (tensor.quantization.scheme == Scheme::adaptive) {
    EXPECT_LE(size->data, tensor.data_bytes) << tensor.name;
  } else {
    EXPECT_EQ(size->data, tensor.data_bytes) << tensor.name;
  }
  const auto data = file.begin() + static_cast<ptrdiff_t>(*facts.find("offset")->as_uint());
  tensor.payload.assign(data - 8 - static_cast<ptrdiff_t>(size->scales), data - 8);
  tensor.payload.insert(tensor.payload.end(), data, data + static_cast<ptrdiff_t>(tensor.data_bytes));
  return tensor;
}

class AmbFile : public testing::TestWithParam<std::string> {};

TEST_P(AmbFile, EveryValueIsTheRecordedOne) {
  const Json& expect = *expected_entry("amb/expected.json", GetParam()).find("expect");
  const Json& dequantized = *expect.find("dequantized");
  const File file = fixture("amb/" + GetParam());
  const std::string& values_path = *dequantized.find("file")->as_string();
  const std::vector<float> values = floats(fixture(values_path));
  std::map<std::string, const Json*> facts;
  for (const Json& tensor : *expect.find("inspect")->find("tensors")->as_array()) {
    facts[*tensor.find("name")->as_string()] = &tensor;
  }
  for (const Json& entry : *dequantized.find("tensors")->as_array()) {
    const StoredTensor tensor = cut_out(file, *facts.at(*entry.find("name")->as_string()));
    expect_decoded(tensor, std::span(values).subspan(*entry.find("start")->as_uint(), *entry.find("count")->as_uint()));
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, AmbFile,
                         testing::Values("zoo.amb", "small-q.amb", "llama-int8.amb", "llama-int4.amb", "llama-int5.amb",
                                         "llama-int4block.amb", "llama-int5block.amb", "llama-adaptive.amb",
                                         "phi3-fused.amb"),
                         [](const auto& info) { return test_name(info.param); });

TEST(AmbQuantizers, EveryByteIsTheRecordedOne) {
  const std::vector<float> source = floats(fixture("amb/quantize-source.f32"));
  for (const Json& entry : *json_fixture("amb/quantized.json").as_array()) {
    const StoredTensor tensor = expect_encoded(source, Dtype::f32, quantization_of(entry));
    std::vector<std::byte> expected = bytes_of_hex(*entry.find("scales_hex")->as_string());
    const auto data = bytes_of_hex(*entry.find("data_hex")->as_string());
    const auto size = payload_size(Dtype::f32, quantization_of(entry), source.size());
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, (PayloadSize{expected.size(), data.size()}));
    expected.insert(expected.end(), data.begin(), data.end());
    EXPECT_EQ(tensor.payload, expected) << *entry.find("dtype")->as_string() << *entry.find("block")->as_uint();
  }
}

TEST(AmbQuantizers, ValuesComeBackWithinHalfAStep) {
  const std::vector<float> values = weights_like(3000, 7, 20);
  for (const auto& [name, scheme] : kSchemes) {
    if (scheme == Scheme::adaptive) continue;
    for (const uint32_t block : {0u, 1u, 7u, 32u, 65535u}) {
      for (const Dtype scale_dtype : {Dtype::f16, Dtype::f32}) {
        const Quantization quantization = {.scheme = scheme, .block = block, .scale_dtype = scale_dtype};
        const auto back = decoded(expect_encoded(values, Dtype::f32, quantization));
        ASSERT_TRUE(back);
        const size_t width = block == 0 ? values.size() : block;
        const float limit = limit_of(code_of(scheme));
        for (size_t begin = 0; begin < values.size(); begin += width) {
          const size_t end = std::min(begin + width, values.size());
          float largest = 0;
          for (size_t i = begin; i < end; ++i) largest = std::max(largest, std::fabs(values[i]));
          // A rounded scale may stop short of the largest value, by a part in 2048 of it.
          const float step = largest / limit;
          const float max = step * 0.501F + (scale_dtype == Dtype::f16 ? largest / 1024 + 0x1p-25F * limit : 0);
          for (size_t i = begin; i < end; ++i) ASSERT_LE(std::fabs(values[i] - (*back)[i]), max) << name << ' ' << i;
        }
      }
    }
  }
}

TEST(AmbQuantizers, ZerosHaveScaleZero) {
  const std::vector<float> zeros = {0, -0.0F, 0};
  const auto tensor = expect_encoded(zeros, Dtype::f32, {.scheme = Scheme::int4_block, .block = 4});
  EXPECT_EQ(tensor.payload, bytes_of_list({0, 0, 0, 0}));
}

TEST(AmbQuantizers, PadsAShortLastBlockWithZeros) {
  const std::vector<float> values = {1, -1, 1};
  const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::int8, .block = 2});
  const uint16_t scale = f32_to_f16(1.0F / 127);
  const int low = scale & 255;
  const int high = scale >> 8;
  EXPECT_EQ(tensor.payload, bytes_of_list({low, high, low, high, 127, -127, 127, 0}));
}

TEST(AmbQuantizers, TheStoredScaleQuantizes) {
  // 8 / 7 is 1.142857; the nearest half is 1.1426, by which 4.0 takes 3.5008 steps, where the exact scale gives 3.5.
  const std::vector<float> values = {8, 4.0F};
  const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::int4_block, .block = 2});
  ASSERT_EQ(tensor.payload.size(), 3u);
  EXPECT_EQ(tensor.payload[2], std::byte{0x47});
}

TEST(AmbQuantizers, HalfScalesAtTheirLimits) {
  const Quantization halves = {.scheme = Scheme::int4_block, .block = 2};
  const Quantization singles = {.scheme = Scheme::int4_block, .block = 2, .scale_dtype = Dtype::f32};
  // No half can be a scale beyond 65504 * 7.
  const std::vector<float> huge = {1e6F, 1};
  const auto refused = encoded(huge, Dtype::f32, halves);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::input);
  EXPECT_EQ(refused.error().reason, Reason::out_of_range);
  EXPECT_TRUE(encoded(huge, Dtype::f32, singles));
  // Below them all the values are as good as zeros.
  const std::vector<float> tiny = {1e-7F, -1e-7F};
  EXPECT_EQ(expect_encoded(tiny, Dtype::f32, halves).payload, bytes_of_list({0, 0, 0}));
  // The smallest half: the scale is smaller than the exact one, and q stays within the limit.
  const std::vector<float> small = {0x1p-24F * 10, -0x1p-24F * 10};
  EXPECT_EQ(expect_encoded(small, Dtype::f32, halves).payload, bytes_of_list({1, 0, 0x97}));
}

TEST(AmbQuantizers, TheLimitsOfFloats) {
  for (const float extreme : {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()}) {
    for (const Scheme scheme : {Scheme::int8, Scheme::int5, Scheme::int4}) {
      const std::vector<float> values = {extreme, -extreme, 0};
      const auto back = decoded(expect_encoded(values, Dtype::f32, {.scheme = scheme, .scale_dtype = Dtype::f32}));
      ASSERT_TRUE(back);
      EXPECT_NEAR((*back)[0] / extreme, extreme < 1 ? 0 : 1, 1e-6);
      EXPECT_EQ((*back)[0], -(*back)[1]);
    }
  }
}

TEST(AmbQuantizers, RejectNonFiniteValues) {
  for (const float bad : {INFINITY, -INFINITY, NAN}) {
    const std::vector<float> values = {1, 2, bad};
    for (const auto& [name, scheme] : kSchemes) {
      if (scheme == Scheme::adaptive) continue;
      const auto refused = encoded(values, Dtype::f32, {.scheme = scheme, .block = 32});
      ASSERT_FALSE(refused) << name;
      EXPECT_EQ(refused.error().code, Code::input);
      EXPECT_EQ(refused.error().reason, Reason::out_of_range);
      EXPECT_NE(refused.error().detail.find("value 2"), std::string::npos);
    }
  }
}

TEST(AmbAdaptive, CodesThatNeedAnotherSizeAreRejected) {
  // Two blocks of eight: INT4 and FP16 take 2 + 4 and 16 bytes after the byte of codes.
  StoredTensor tensor = {.quantization = {.scheme = Scheme::adaptive, .block = 8}, .elements = 16, .data_bytes = 23};
  tensor.payload.assign(23, std::byte{0});
  tensor.payload[0] = std::byte{0b1100};
  EXPECT_TRUE(decoded(tensor));
  EXPECT_EQ(adaptive_data_bytes(tensor.quantization, 16, Bytes(tensor.payload).first(1)), 23u);
  for (const int codes : {0b0000, 0b1111, 0b1000}) {
    tensor.payload[0] = static_cast<std::byte>(codes);
    const auto refused = decoded(tensor, 5);
    ASSERT_FALSE(refused) << codes;
    EXPECT_EQ(refused.error().reason, Reason::mismatch);
  }
}

TEST(AmbAdaptive, BlocksOfOddSizesReadAsWritten) {
  // Blocks of three: INT5 15 bits, INT8, FP16, INT4 with the fourth block holding one value.
  StoredTensor tensor = {.quantization = {.scheme = Scheme::adaptive, .block = 3, .scale_dtype = Dtype::f32},
                         .elements = 10};
  tensor.payload = bytes_of_list({0b00'11'10'01});
  for (const float scale : {1.0F, 2.0F, 0.5F}) {
    const auto bytes = std::as_bytes(std::span(&scale, 1));
    tensor.payload.insert(tensor.payload.end(), bytes.begin(), bytes.end());
  }
  const auto values = bytes_of_list({0b110'10000, 0b0'00001'11,  // -16, -2, 1
                                     128, 127, 255,              // -128, 127, -1
                                     0, 0x3C, 0, 0xC0, 0, 0x7C,  // 1, -2, infinity
                                     0x0B, 0});                  // -5
  tensor.payload.insert(tensor.payload.end(), values.begin(), values.end());
  tensor.data_bytes = tensor.payload.size();
  expect_decoded(tensor, std::vector<float>{-16, -2, 1, -256, 254, -2, 1, -2, INFINITY, -2.5F});
}

}  // namespace
}  // namespace quintet::test
