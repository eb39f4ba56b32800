#pragma once
// Networks of random weights.

#include <cstdint>
#include <vector>

#include "tests/golden/plain_resnet.h"
#include "tests/golden/resnet_fixture.h"

namespace quintet::test {

struct Form {
  const char* name;
  std::vector<int> blocks;
  bool bottleneck, cifar, concat;
  int32_t weight_zero_point;  // of static networks; the farthest that products may need to leave 16 bits for
  uint32_t width = 4;
};

// Weights that keep the size of activations.
ResNetFixture random_float_network(const Form& form);

// With what their definition takes.
struct StaticFixture {
  PlainStaticNetwork plain;
  std::vector<TensorPayload> tensors;
};
StaticFixture random_static_network(const Form& form);

// Weights in groups of up to 64.
struct DynamicFixture {
  LayerTable table;
  std::vector<TensorPayload> tensors;
};
DynamicFixture random_dynamic_network(const Form& form, bool asymmetric);

}  // namespace quintet::test
