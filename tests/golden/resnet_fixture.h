#pragma once
// The networks of the fixtures, and the stages that their original runtime recorded.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "formats/model_description.h"
#include "kernels/kernels.h"
#include "models/vision/network_loader.h"
#include "tests/golden/plain_resnet.h"

namespace quintet::test {

struct ResNetFixture {
  LayerTable table;
  std::vector<std::vector<float>> values;  // in file order
  FloatWeights weights;                    // views of these
};

// Views of `values`, which are in the order of the table, as in a file.
FloatWeights weights_of(const LayerTable& table, const std::vector<std::vector<float>>& values);

// A vanilla tinyRuntime file.
ResNetFixture resnet_fixture(const std::string& path);

// A network of any kind from its tensors' payloads, in the order of network_tensors(); `chunk`: bytes written at once.
struct TensorPayload {
  TensorInfo info;
  std::vector<std::byte> bytes;
};
std::unique_ptr<vision::ImageNetwork> load_network(vision::NetworkLoader& loader,
                                                   const std::vector<TensorPayload>& tensors, size_t chunk = SIZE_MAX);
std::unique_ptr<vision::ImageNetwork> make_network(const Kernels& kernels, const LayerTable& table,
                                                   const std::vector<TensorPayload>& tensors, size_t chunk = SIZE_MAX);

std::vector<TensorPayload> payloads_of(const ResNetFixture& fixture);
std::unique_ptr<vision::ImageNetwork> float_network(const Kernels& kernels, const ResNetFixture& fixture);

// A network of any kind from a tinyRuntime file.
std::unique_ptr<vision::ImageNetwork> network_fixture(const Kernels& kernels, const std::string& path);

// Sees the stages of a network, in this order: "stem" with its pooling, each "block"; statically quantized networks
// also show "input" and the steps of the tail: "pooled", "concat", "fc0_in", "fc0_out", "fc1_in", "fc1_out". Values are
// [channels][height][width].
class StageObserver : public vision::NodeObserver {
 public:
  explicit StageObserver(const vision::Graph& graph) : graph_(graph) {}

  virtual void see_float_stage(std::string_view, std::span<const float>) {}
  virtual void see_byte_stage(std::string_view, const ActivationQuantization&, std::span<const uint8_t>) {}

 private:
  void see_floats(vision::NodeId node, const vision::FeatureMap<float>& map) final;
  void see_integers(vision::NodeId node, const vision::FeatureMap<int16_t>& map,
                    const ActivationQuantization& quantization) final;
  std::string stage_of(vision::NodeId id) const;

  const vision::Graph& graph_;
  std::vector<uint8_t> maxima_;  // the first half of what is pooled
};

// values of the fixtures' generator (tests/fixtures/tinyruntime): a linear congruential sequence, in [-2, 2).
std::vector<float> generated_input(uint32_t seed, size_t count);

// The `input` of a run: generated, or a file of `folder`.
std::vector<float> run_input(const std::string& folder, const Json& input);

}  // namespace quintet::test
