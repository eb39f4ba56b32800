// tinyRuntime's quantizations: groups against a file that the reference exporter's rule made of known weights, and by
// hand.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "tests/formats/reading.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

int32_t int_at(const File& file, size_t offset) {
  int32_t value;
  std::memcpy(&value, file.data() + offset, sizeof(value));
  return value;
}

Bytes part(const File& file, size_t offset, size_t bytes) { return Bytes(file).subspan(offset, bytes); }

// Every convolution of the same network, as floats and in groups. Offsets in the files count floats and int8s.
TEST(GroupInt8, QuantizesANetworkToTheRecordedBytes) {
  const File plain = fixture("tinyruntime/r18-plain-vanilla.bin");
  const File grouped = fixture("tinyruntime/r18-plain-dq.bin");
  const int convolutions = int_at(plain, 4);
  const int linears = int_at(plain, 8);
  ASSERT_EQ(convolutions, 20);
  ASSERT_EQ(int_at(plain, 12), 0);    // no batch norms
  ASSERT_EQ(int_at(grouped, 24), 1);  // asymmetric
  const size_t floats_at = 16 + 28 * convolutions + 16 * linears;
  const size_t ints_at = 28 + 36 * convolutions + 24 * linears;
  const size_t scales_at = ints_at + int_at(grouped, 20);
  for (int i = 0; i < convolutions; ++i) {
    const size_t entry = 28 + 36 * i;
    const size_t kernel = int_at(grouped, entry);
    const size_t count = kernel * kernel * int_at(grouped, entry + 12) * int_at(grouped, entry + 16);
    const uint32_t group = int_at(grouped, entry + 28);
    const size_t parameters = count / group * 8;
    const Quantization quantization = {.scheme = Scheme::group_int8, .block = group, .asymmetric = true};
    const auto size = payload_size(Dtype::f32, quantization, count);
    ASSERT_EQ(size, (PayloadSize{.scales = parameters, .data = count}));
    const size_t weights_at = floats_at + 4 * int_at(plain, 16 + 28 * i + 20);
    const auto tensor = expect_encoded(floats(part(plain, weights_at, 4 * count)), Dtype::f32, quantization);
    const Bytes scales = part(grouped, scales_at + 4 * int_at(grouped, entry + 24), parameters);
    const Bytes values = part(grouped, ints_at + int_at(grouped, entry + 20), count);
    ASSERT_EQ(tensor.payload.size(), parameters + count);
    EXPECT_EQ(std::memcmp(tensor.payload.data(), scales.data(), parameters), 0) << i;
    EXPECT_EQ(std::memcmp(tensor.payload.data() + parameters, values.data(), count), 0) << i;
  }
}

TEST(GroupInt8, DecodesByHand) {
  const std::array<float, 2> scales = {0.5F, -2};
  const std::array<int32_t, 2> zero_points = {-3, INT32_MIN};
  StoredTensor tensor = {.quantization = {.scheme = Scheme::group_int8, .block = 2, .asymmetric = true}, .elements = 4};
  for (const auto part : {std::as_bytes(std::span(scales)), std::as_bytes(std::span(zero_points))}) {
    tensor.payload.insert(tensor.payload.end(), part.begin(), part.end());
  }
  const auto q = bytes_of_list({-128, 127, 1, 0});
  tensor.payload.insert(tensor.payload.end(), q.begin(), q.end());
  expect_decoded(tensor, std::vector<float>{-62.5F, 65, -4294967296.0F, -4294967296.0F});
}

TEST(GroupInt8, SymmetricByHand) {
  const std::vector<float> values = {127, 0.5F, -1.5F, 0, -0.0F, 0};
  const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::group_int8, .block = 3});
  EXPECT_EQ(tensor.payload, bytes_of_list({0, 0, 0x80, 0x3F, 0, 0, 0, 0, 127, 0, -2, 0, 0, 0}));
  expect_decoded(tensor, std::vector<float>{127, 0, -2, 0, 0, 0});
}

TEST(GroupInt8, ConstantGroupsHaveTheirOwnScale) {
  const std::vector<float> values = {0.5F, 0.5F, 0, 0};
  const Quantization quantization = {.scheme = Scheme::group_int8, .block = 2, .asymmetric = true};
  const auto tensor = expect_encoded(values, Dtype::f32, quantization);
  EXPECT_EQ(floats(Bytes(tensor.payload).first(8)), (std::vector<float>{1e-4F, 1e-4F}));
  const auto back = decoded(tensor);
  ASSERT_TRUE(back);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_FLOAT_EQ((*back)[i], values[i]);
}

TEST(GroupInt8, NarrowGroupsFarFromZeroKeepTheirValues) {
  for (const float centre : {1e6F, -3e9F, 3e38F}) {
    const std::vector<float> values = {centre, std::nextafter(centre, 0.0F), centre, centre};
    const auto back = decoded(expect_encoded(values, Dtype::f32, {.scheme = Scheme::group_int8, .asymmetric = true}));
    ASSERT_TRUE(back);
    for (size_t i = 0; i < values.size(); ++i) EXPECT_FLOAT_EQ((*back)[i], values[i]);
  }
}

