#pragma once
// Headers of KV cache files: those of the fixtures, to be changed by tests.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/formats/reading.h"

namespace quintet::test {

// The description of tests/fixtures/safetensors/<name>.safetensors, without the values.
inline ModelDescription cache_header(const std::string& name) {
  const auto read = read_file(fixture("safetensors/" + name + ".safetensors"), {.wants_data = false});
  EXPECT_TRUE(read) << name;
  return read->description;
}

inline void add_cache_tensor(ModelDescription& description, const char* name, Dtype dtype,
                             std::vector<uint64_t> shape) {
  TensorInfo info;
  info.name = name;
  info.dtype = dtype;
  info.shape = std::move(shape);
  description.tensors.push_back(info);
}

}  // namespace quintet::test
