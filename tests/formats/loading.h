#pragma once
// Loads decoders from files in memory, and looks at what is held of their tensors.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/generation/generator_loader.h"
#include "tests/formats/converting.h"

namespace quintet::test {

struct Loading {
  GeneratorOptions options = {};
  std::optional<Format> format = {};
  uint64_t available = uint64_t{1} << 32;
  size_t chunk = SIZE_MAX;
  bool length_known = true;
};

using LoadedModel = Result<std::unique_ptr<GeneratorModel>>;

LoadedModel load(const NamedFiles& files, const Loading& how = {});
LoadedModel load(const File& model, const Loading& how = {});

// The matrix that a model holds under the name of its file; null where there is none.
const WeightMatrix* held_matrix(const GeneratorModel& model, std::string_view name);
// All values of a matrix or vector; nothing where the model does not hold it.
std::optional<std::vector<float>> held_values(const GeneratorModel& model, std::string_view name);
std::vector<float> values_of(const WeightMatrix& matrix);

// Bit for bit, but that all NaN are one and -0 is 0.
void expect_same_values(const std::vector<float>& held, const std::vector<float>& expected);
// Within `ulps` of the largest value: sums that are put together in another way are rounded in another way.
void expect_near_values(const std::vector<float>& held, const std::vector<float>& expected, float ulps);

// A safetensors file of F32 tensors.
struct PlainTensorF32 {
  std::string name;
  std::vector<uint64_t> shape;
  std::vector<float> values;
};
File safetensors_of(const std::vector<PlainTensorF32>& tensors);

}  // namespace quintet::test
