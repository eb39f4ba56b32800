#pragma once
// The float networks of the fixtures, as the runtime takes them.

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "formats/model_description.h"
#include "kernels/kernels.h"
#include "models/vision/float_network.h"

namespace quintet::test {

struct ResNetFixture {
  LayerTable table;
  std::vector<std::vector<float>> values;  // in file order
  vision::FloatWeights weights;            // views of these
};

// Views of `values`, which are in the order of the table, as in a file.
vision::FloatWeights weights_of(const LayerTable& table, const std::vector<std::vector<float>>& values);

// A vanilla tinyRuntime file.
ResNetFixture resnet_fixture(const std::string& path);

// A network of any kind from its tensors' payloads, in the order of resnet_tensors(); `chunk`: bytes written at once.
struct TensorPayload {
  TensorInfo info;
  std::vector<std::byte> bytes;
};
std::unique_ptr<vision::Network> make_network(const Kernels& kernels, const LayerTable& table,
                                              const std::vector<TensorPayload>& tensors, size_t chunk = SIZE_MAX);

// A network of any kind from a tinyRuntime file.
std::unique_ptr<vision::Network> network_fixture(const Kernels& kernels, const std::string& path);

// values of the fixtures' generator (tests/fixtures/tinyruntime): a linear congruential sequence, in [-2, 2).
std::vector<float> generated_input(uint32_t seed, size_t count);

// The `input` of a run: generated, or a file of `folder`.
std::vector<float> run_input(const std::string& folder, const Json& input);

}  // namespace quintet::test
