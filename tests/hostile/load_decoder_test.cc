// Broken files of decoders, loaded: each is rejected with an error that states what is wrong and where, or was whole
// after all.

#include <gtest/gtest.h>

#include "tests/formats/loading.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

class BrokenDecoder : public testing::TestWithParam<Format> {};

TEST_P(BrokenDecoder, IsRejected) {
  size_t refused = 0;
  for (const BrokenFile& file : broken_files(GetParam())) {
    for (const bool known : {true, false}) {
      SCOPED_TRACE(file.id + (known ? "" : " of unknown length"));
      const auto model = load(file.bytes, {.format = GetParam(), .chunk = 1000, .length_known = known});
      EXPECT_FALSE(file.expect == "error" && model);
      EXPECT_FALSE(file.expect == "ok" && !model);
      if (model) continue;
      ++refused;
      const Error& error = model.error();
      EXPECT_EQ(error.format, name_of(GetParam()));
      EXPECT_FALSE(error.detail.empty());
      if (error.code == Code::memory) continue;
      ASSERT_TRUE(error.offset) << error.detail;
      EXPECT_LE(*error.offset, std::max<uint64_t>(file.bytes.size(), file.offset.value_or(0))) << error.detail;
    }
  }
  EXPECT_GT(refused, 100u);
}

INSTANTIATE_TEST_SUITE_P(Formats, BrokenDecoder, testing::Values(Format::amb, Format::alt),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace quintet::test
