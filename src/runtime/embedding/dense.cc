#include "runtime/embedding/dense.h"

#include <cmath>
#include <string>
#include <utility>

#include "models/tensor_sinks.h"

namespace quintet {
namespace {

constexpr std::string_view kWeight = "linear.weight", kBias = "linear.bias", kResidual = "residual.weight";

PackedMatrix matrix_of(const DenseModule& module) {
  return {Storage::f32, static_cast<size_t>(module.out), static_cast<size_t>(module.in)};
}

bool has_residual_matrix(const DenseModule& module) { return module.has_residual && module.in != module.out; }

// [count][out] of [count][in].
std::vector<float> multiply(const PackedModule& linear, const Kernels& kernels, const std::vector<float>& x,
                            size_t count) {
  const size_t out = linear.matrix.rows(), in = linear.matrix.cols();
  std::vector<float> y(count * out);
  ProjectionScratch scratch;
  const PackedProjection projection(kernels, scratch, Workers::one);
  projection.multiply({{x.data(), in}, 0, count}, {{linear, {y.data(), out}}});
  return y;
}

void activate(DenseActivation activation, const Kernels& kernels, std::vector<float>& values) {
  if (activation == DenseActivation::identity) return;
  if (activation == DenseActivation::tanh) {
    for (float& value : values) value = std::tanh(value);
    return;
  }
  kernels.mlp_activation({.activation = activation == DenseActivation::relu ? Activation::relu : Activation::gelu_erf,
                          .gate = values.data(),
                          .up = nullptr,
                          .count = values.size(),
                          .y = values.data()});
}

}  // namespace

Status DenseSink::begin(const ModelDescription& description) {
  QUINTET_CHECK(check(description, kWeight, {module_.out, module_.in}));
  if (has_residual_matrix(module_)) QUINTET_CHECK(check(description, kResidual, {module_.out, module_.in}));
  return module_.has_bias ? check(description, kBias, {module_.out}) : Status();
}

Status DenseSink::check(const ModelDescription& description, std::string_view name,
                        const std::vector<uint64_t>& shape) const {
  const TensorInfo* info = description.find_tensor(name);
  if (!info) return missing_tensor(name, "a tensor that the Dense module needs is missing");
  if (info->shape == shape) return {};
  return tensor_error(Code::format, Reason::mismatch, *info, "shape {}, expected {} from {}/config.json",
                      shape_text(info->shape), shape_text(shape), module_.path);
}

Result<std::unique_ptr<ByteSink>> DenseSink::tensor(const TensorArrival& tensor) {
  if (tensor.info.name == kBias && module_.has_bias) {
    return tensor_sink<SourceTypes::encoder>(tensor, dense_.linear.bias);
  }
  if (tensor.info.name == kResidual && has_residual_matrix(module_)) {
    dense_.residual.matrix = matrix_of(module_);
    return tensor_sink<SourceTypes::encoder>(tensor, dense_.residual.matrix);
  }
  if (tensor.info.name != kWeight) return nullptr;
  return dense_weight_sink(module_, tensor, dense_);
}

Status check_dense_widths(std::span<const DenseModule> modules, uint64_t width, std::string_view where) {
  for (const DenseModule& module : modules) {
    if (module.in != width) {
      return fail(Code::format, Reason::mismatch, "{}{}{}, expected {}, the width of the vectors before it",
                  module.path, where, module.in, width);
    }
    width = module.out;
  }
  return {};
}

Result<std::unique_ptr<ByteSink>> dense_weight_sink(const DenseModule& module, const TensorArrival& tensor,
                                                    Dense& dense) {
  dense.activation = module.activation;
  dense.has_residual = module.has_residual;
  dense.linear.matrix = matrix_of(module);
  return tensor_sink<SourceTypes::encoder>(tensor, dense.linear.matrix);
}

void apply_dense(const PackedModule& linear, DenseActivation activation, const Kernels& kernels,
                 std::vector<float>& vectors, size_t count) {
  vectors = multiply(linear, kernels, vectors, count);
  activate(activation, kernels, vectors);
}

void apply_dense(std::span<const Dense> modules, const Kernels& kernels, std::vector<float>& vectors, size_t count) {
  for (const Dense& module : modules) {
    std::vector<float> results = multiply(module.linear, kernels, vectors, count);
    activate(module.activation, kernels, results);
    if (module.has_residual) {
      if (module.residual.exists()) vectors = multiply(module.residual, kernels, vectors, count);
      for (size_t i = 0; i < results.size(); ++i) results[i] += vectors[i];
    }
    vectors = std::move(results);
  }
}

}  // namespace quintet
