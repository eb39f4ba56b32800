// Whoever is refused for a value of a short list is told the list.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "runtime/convert/convert_options.h"
#include "tests/formats/reading.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

std::string message_of(Format format, std::string_view id) {
  const auto files = broken_files(format);
  const auto file = std::ranges::find(files, id, &BrokenFile::id);
  if (file == files.end()) return "no such recipe";
  const auto read = read_file(file->bytes, {.format = format});
  return read ? "it was read" : read.error().detail;
}

TEST(SupportedValues, InFilesAreNamed) {
  EXPECT_EQ(message_of(Format::amb, "bad-amb-tok-type"),
            "tokenizer type 4; supported are 0 (BPE), 1 (SentencePiece), 2 (WordPiece) and 3 (custom)");
  EXPECT_EQ(message_of(Format::amb, "bad-ambq-int4-scale-type"), "scale type 2; supported are 0 (FP32) and 1 (FP16)");
  EXPECT_EQ(message_of(Format::alt, "bad-alt-dtype-4"),
            "data type 4; supported are 0 (float32), 1 (float16), 2 (qint8) and 3 (qint4)");
  EXPECT_EQ(message_of(Format::embd, "bad-embd-dtype-9"), "data type 9; supported are 0 (F32) to 8 (U8)");
}

TEST(SupportedValues, InOptionsAreNamed) {
  const auto said = [](std::string_view json) {
    const auto options = read_convert_options(json);
    return options ? "they were read" : options.error().detail;
  };
  EXPECT_EQ(said(R"({"to":"gguf"})"),
            "option to: \"gguf\"; supported are weights, safetensors, amb, alt and tinyruntime");
  EXPECT_EQ(said(R"({"to":"alt","quantize":"int5"})"),
            "option quantize: \"int5\"; supported for alt are none, f16, int8, int4");
  EXPECT_EQ(said(R"({"to":"amb","colour":"red"})"),
            "there is no option colour, only to, quantize, groupSize, scaleType, bits, observer and metadata");
}

}  // namespace
}  // namespace quintet::test
