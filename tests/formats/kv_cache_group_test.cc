// The group sizes of INT4 caches (docs/formats/safetensors.md).

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "formats/kv_cache/cache_file.h"

namespace quintet::test {
namespace {

TEST(KvCacheGroup, DividesAHeadOrIsAWholeHead) {
  struct {
    uint64_t head_dim;
    std::optional<uint64_t> wanted;
    uint64_t group;
  } const cases[] = {{128, 32, 32}, {128, 64, 64}, {128, 128, 128}, {128, {}, 64}, {64, {}, 64},  {64, 128, 64},
                     {64, 32, 32},  {8, 64, 8},    {8, {}, 8},      {96, {}, 32},  {96, 128, 96}, {96, 32, 32},
                     {80, {}, 80},  {48, {}, 48},  {256, {}, 64},   {2, 32, 2}};
  for (const auto& [head_dim, wanted, group] : cases) {
    const auto found = kv::group_for(head_dim, wanted);
    ASSERT_TRUE(found) << head_dim;
    EXPECT_EQ(*found, group) << head_dim;
  }
  const std::pair<uint64_t, std::optional<uint64_t>> none[] = {{96, 64},  {80, 64},  {80, 32},
                                                               {136, {}}, {128, 16}, {128, 0}};
  for (const auto& [head_dim, wanted] : none) {
    const auto found = kv::group_for(head_dim, wanted);
    ASSERT_FALSE(found) << head_dim;
    EXPECT_EQ(found.error().code, Code::input);
  }
  EXPECT_EQ(kv::group_for(7, {}).error().code, Code::unsupported);
  EXPECT_EQ(kv::group_for(65, 64).error().code, Code::unsupported);
}

}  // namespace
}  // namespace quintet::test
