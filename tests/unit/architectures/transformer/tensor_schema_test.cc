// The names in the rows of both tensor tables must be known: a forgotten size would be 0.

#include "architectures/transformer/tensor_schema.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "architectures/decoder/tensor_names.h"
#include "architectures/encoder/tensor_names.h"
#include "architectures/transformer/traits.h"

namespace quintet::transformer {
namespace {

TEST(TensorSchema, EverySizeOfADecoderIsKnown) {
  DecoderConfig config;
  for (const transformer::Trait& trait : transformer::traits()) {
    if (const auto* number = std::get_if<uint64_t TransformerTraits::*>(&trait.member)) config.*(*number) = 4;
  }
  for (const TensorSpec& spec : decoder::tensor_specs()) {
    EXPECT_NE(decoder::size_of(spec.rows, config, 0), 0U) << spec.gguf;
    if (spec.cols != Dim::none) {
      EXPECT_NE(decoder::size_of(spec.cols, config, 0), 0U) << spec.gguf;
    }
  }
}

TEST(TensorSchema, EverySizeOfAnEncoderIsKnown) {
  EncoderConfig config;
  for (const Trait& trait : traits()) {
    if (const auto* number = std::get_if<uint64_t TransformerTraits::*>(&trait.member)) config.*(*number) = 4;
  }
  config.distance_buckets = config.output_width = 4;
  config.head = ClassificationHead();
  for (const TensorSpec& spec : encoder::tensor_specs()) {
    const std::vector<uint64_t> shape = encoder::shape_of({.spec = &spec}, config);
    for (size_t i = 0; i < shape.size(); ++i) {
      if ((i == 0 ? spec.rows : spec.cols) != Dim::any) {
        EXPECT_NE(shape[i], 0U) << spec.huggingface;
      }
    }
  }
}

TEST(TensorSchema, ALayerHasOneNumber) {
  for (const char* name : {"7", "07.x", "x.y", "4294967296.x", "-1.x", ""}) {
    std::string_view rest = name;
    uint32_t number = 0;
    EXPECT_FALSE(take_number(rest, number)) << name;
  }
  std::string_view rest = "10.mlp";
  uint32_t number = 0;
  EXPECT_TRUE(take_number(rest, number));
  EXPECT_EQ(number, 10U);
  EXPECT_EQ(rest, "mlp");
}

}  // namespace
}  // namespace quintet::transformer
