#pragma once
// Tests that run for every compiled set of kernels: a kernel that exists is a kernel that is
// tested.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "kernels/registry.h"

namespace quintet::testing {

class EachVariant : public ::testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
};

inline std::string variant_name(const ::testing::TestParamInfo<const Kernels*>& info) {
  return std::string(info.param->name);
}

inline const Kernels& scalar_kernels() { return *compiled_kernels().front(); }

inline std::vector<const Kernels*> all_kernels() { return {compiled_kernels().begin(), compiled_kernels().end()}; }

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  return std::ranges::equal(a, b, {}, bits, bits);
}

inline const std::byte* bytes_of(const void* data) { return static_cast<const std::byte*>(data); }

}  // namespace quintet::testing

#define QUINTET_FOR_EACH_VARIANT(suite)                                                     \
  INSTANTIATE_TEST_SUITE_P(, suite, ::testing::ValuesIn(::quintet::testing::all_kernels()), \
                           ::quintet::testing::variant_name)