TEST(GroupInt8, ATieAtTheTopIsClamped) {
  // A scale of 1. The zero point is round(-126.5) = -126, and round(253.5) = 254 is 128 with it.
  const std::vector<float> values = {-1.5F, 253.5F};
  const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::group_int8, .asymmetric = true});
  EXPECT_EQ(tensor.payload, bytes_of_list({0, 0, 0x80, 0x3F, -126, 255, 255, 255, -128, 127}));
}

TEST(GroupInt8, GroupsHaveToDivideTheTensor) {
  EXPECT_FALSE(payload_size(Dtype::f32, {.scheme = Scheme::group_int8, .block = 3}, 10));
  EXPECT_FALSE(make_decoder(Dtype::f32, {.scheme = Scheme::group_int8, .block = 3}, 10, 10, nullptr));
  EXPECT_FALSE(make_encoder(Dtype::f32, {.scheme = Scheme::group_int8, .block = 3}, 10, 10));
}

TEST(GroupInt8, ValuesComeBackWithinHalfAStep) {
  const std::vector<float> values = weights_like(64 * 50, 5, 10);
  for (const bool asymmetric : {false, true}) {
    const auto tensor =
        expect_encoded(values, Dtype::f32, {.scheme = Scheme::group_int8, .block = 64, .asymmetric = asymmetric});
    const std::vector<float> scales = floats(Bytes(tensor.payload).first(50 * 4));
    const auto back = decoded(tensor);
    ASSERT_TRUE(back);
    for (size_t i = 0; i < values.size(); ++i) {
      // The zero point is rounded too.
      ASSERT_LE(std::fabs(values[i] - (*back)[i]), scales[i / 64] * (asymmetric ? 1.001F : 0.501F));
    }
  }
}

TEST(TensorInt8, ByHand) {
  auto tensor = expect_encoded(std::vector<float>{-127, 63.5F, 2}, Dtype::f32, {.scheme = Scheme::tensor_int8});
  EXPECT_EQ(tensor.quantization.scale, 1);
  EXPECT_EQ(tensor.quantization.zero_point, 0);
  EXPECT_EQ(tensor.payload, bytes_of_list({-127, 64, 2}));
  // The range holds 0: 1 to 255 counts from 0.
  tensor = expect_encoded(std::vector<float>{1, 255}, Dtype::f32, {.scheme = Scheme::tensor_int8, .asymmetric = true});
  EXPECT_EQ(tensor.quantization.scale, 1);
  EXPECT_EQ(tensor.quantization.zero_point, -128);
  EXPECT_EQ(tensor.payload, bytes_of_list({-127, 127}));
  expect_decoded(tensor, std::vector<float>{1, 255});
  tensor = expect_encoded(std::vector<float>{0, 0}, Dtype::f32, {.scheme = Scheme::tensor_int8});
  EXPECT_GT(tensor.quantization.scale, 0);
  expect_decoded(tensor, std::vector<float>{0, 0});
}

TEST(TensorInt8, TakesAGivenScale) {
  const std::vector<float> values = {1, -0.6F, 1000, -1e38F};
  auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::tensor_int8, .scale = 0.5F});
  EXPECT_EQ(tensor.quantization.scale, 0.5F);
  EXPECT_EQ(tensor.payload, bytes_of_list({2, -1, 127, -127}));
  tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::tensor_int8, .scale = 1e-45F});
  EXPECT_EQ(tensor.payload, bytes_of_list({127, -127, 127, -127}));
  EXPECT_FALSE(make_encoder(Dtype::f32, {.scheme = Scheme::tensor_int8, .scale = INFINITY}, 4, 0));
}

TEST(TensorInt8, AnyZeroPointDecodes) {
  StoredTensor tensor = {.quantization = {.scheme = Scheme::tensor_int8, .scale = 0.25F, .zero_point = INT32_MIN},
                         .elements = 1,
                         .payload = bytes_of_list({127})};
  expect_decoded(tensor, std::vector<float>{536870944.0F});  // (2^31 + 127) / 4, rounded to a float
}

TEST(TensorInt32, ByHand) {
  const std::vector<float> values = {1, -0.25F, 0.75F, 3e9F, -3e9F, 0x1p30F};
  const auto tensor = expect_encoded(values, Dtype::f32, {.scheme = Scheme::tensor_int32, .scale = 0.5F});
  std::array<int32_t, 6> q;
  ASSERT_EQ(tensor.payload.size(), sizeof(q));
  std::memcpy(q.data(), tensor.payload.data(), sizeof(q));
  EXPECT_EQ(q, (std::array<int32_t, 6>{2, 0, 2, INT32_MAX, INT32_MIN, INT32_MAX}));
  expect_decoded(tensor, std::vector<float>{1, 0, 1, 0x1p30F, -0x1p30F, 0x1p30F});
}

TEST(TensorInt32, NeedsAScale) {
  for (const float scale : {0.0F, -1.0F, INFINITY, NAN}) {
    const auto refused = make_encoder(Dtype::f32, {.scheme = Scheme::tensor_int32, .scale = scale}, 4, 0);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::input);
  }
}

TEST(TinyRuntimeQuantizers, RejectNonFiniteValues) {
  for (const Scheme scheme : {Scheme::group_int8, Scheme::tensor_int8, Scheme::tensor_int32}) {
    const auto refused = encoded(std::vector<float>{1, NAN}, Dtype::f32, {.scheme = scheme, .scale = 1});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::out_of_range);
  }
}

}  // namespace
}  // namespace quintet::test
