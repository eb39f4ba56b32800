// The comparison of a converted file with its source.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/formats/converting.h"

namespace quintet::test {
namespace {

std::vector<TensorError> errors_of(const char* path, const char* options) {
  const NamedFiles source = {{"", fixture(path)}};
  const auto output = convert(source, options);
  EXPECT_TRUE(output) << output.error().detail;
  const auto errors = compare(source, options, *output);
  EXPECT_TRUE(errors) << errors.error().detail << errors.error().tensor;
  return errors.value_or(std::vector<TensorError>());
}

TEST(VerifyConversion, ReportsNoErrorIfNothingIsLost) {
  const std::pair<const char*, const char*> cases[] = {
      {"amb/zoo.amb", R"({"to":"amb"})"},
      {"safetensors/dtypes.safetensors", R"({"to":"safetensors"})"},
      {"embd/int8-row.weights", R"({"to":"weights"})"},
      {"alt/q4-sym-packed.alt", R"({"to":"amb"})"},
      {"amb/llama-int5.amb", R"({"to":"safetensors"})"},
      {"tinyruntime/small-sq.bin", R"({"to":"tinyruntime"})"},
      {"tinyruntime/small-dq.bin", R"({"to":"tinyruntime","quantize":"none"})"}};
  for (const auto& [path, options] : cases) {
    SCOPED_TRACE(path);
    const auto errors = errors_of(path, options);
    EXPECT_FALSE(errors.empty());
    for (const TensorError& error : errors) {
      EXPECT_EQ(error.max_error, 0) << error.tensor;
      EXPECT_NEAR(error.cosine, 1, 1e-12) << error.tensor;
    }
  }
}

TEST(VerifyConversion, MeasuresTheErrorOfQuantization) {
  const std::pair<const char*, const char*> cases[] = {
      {"amb/llama-f32.amb", R"({"to":"amb","quantize":"int4"})"},
      {"embd/f32.weights", R"({"to":"weights","quantize":"int8-row"})"},
      {"tinyruntime/small-vanilla.bin", R"({"to":"tinyruntime","quantize":"dq8"})"}};
  for (const auto& [path, options] : cases) {
    SCOPED_TRACE(path);
    double worst = 0, lowest = 1;
    for (const TensorError& error : errors_of(path, options)) {
      worst = std::max(worst, error.max_error);
      lowest = std::min(lowest, error.cosine);
    }
    EXPECT_GT(worst, 1e-6);
    EXPECT_LT(lowest, 1);
    EXPECT_GT(lowest, 0.9);
  }
}

TEST(VerifyConversion, DetectsAChangedValueAndAMissingTensor) {
  const NamedFiles source = {{"", fixture("amb/llama-f32.amb")}};
  constexpr const char* kOptions = R"({"to":"amb"})";
  File output = *convert(source, kOptions);
  const auto read = read_file(output);
  const TensorInfo& norm = *read->description.find_tensor("model.norm.weight");
  output[norm.offset + 3] ^= std::byte{0x80};  // the sign of its first value
  const auto errors = compare(source, kOptions, output);
  ASSERT_TRUE(errors);
  for (const TensorError& error : *errors) EXPECT_EQ(error.max_error > 0, error.tensor == "model.norm.weight");

  const auto other = compare(source, kOptions, fixture("amb/llama-tied.amb"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().reason, Reason::missing);
}

}  // namespace
}  // namespace quintet::test
