#include "tests/formats/loading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace quintet::test {
namespace {

Status feed(GeneratorLoader& loader, Bytes file, size_t chunk) {
  while (!file.empty()) {
    // In a separate allocation, so that the sanitizers see a read beyond it.
    const Bytes front = file.first(std::min(chunk, file.size()));
    QUINTET_CHECK(loader.feed(File(front.begin(), front.end())));
    file = file.subspan(front.size());
  }
  return {};
}

struct Held {
  const decoder::Module* module;
  decoder::TensorRef ref;
};

// The stored form of the tensor with this name at Hugging Face.
std::optional<Held> held(const GeneratorModel& model, std::string_view name) {
  const auto ref = decoder::TensorNames(ModelDescription()).ref_of(name);
  if (!ref) return std::nullopt;
  const decoder::Weights& weights = model.weights;
  if (ref->in_layer() && ref->layer >= weights.layers.size()) return std::nullopt;
  const Modules<decoder::Module>& modules = ref->in_layer() ? weights.layers[ref->layer] : weights.shared;
  if (!modules.has(ref->kind())) return std::nullopt;
  return Held{&modules[ref->kind()], *ref};
}

float largest(const std::vector<float>& values) {
  float max = 0;
  for (const float value : values) max = std::max(max, std::fabs(value));
  return max;
}

}  // namespace

LoadedModel load(const NamedFiles& files, const Loading& how) {
  GeneratorLoader loader(how.options, how.format, how.available);
  for (const auto& [name, bytes] : files) {
    QUINTET_CHECK(loader.begin_file(name, how.length_known ? std::optional<uint64_t>(bytes.size()) : std::nullopt));
    QUINTET_CHECK(feed(loader, bytes, how.chunk));
    QUINTET_CHECK(loader.end_file());
  }
  return loader.finish();
}

LoadedModel load(const File& model, const Loading& how) { return load(NamedFiles{{"", model}}, how); }

const WeightMatrix* held_matrix(const GeneratorModel& model, std::string_view name) {
  const auto found = held(model, name);
  return found && !found->ref.is_bias && found->ref.spec->is_matrix() ? &found->module->matrix : nullptr;
}

std::vector<float> values_of(const WeightMatrix& matrix) {
  std::vector<float> values(rows_of(matrix) * cols_of(matrix));
  for (size_t row = 0; row < rows_of(matrix); ++row) read_row(matrix, row, values.data() + row * cols_of(matrix));
  return values;
}

std::optional<std::vector<float>> held_values(const GeneratorModel& model, std::string_view name) {
  if (const WeightMatrix* matrix = held_matrix(model, name)) return values_of(*matrix);
  const auto found = held(model, name);
  if (!found) return std::nullopt;
  const AlignedBuffer<float>* vector = found->ref.is_bias ? &found->module->bias : &found->module->vector;
  return std::vector<float>(vector->span().begin(), vector->span().end());
}

void expect_same_values(const std::vector<float>& held, const std::vector<float>& expected) {
  ASSERT_EQ(held.size(), expected.size());
  for (size_t i = 0; i < held.size(); ++i) {
    if (std::isnan(held[i]) && std::isnan(expected[i])) continue;
    ASSERT_EQ(held[i], expected[i]) << i;
  }
}

void expect_near_values(const std::vector<float>& held, const std::vector<float>& expected, float ulps) {
  ASSERT_EQ(held.size(), expected.size());
  const float max = ulps * largest(expected) * 0x1p-23F;
  for (size_t i = 0; i < held.size(); ++i) ASSERT_NEAR(held[i], expected[i], max) << i;
}

File safetensors_of(const std::vector<PlainTensorF32>& tensors) {
  std::string header = "{", data;
  for (const auto& [name, shape, values] : tensors) {
    const size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    header += (header.size() > 1 ? ",\"" : "\"") + name + R"(":{"dtype":"F32","shape":)" + shape_text(shape) +
              ",\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
  }
  header += "}";
  const uint64_t length = header.size();
  std::string prefix(sizeof length, '\0');
  std::memcpy(prefix.data(), &length, sizeof length);
  return file_of(prefix + header + data);
}

}  // namespace quintet::test
