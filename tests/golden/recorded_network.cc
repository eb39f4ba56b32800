#include "tests/golden/recorded_network.h"

namespace quintet::test {

std::vector<float> floats_of(const Json& values) {
  std::vector<float> result;
  for (const Json& value : *values.as_array()) result.push_back(static_cast<float>(*value.as_double()));
  return result;
}

std::string RecordedNetwork::name(const ::testing::TestParamInfo<ParamType>& info) {
  const auto& [file, kernels] = info.param;
  return test_name(file) + "_" + std::string(kernels->name);
}

}  // namespace quintet::test
