#include "formats/detect.h"

#include <gtest/gtest.h>

#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

TEST(Detect, FormatsHaveNames) {
  EXPECT_EQ(format_named("weights"), Format::weights);
  EXPECT_EQ(format_named("safetensors"), Format::safetensors);
  EXPECT_EQ(format_named(""), std::nullopt);
  EXPECT_EQ(format_named("WEIGHTS"), std::nullopt);
}

TEST(Detect, TheFirstBytesTell) {
  EXPECT_EQ(sniff(fixture("embd/small.weights")), Format::weights);
  EXPECT_EQ(sniff(fixture("embd/small-flat.weights")), Format::weights);
  EXPECT_EQ(sniff(fixture("safetensors/dtypes.safetensors")), Format::safetensors);
  EXPECT_EQ(sniff(fixture("malformed/noise.bin")), std::nullopt);
  EXPECT_EQ(sniff({}), std::nullopt);
}

TEST(Detect, UnknownInputIsRefusedAtItsBeginning) {
  for (const char* path : {"malformed/noise.bin", "malformed/zeros.bin", "malformed/empty.bin"}) {
    const auto read = read_file(fixture(path));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::format);
    EXPECT_EQ(read.error().reason, Reason::bad_magic);
    EXPECT_EQ(read.error().offset, 0u);
  }
}

TEST(Detect, AFormatThatIsGivenNamesTheErrors) {
  const auto read = read_file(fixture("malformed/noise.bin"), {.format = Format::weights});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().format, "weights");
  EXPECT_EQ(read.error().reason, Reason::bad_magic);
}

}  // namespace
}  // namespace quintet::test
