#pragma once
// The float networks of the fixtures, as the runtime takes them.

#include <string>
#include <vector>

#include "base/json.h"
#include "models/resnet/float_network.h"

namespace quintet::test {

struct ResNetFixture {
  LayerTable table;
  std::vector<std::vector<float>> values;  // in file order
  resnet::FloatWeights weights;            // views of these
};

// A vanilla tinyRuntime file.
ResNetFixture resnet_fixture(const std::string& path);

// values of the fixtures' generator (tests/fixtures/tinyruntime): a linear congruential sequence, in [-2, 2).
std::vector<float> generated_input(uint32_t seed, size_t count);

// The `input` of a run: generated, or a file of `folder`.
std::vector<float> run_input(const std::string& folder, const Json& input);

}  // namespace quintet::test
