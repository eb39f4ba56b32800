// Files of every type with known values, and the official reader's own cases.

#include "formats/safetensors/reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/formats/expected.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

class SafetensorsFixture : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture("safetensors/" + GetParam());
    expect_ = *expected_entry("safetensors/expected.json", GetParam()).find("expect");
  }
  File bytes_;
  Json expect_;
};

TEST_P(SafetensorsFixture, ShowsItsFacts) {
  const auto read = read_file(bytes_);
  ASSERT_TRUE(read) << read.error().detail;
  const Json& facts = *expect_.find("inspect");
  EXPECT_EQ(read->description.file_size, bytes_.size());
  EXPECT_EQ(write_json(read->description.metadata), write_json(*facts.find("metadata")));
  ASSERT_EQ(read->description.tensors.size(), facts.find("tensors")->as_array()->size());
  for (const Json& fact : *facts.find("tensors")->as_array()) {
    const TensorInfo* info = read->description.find_tensor(*fact.find("name")->as_string());
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(name_of(info->dtype), *fact.find("dtype")->as_string());
    EXPECT_EQ(info->shape, numbers(*fact.find("shape")));
    EXPECT_EQ(info->offset, fact.find("offset")->as_uint());
    EXPECT_EQ(info->bytes, fact.find("bytes")->as_uint());
  }
}

// A value of the list; those that JSON or a double cannot hold are given as text.
float expected_value(const Json& value) {
  if (const auto truth = value.as_bool()) return *truth ? 1.0F : 0.0F;
  if (const auto number = value.as_double()) return static_cast<float>(*number);
  return std::strtof(value.as_string()->c_str(), nullptr);
}

TEST_P(SafetensorsFixture, HasItsValues) {
  const auto read = read_file(bytes_, {.chunk = 5});
  ASSERT_TRUE(read);
  for (const auto& [name, values] : *expect_.find("values")->as_object()) {
    std::vector<float> decoded(values.as_array()->size());
    ASSERT_EQ(decoded.size(), read->description.find_tensor(name)->elements());
    decode(read->description.find_tensor(name)->dtype, read->data.at(name), decoded);
    for (size_t i = 0; i < decoded.size(); ++i) {
      const float expected = expected_value((*values.as_array())[i]);
      EXPECT_TRUE(decoded[i] == expected || (std::isnan(decoded[i]) && std::isnan(expected))) << name << " " << i;
    }
  }
}

TEST_P(SafetensorsFixture, ReadsTheSameInPieces) {
  const auto whole = read_file(bytes_);
  for (size_t chunk = 1; chunk <= bytes_.size(); ++chunk) {
    const auto pieces = read_file(bytes_, {.chunk = chunk, .length_known = chunk % 2 == 0});
    ASSERT_TRUE(pieces) << chunk;
    EXPECT_EQ(whole->data, pieces->data);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, SafetensorsFixture, ::testing::ValuesIn(fixture_files("safetensors/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

class OfficialCase : public ::testing::TestWithParam<std::string> {};

TEST_P(OfficialCase, HasItsVerdict) {
  const File bytes = fixture("safetensors/cases/" + GetParam());
  const std::string& verdict =
      *expected_entry("safetensors/cases/expected.json", GetParam()).find("expect")->as_string();
  // The README's rule, which the official reader does not enforce.
  const bool begins_with_space = GetParam() == "ok_leading_whitespace_empty.safetensors";
  const bool accepted = verdict == "accept" && !begins_with_space;
  for (const bool known : {true, false}) {
    const auto read = read_file(bytes, {.format = Format::safetensors, .chunk = 3, .length_known = known});
    EXPECT_EQ(read.has_value(), accepted);
    if (read) continue;
    EXPECT_EQ(read.error().format, "safetensors");
    ASSERT_TRUE(read.error().offset);
    EXPECT_LE(*read.error().offset, bytes.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, OfficialCase, ::testing::ValuesIn(fixture_files("safetensors/cases/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

}  // namespace
}  // namespace quintet::test
