// Every broken file, read in every way: one error that states what is wrong and where, the same whether the file comes
// whole or in pieces.

#include <gtest/gtest.h>

#include <set>

#include "tests/hostile/differing_places.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

struct Way {
  const char* name;
  Reading reading;
};

std::vector<Way> ways(Format format) {
  return {{"whole", {.format = format}},
          {"by byte", {.format = format, .chunk = 1}},
          {"of unknown length", {.format = format, .chunk = 11, .length_known = false}},
          {"inspected", {.format = format, .seekable = true, .wants_data = false, .verify_checksums = false}},
          {"inspected in pieces",
           {.format = format, .chunk = 100, .seekable = true, .wants_data = false, .verify_checksums = false}}};
}

void expect_well_described(const Error& error, const BrokenFile& file, Format format) {
  EXPECT_EQ(error.format, name_of(format));
  EXPECT_TRUE(error.code == Code::format || error.code == Code::unsupported || error.code == Code::memory);
  EXPECT_FALSE(error.detail.empty());
  ASSERT_TRUE(error.offset);
  EXPECT_LE(*error.offset, std::max<size_t>(file.bytes.size(), file.offset.value_or(0)));
}

void check(const BrokenFile& file, Format format) {
  for (const auto& [name, reading] : ways(format)) {
    SCOPED_TRACE(file.id + " " + name);
    const bool inspecting = !reading.wants_data;
    const auto read = read_file(file.bytes, reading);
    if (!read) expect_well_described(read.error(), file, format);
    if (file.expect == "ok") {
      EXPECT_TRUE(read);
    } else if (file.expect == "error" && !file.inspectable) {
      EXPECT_FALSE(read);
    }
    if (read || inspecting || !reading.length_known) continue;
    if (file.offset && !differing_places().contains(file.id)) {
      EXPECT_EQ(read.error().offset, file.offset) << read.error().detail;
    }
  }
}

class MalformedFile : public ::testing::TestWithParam<Format> {};

TEST_P(MalformedFile, IsRejectedWithItsReasonAndPlace) {
  const std::vector<BrokenFile> files = broken_files(GetParam());
  ASSERT_GT(files.size(), 50u);
  for (const BrokenFile& file : files) check(file, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Formats, MalformedFile, ::testing::ValuesIn(formats_with_recipes()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

// If the format itself is broken, the reader of the whole file must find it, even if a recipe leaves it to the model.
TEST(Malformed, ChecksumsAndScalesAreCheckedByTheReader) {
  const std::set<std::string> ids = {"bad-embd-data-crc",        "bad-embd-file-crc",
                                     "bad-embd-footer-data-crc", "bad-embd-footer-file-crc",
                                     "bad-embd-int8-scale-rows", "bad-embd-int8-scale-groups"};
  size_t seen = 0;
  for (const BrokenFile& file : broken_files("malformed/weights.json")) {
    if (!ids.contains(file.id)) continue;
    ++seen;
    EXPECT_FALSE(read_file(file.bytes)) << file.id;
  }
  EXPECT_EQ(seen, ids.size());
}

TEST(Truncated, AtEveryByte) {
  const std::pair<const char*, Format> files[] = {{"embd/small.weights", Format::embd},
                                                  {"embd/small-flat.weights", Format::embd},
                                                  {"safetensors/dtypes.safetensors", Format::safetensors},
                                                  {"safetensors/no-metadata.safetensors", Format::safetensors},
                                                  {"amb/small.amb", Format::amb},
                                                  {"amb/small-q.amb", Format::amb}};
  for (const auto& [path, format] : files) {
    const File whole = fixture(path);
    for (size_t length = 0; length < whole.size(); ++length) {
      const Bytes cut = Bytes(whole).first(length);
      for (const bool known : {true, false}) {
        const auto read = read_file(cut, {.format = format, .chunk = 4096, .length_known = known});
        ASSERT_FALSE(read) << path << " " << length;
        ASSERT_TRUE(read.error().offset) << path << " " << length;
        ASSERT_LE(*read.error().offset, length) << path << " " << length;
        ASSERT_EQ(read.error().format, name_of(format));
      }
    }
  }
}

}  // namespace
}  // namespace quintet::test
