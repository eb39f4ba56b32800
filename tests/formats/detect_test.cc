#include "formats/detect.h"

#include <gtest/gtest.h>

#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

TEST(Detect, FormatsHaveNames) {
  EXPECT_EQ(format_named("weights"), Format::embd);
  EXPECT_EQ(format_named("safetensors"), Format::safetensors);
  EXPECT_EQ(format_named(""), std::nullopt);
  EXPECT_EQ(format_named("WEIGHTS"), std::nullopt);
}

TEST(Detect, TheFirstBytesDecide) {
  EXPECT_EQ(sniff(fixture("embd/small.weights")), Format::embd);
  EXPECT_EQ(sniff(fixture("embd/small-flat.weights")), Format::embd);
  EXPECT_EQ(sniff(fixture("safetensors/dtypes.safetensors")), Format::safetensors);
  EXPECT_EQ(sniff(fixture("malformed/noise.bin")), std::nullopt);
  EXPECT_EQ(sniff({}), std::nullopt);
}

TEST(Detect, UnknownInputIsRejectedAtItsBeginning) {
  for (const char* path : {"malformed/noise.bin", "malformed/zeros.bin", "malformed/empty.bin"}) {
    const auto read = read_file(fixture(path));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::format);
    EXPECT_EQ(read.error().reason, Reason::bad_magic);
    EXPECT_EQ(read.error().offset, 0u);
  }
}

TEST(Detect, FilesMistakenForModelsAreNamed) {
  const auto message_of = [](std::string_view content) {
    const auto read = read_file(as_bytes(content));
    return read ? std::string() : read.error().detail;
  };
  const std::string unknown = "not a model file that quintet knows";
  EXPECT_EQ(message_of(""), unknown + ": it is empty");
  EXPECT_EQ(message_of("\x1f\x8b\x08"), unknown + ": it looks like gzip data, not decompressed or compressed twice");
  EXPECT_EQ(message_of("PK\3\4 archive/data.pkl"),
            unknown + ": it looks like a zip archive, which is how PyTorch saves");
  EXPECT_EQ(message_of("version https://git-lfs.github.com/spec/v1\n"),
            unknown + ": it looks like a Git LFS pointer, without the actual file");
  EXPECT_EQ(message_of("{\"error\": \"gone\"}"), unknown + ": it looks like JSON");
  EXPECT_EQ(message_of("<Error><Code>AccessDenied</Code>"), unknown + ": it looks like a web page or XML");
  EXPECT_EQ(message_of("neither one nor the other"), unknown);
}

TEST(Detect, FilesMistakenForModelsOfAGivenFormatAreNamed) {
  for (const Format format : {Format::safetensors, Format::gguf, Format::embd}) {
    for (const std::string_view content :
         {std::string_view("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
          std::string_view("\n<!doctype html><title>Sign in</title>"), std::string_view("PK\3\4\0\0\0\0\0\0\0\0", 12),
          std::string_view("\x1f\x8b\b\0\0\0\0\0\0\0", 10), std::string_view()}) {
      const auto read = read_file(as_bytes(content), {.format = format});
      ASSERT_FALSE(read);
      EXPECT_EQ(read.error().reason, Reason::bad_magic);
      EXPECT_TRUE(read.error().detail.contains(": it ")) << read.error().detail;
    }
  }
}

// Its length, the first byte of the file, is 60, the code of <.
TEST(Detect, AHeaderWhoseLengthIsALetterIsNotAWebPage) {
  std::string header = R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})";
  header.resize(60, ' ');
  const std::string file = std::string("<\0\0\0\0\0\0\0", 8) + header;
  EXPECT_TRUE(read_file(as_bytes(file), {.format = Format::safetensors}));
  EXPECT_TRUE(read_file(as_bytes(file)));
}

TEST(Detect, AFormatThatIsGivenNamesTheErrors) {
  const auto read = read_file(fixture("malformed/noise.bin"), {.format = Format::embd});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().format, "weights");
  EXPECT_EQ(read.error().reason, Reason::bad_magic);
}

}  // namespace
}  // namespace quintet::test
