// Broken files whose container is whole: validation rejects what no model can be loaded from, and reports the place; no
// file, broken or not, makes it fail in another way.

#include <gtest/gtest.h>

#include "runtime/inspect/validate.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

Status validate(const File& file, Format format, Json* report = nullptr) {
  ValidatingSink sink;
  ByteStream in(file.size());
  Parse<void> parse = read_model(in, format, sink, {});
  const Status status = drive(file, in, parse, 1000);
  if (status && report) *report = sink.report();
  return status;
}

class ValidatedFile : public testing::TestWithParam<Format> {};

TEST_P(ValidatedFile, IsRejectedIfNoModelCanBeLoaded) {
  size_t refused = 0;
  for (const BrokenFile& file : broken_files(GetParam())) {
    SCOPED_TRACE(file.id);
    const Status status = validate(file.bytes, GetParam());
    EXPECT_FALSE(file.expect == "ok" && !status);
    EXPECT_FALSE(file.expect == "error" && status);
    if (status) continue;
    ++refused;
    EXPECT_EQ(status.error().format, name_of(GetParam()));
    ASSERT_TRUE(status.error().offset) << status.error().detail;
    EXPECT_LE(*status.error().offset, std::max<uint64_t>(file.bytes.size(), file.offset.value_or(0)));
  }
  EXPECT_GT(refused, 50u);
}

INSTANTIATE_TEST_SUITE_P(Formats, ValidatedFile, testing::ValuesIn(formats_with_recipes()),
                         [](const auto& format) { return std::string(name_of(format.param)); });

TEST(Validate, CountsNonFiniteValues) {
  Json report;
  ASSERT_TRUE(validate(fixture("amb/zoo.amb"), Format::amb, &report));
  const Json* warnings = report.find("warnings");
  ASSERT_TRUE(warnings && !warnings->as_array()->empty());
  for (const Json& warning : *warnings->as_array()) {
    EXPECT_NE(warning.as_string()->find("values are not finite"), std::string::npos) << *warning.as_string();
  }
  ASSERT_TRUE(validate(fixture("amb/llama-int4.amb"), Format::amb, &report));
  EXPECT_TRUE(report.find("warnings")->as_array()->empty());
}

}  // namespace
}  // namespace quintet::test
