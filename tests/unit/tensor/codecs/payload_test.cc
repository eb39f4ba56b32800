// Sizes of payloads, plain elements, and what is refused.

#include "tensor/codecs/payload.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

std::optional<PayloadSize> size_of(Scheme scheme, uint32_t block, uint64_t elements, Dtype scale_dtype = Dtype::f16) {
  return payload_size(Dtype::f32, {.scheme = scheme, .block = block, .scale_dtype = scale_dtype}, elements);
}

TEST(PayloadSize, ByHand) {
  EXPECT_EQ(payload_size(Dtype::bf16, {}, 7), (PayloadSize{0, 14}));
  EXPECT_EQ(payload_size(Dtype::f4, {}, 6), (PayloadSize{0, 3}));
  EXPECT_EQ(payload_size(Dtype::f4, {}, 7), std::nullopt);
  EXPECT_EQ(size_of(Scheme::int8, 32, 100), (PayloadSize{8, 128}));
  EXPECT_EQ(size_of(Scheme::int8, 0, 100, Dtype::f32), (PayloadSize{4, 100}));
  EXPECT_EQ(size_of(Scheme::int4, 32, 100), (PayloadSize{8, 64}));
  EXPECT_EQ(size_of(Scheme::int4, 0, 101), (PayloadSize{2, 51}));
  EXPECT_EQ(size_of(Scheme::int5, 7, 15), (PayloadSize{6, 15}));
  EXPECT_EQ(size_of(Scheme::int4_block, 32, 100, Dtype::f32), (PayloadSize{0, 80}));
  EXPECT_EQ(size_of(Scheme::int5_block, 0, 129), (PayloadSize{0, 83}));
  EXPECT_EQ(size_of(Scheme::adaptive, 32, 160), (PayloadSize{0, 2 + 5 * 18}));
  EXPECT_EQ(size_of(Scheme::adaptive, 1, 5, Dtype::f32), (PayloadSize{0, 2 + 5 * 2}));  // FP16 is the least
  EXPECT_EQ(size_of(Scheme::qint8, 0, 9), (PayloadSize{0, 9}));
  EXPECT_EQ(size_of(Scheme::qint4, 0, 9), (PayloadSize{0, 9}));
  EXPECT_EQ(size_of(Scheme::qint4_packed, 0, 9), (PayloadSize{0, 5}));
  EXPECT_EQ(size_of(Scheme::group_int8, 4, 12), (PayloadSize{12, 12}));
  EXPECT_EQ(payload_size(Dtype::f32, {.scheme = Scheme::group_int8, .block = 4, .asymmetric = true}, 12),
            (PayloadSize{24, 12}));
  EXPECT_EQ(size_of(Scheme::tensor_int8, 0, 9), (PayloadSize{0, 9}));
  EXPECT_EQ(size_of(Scheme::tensor_int32, 0, 9), (PayloadSize{0, 36}));
}

constexpr Scheme kSchemes[] = {
    Scheme::none,         Scheme::int8,  Scheme::int4,    Scheme::int5,         Scheme::int4_block, Scheme::int5_block,
    Scheme::adaptive,     Scheme::qint8, Scheme::qint4,   Scheme::qint4_packed, Scheme::group_int8, Scheme::tensor_int8,
    Scheme::tensor_int32, Scheme::q4_0,  Scheme::q4_1,    Scheme::q5_0,         Scheme::q5_1,       Scheme::q8_0,
    Scheme::q4_k,         Scheme::q5_k,  Scheme::q6_k,    Scheme::q2_k,         Scheme::q3_k,       Scheme::iq4_nl,
    Scheme::iq4_xs,       Scheme::mxfp4, Scheme::iq2_xxs, Scheme::iq2_xs,       Scheme::iq2_s,      Scheme::iq3_xxs,
    Scheme::iq3_s,        Scheme::iq1_s, Scheme::iq1_m,   Scheme::q8_1,         Scheme::q8_k};

TEST(PayloadSize, EmptyTensorsHaveNoBytes) {
  for (const Scheme scheme : kSchemes) {
    for (const uint32_t block : {0u, 32u}) {
      EXPECT_EQ(size_of(scheme, block, 0), (PayloadSize{0, 0}));
      const Quantization quantization = {.scheme = scheme, .block = block, .scale = 1};
      std::vector<float> values;
      const auto decoder = make_decoder(Dtype::f32, quantization, 0, 0, std::make_unique<ValueCollector>(values));
      ASSERT_TRUE(decoder);
      EXPECT_TRUE((*decoder)->finish());
      if (scheme >= Scheme::q4_0) continue;
      const auto empty = encoded({}, Dtype::f32, quantization);
      ASSERT_TRUE(empty);
      EXPECT_TRUE(empty->payload.empty());
    }
  }
}

