#include "formats/safetensors/header.h"

#include <gtest/gtest.h>

#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

File rewritten(const ReadFile& read) {
  ModelDescription description = read.description;
  auto file = safetensors::write_header(description);
  EXPECT_TRUE(file);
  for (const TensorInfo& info : description.tensors) {
    EXPECT_EQ(info.offset, file->size());
    const auto& data = read.data.at(info.name);
    file->insert(file->end(), data.begin(), data.end());
  }
  EXPECT_EQ(description.file_size, file->size());
  return *file;
}

TEST(SafetensorsWriter, WritesTheContentThatWasRead) {
  for (const char* path :
       {"safetensors/dtypes.safetensors", "safetensors/unsorted.safetensors", "safetensors/no-metadata.safetensors",
        "safetensors/cases/ok_scalar_shape_empty.safetensors"}) {
    const auto read = read_file(fixture(path));
    ASSERT_TRUE(read);
    const File first = rewritten(*read);
    const auto again = read_file(first);
    ASSERT_TRUE(again) << again.error().detail;
    EXPECT_EQ(again->data, read->data);
    EXPECT_EQ(write_json(again->description.metadata), write_json(read->description.metadata));
    EXPECT_EQ(rewritten(*again), first);
  }
}

TEST(SafetensorsWriter, AFileInTheCanonicalOrderBecomesItself) {
  for (const char* path : {"safetensors/dtypes.safetensors", "safetensors/no-metadata.safetensors"}) {
    const File file = fixture(path);
    EXPECT_EQ(rewritten(*read_file(file)), file);
  }
}

TEST(SafetensorsWriter, WidestTypeFirstThenByName) {
  ModelDescription description;
  for (const auto& [name, dtype] :
       {std::pair("b", Dtype::u8), std::pair("c", Dtype::f32), std::pair("a", Dtype::f32)}) {
    TensorInfo info;
    info.name = name;
    info.dtype = dtype;
    info.shape = {2};
    description.tensors.push_back(info);
  }
  const auto header = safetensors::write_header(description);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->size() % 8, 0u);
  EXPECT_TRUE(as_text(*header).substr(8).starts_with(
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"c":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},)"
      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[16,18]}})"));
}

TEST(SafetensorsWriter, RejectsUnsupportedTensors) {
  ModelDescription description;
  TensorInfo info;
  info.name = "__metadata__";
  description.tensors = {info};
  EXPECT_FALSE(safetensors::write_header(description));
  info.name = "a";
  description.tensors = {info, info};
  EXPECT_FALSE(safetensors::write_header(description));
  info.shape = {1ull << 40, 1ull << 40};
  description.tensors = {info};
  EXPECT_FALSE(safetensors::write_header(description));
  info.shape = {1};
  description.tensors = {info};
  description.metadata.set("n", 1);
  EXPECT_FALSE(safetensors::write_header(description));
}

}  // namespace
}  // namespace quintet::test
