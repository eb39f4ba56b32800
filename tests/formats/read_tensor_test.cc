#include "runtime/inspect/read_tensor.h"

#include <gtest/gtest.h>

#include "tests/formats/plain_weights.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

Result<TensorValues> read_tensor(const File& file, const std::string& name, size_t chunk = SIZE_MAX) {
  TensorReadingSink sink(name);
  ByteStream in(file.size());
  Parse<void> parse = read_model(in, std::nullopt, sink, {});
  if (Status status = drive(file, in, parse, chunk); !status) return fail(status.error());
  return sink.take();
}

constexpr const char* kMatrix = "encoder.layer.1.output.dense.weight";

TEST(ReadTensor, FloatsOfEveryTypeAreWidened) {
  for (const char* path : {"embd/f32.weights", "embd/f16.weights", "embd/bf16.weights"}) {
    const File file = fixture(path);
    const PlainTensor plain = read_plain_weights(file).tensors.at(kMatrix);
    const auto tensor = read_tensor(file, kMatrix, 333);
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->shape, (std::vector<uint64_t>{32, 64}));
    ASSERT_EQ(tensor->values.size(), plain.values.size());
    for (size_t i = 0; i < plain.values.size(); ++i) ASSERT_EQ(static_cast<double>(tensor->values[i]), plain.values[i]);
  }
}

TEST(ReadTensor, Int8ComesWithItsScales) {
  for (const char* path : {"embd/int8-row.weights", "embd/int8-group-16.weights"}) {
    const File file = fixture(path);
    const PlainWeights plain = read_plain_weights(file);
    const PlainTensor& q = plain.tensors.at(kMatrix);
    const PlainTensor& scale = plain.tensors.at(std::string(kMatrix) + ".scale");
    const auto tensor = read_tensor(file, kMatrix, 333);
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->dtype, "INT8");
    for (size_t i = 0; i < q.values.size(); ++i) {
      const double expected = q.values[i] * scale.values[i / (q.values.size() / scale.values.size())];
      ASSERT_EQ(tensor->values[i], static_cast<float>(expected));
    }
  }
}

TEST(ReadTensor, AFlatFileHasItsTensorsToo) {
  const File file = fixture("embd/flat.weights");
  const auto tensor = read_tensor(file, "embeddings.LayerNorm.bias", 100);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->dtype, "FLOAT32");
  const PlainTensor plain = read_plain_flat(file).tensors.at("embeddings.LayerNorm.bias");
  for (size_t i = 0; i < plain.values.size(); ++i) EXPECT_EQ(static_cast<double>(tensor->values[i]), plain.values[i]);
}

TEST(ReadTensor, SafetensorsOfAnyType) {
  const File file = fixture("safetensors/dtypes.safetensors");
  const auto tensor = read_tensor(file, "f64", 3);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->dtype, "F64");
  EXPECT_EQ(tensor->values[0], 1.5F);
  const auto empty = read_tensor(file, "empty", 3);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->values.size(), 0u);
}

TEST(ReadTensor, AMissingNameIsTheCallersError) {
  for (const char* path : {"embd/small.weights", "embd/small-flat.weights"}) {
    const auto tensor = read_tensor(fixture(path), "nothing");
    ASSERT_FALSE(tensor);
    EXPECT_EQ(tensor.error().code, Code::input);
    EXPECT_EQ(tensor.error().reason, Reason::missing);
  }
}

}  // namespace
}  // namespace quintet::test