TEST(PayloadSize, NumbersThatNoFileHoldsDoNotOverflow) {
  for (const Scheme scheme : kSchemes) {
    for (const uint32_t block : {0u, 1u, 2u, 32u, 65535u, UINT32_MAX}) {
      for (const uint64_t elements : {uint64_t{1} << 60, (uint64_t{1} << 62) + 3, UINT64_MAX / 2, UINT64_MAX}) {
        const auto size = size_of(scheme, block, elements, Dtype::f32);
        // A byte has several values of few bits; nothing takes less than IQ1_S's 25/16.
        EXPECT_GE(size.value_or(PayloadSize{0, UINT64_MAX}).data, elements / 128 * 25) << static_cast<int>(scheme);
        const Quantization quantization = {.scheme = scheme, .block = block, .scale_dtype = Dtype::f32, .scale = 1};
        // Making one allocates nothing for them.
        EXPECT_EQ(make_decoder(Dtype::f32, quantization, elements, 1000, nullptr).has_value(), size.has_value());
        if (scheme != Scheme::adaptive && scheme < Scheme::q4_0) {
          EXPECT_EQ(make_encoder(Dtype::f32, quantization, elements, 1000).has_value(), size.has_value());
        }
        EXPECT_GE(adaptive_bytes(quantization, elements, 4.5).value_or(UINT64_MAX), elements / 2);
      }
    }
  }
}

TEST(PlainValues, DecodeInEveryPiece) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16, Dtype::f64, Dtype::i32, Dtype::u8, Dtype::f8_e4m3}) {
    StoredTensor tensor = {.name = std::string(name_of(dtype)), .dtype = dtype, .elements = 300};
    const size_t bytes = 300 * bits_of(dtype) / 8;
    for (size_t i = 0; i < bytes; ++i) tensor.payload.push_back(static_cast<std::byte>(i * 37 % 251));
    std::vector<float> expected(300);
    decode(dtype, tensor.payload, expected);
    expect_decoded(tensor, expected);
  }
}

TEST(PlainValues, EncodeKeepsWhatIsNotFinite) {
  const std::vector<float> values = {1, -0.0F, INFINITY, -INFINITY, NAN, 1e30F};
  for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
    const auto tensor = expect_encoded(values, dtype, {});
    std::vector<std::byte> expected(values.size() * bits_of(dtype) / 8);
    encode(dtype, values, expected);
    EXPECT_EQ(tensor.payload, expected);
    EXPECT_EQ(tensor.quantization, Quantization{});
  }
}

TEST(Payloads, TypesWithoutAFloatFormAreRejected) {
  for (const Dtype dtype : {Dtype::c64, Dtype::f4, Dtype::f6_e2m3, Dtype::f6_e3m2}) {
    const auto refused = make_decoder(dtype, {}, 8, 8, nullptr);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::unsupported);
  }
  for (const Dtype dtype : {Dtype::i32, Dtype::f64, Dtype::u8}) EXPECT_FALSE(make_encoder(dtype, {}, 8, 0));
}

// One byte less than the values need, and one more, in every scheme.
TEST(Payloads, ShortAndLongOnesAreRejected) {
  const std::vector<float> values = weights_like(256, 1);
  for (const Scheme scheme : kSchemes) {
    const Quantization quantization = {.scheme = scheme, .block = 32, .scale = 0.001F};
    StoredTensor tensor = {.quantization = quantization, .elements = values.size()};
    const PayloadSize size = payload_size(Dtype::f32, quantization, values.size()).value();
    tensor.data_bytes = size.data;
    tensor.payload.assign(size.scales + size.data, std::byte{0});
    for (const size_t piece : {size_t{1}, size_t{100}, SIZE_MAX}) {
      EXPECT_TRUE(decoded(tensor, piece)) << static_cast<int>(scheme);
      StoredTensor broken = tensor;
      broken.payload.pop_back();
      EXPECT_EQ(decoded(broken, piece).error().reason, Reason::truncated) << static_cast<int>(scheme);
      broken.payload = {};
      EXPECT_EQ(decoded(broken, piece).error().reason, Reason::truncated);
      broken.payload.assign(tensor.payload.size() + 1, std::byte{0});
      EXPECT_EQ(decoded(broken, piece).error().reason, Reason::trailing) << static_cast<int>(scheme);
    }
  }
}

TEST(Payloads, OtherNumbersOfValuesAreRejected) {
  const std::vector<float> values = weights_like(64, 1);
  for (const Scheme scheme : kSchemes) {
    if (scheme >= Scheme::q4_0) continue;
    const Quantization quantization = {.scheme = scheme, .block = 32, .scale = 0.001F};
    const uint64_t data_bytes = payload_size(Dtype::f32, quantization, 64)->data;
    for (const size_t count : {0u, 63u, 65u}) {
      const auto encoder = make_encoder(Dtype::f32, quantization, 64, data_bytes);
      ASSERT_TRUE(encoder);
      std::vector<std::byte> payload;
      Status status = (*encoder)->write(std::span(values).first(std::min<size_t>(count, 64)), payload);
      if (count > 64) status = (*encoder)->write(std::span(values).first(1), payload);
      if (status) status = (*encoder)->finish(payload);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().reason, Reason::mismatch);
    }
  }
}

}  // namespace
}  // namespace quintet::test
