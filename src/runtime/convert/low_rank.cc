#include "runtime/convert/low_rank.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "architectures/decoder/tensor_names.h"
#include "runtime/convert/plan.h"

namespace quintet {
namespace {

using decoder::TensorKind;
using decoder::TensorOrder;
using decoder::TensorRef;

Failure refused(const LowRank& part, std::string_view why) {
  return in_tensor(unsupported_error("{}", why), part.matrix);
}

// Puts the rows of B into the order of the model.
Status reorder(LowRank& part, size_t rows, const TensorOrder& order) {
  std::vector<std::byte> bytes(part.b.size() * sizeof(float));
  TensorInfo info;
  info.name = part.matrix;
  info.shape = {rows, part.b.size() / rows};
  info.bytes = bytes.size();
  QUINTET_CHECK(transformer::check_order(info, order));
  std::memcpy(bytes.data(), part.b.data(), bytes.size());
  transformer::restore_order(bytes, info, order);
  std::memcpy(part.b.data(), bytes.data(), bytes.size());
  return {};
}

bool is_linear(const TensorRef& ref) {
  return !ref.is_bias && ref.spec->is_matrix() && ref.kind() != TensorKind::embeddings &&
         ref.kind() != TensorKind::layer_embeddings;
}

// Between GGUF and folders, the weights of some families differ in more than their order (runtime/adapters).
bool have_other_weights(const DecoderConfig& config, const decoder::Family& family) {
  return family.has_branch_multipliers ||
         (config.has_delta_net() && config.delta_value_heads != config.delta_key_heads);
}

// The job of a matrix: with its name or, for an expert, that of the tensor of all.
Job* job_of(const decoder::TensorNames& names, TensorRef ref, Plan& plan) {
  for (;; ref.expert.reset()) {
    const std::string name = names.huggingface_name(ref);
    const auto job = std::ranges::find(plan.jobs, name, [](const Job& each) { return each.output.name; });
    if (job != plan.jobs.end()) return &*job;
    if (!ref.expert) return nullptr;
  }
}

// `keeps_order`: the rows stay as the source has them.
Status plan_product(const SourceModel& source, const DecoderConfig& config, bool keeps_order, LowRank part,
                    Plan& plan) {
  const bool is_gguf = !part.architecture.empty();
  ModelDescription naming;
  naming.format = is_gguf ? Format::gguf : Format::safetensors;
  naming.architecture = is_gguf ? part.architecture : config.architecture;
  const decoder::TensorNames names(naming);
  const decoder::Family* family = names.family();
  if (!family || family != decoder::family_of_model_type(config.architecture)) {
    return input_error(Reason::mismatch, "an adapter for {}, but the model is {}", naming.architecture,
                       config.architecture);
  }
  if ((source.description.format == Format::gguf) != is_gguf && have_other_weights(config, *family)) {
    return refused(part, "the weights differ between GGUF and folders of this family");
  }
  const auto ref = names.ref_of(part.matrix);
  Job* job = ref && is_linear(*ref) ? job_of(names, *ref, plan) : nullptr;
  const size_t dims = job ? job->output.shape.size() : 0;
  const bool is_in_all = dims == 3 && ref->expert && *ref->expert < job->output.shape[0];
  if (dims != 2 && !is_in_all) return refused(part, "the model has no such linear layer");

  const TensorOrder stored = decoder::TensorNames(source.description).order_of(*ref, config);
  TensorOrder order = names.order_of(*ref, config);
  if (keeps_order && is_gguf && stored.groups != 0) return refused(part, "its rows are stored in another order");
  if (keeps_order && !is_gguf) order = {};
  order.is_transposed = false;  // PEFT never writes columns in place of the rows

  const bool is_transposed = keeps_order && stored.is_transposed;
  const std::vector<uint64_t>& shape = job->output.shape;
  auto rows = static_cast<size_t>(shape[shape.size() - 2]), cols = static_cast<size_t>(shape.back());
  auto product = std::make_shared<LowRankProduct>();
  product->cols = cols;
  if (is_in_all) product->begin = *ref->expert * rows * cols;
  if (is_transposed) std::swap(rows, cols);
  product->rank = part.a.size() / cols;
  if (product->rank == 0 || part.a.size() != product->rank * cols || part.b.size() != rows * product->rank) {
    return in_tensor(fail(Code::format, Reason::mismatch, "its adapter does not fit a matrix of {} x {}", rows, cols),
                     part.matrix);
  }
  QUINTET_CHECK(reorder(part, rows, order));
  product->scale = part.scale;
  product->left = std::move(part.b);
  product->right = std::move(part.a);
  if (is_transposed) std::swap(product->left, product->right);
  job->products.push_back(std::move(product));
  return {};
}

}  // namespace

void LowRankProduct::add_to(std::span<float> values, size_t first) const {
  for (float& value : values) {
    const size_t at = first++;
    if (at < begin || at - begin >= left.size() / rank * cols) continue;
    const size_t row = (at - begin) / cols, col = (at - begin) % cols;
    float sum = 0;
    for (size_t k = 0; k < rank; ++k) sum += left[row * rank + k] * right[col * rank + k];
    value += scale * sum;
  }
}

Status plan_products(const SourceModel& source, const ConvertOptions& options, Plan& plan) {
  if (options.products.empty()) return {};
  const Result<DecoderConfig>& config = *source.decoder_config;
  if (!config) return fail(config.error());
  const bool keeps_order = options.to == Format::safetensors && source.description.format == Format::safetensors;
  for (const LowRank& part : options.products) {
    QUINTET_CHECK(plan_product(source, *config, keeps_order, part, plan));
  }
  return {};
}

}  // namespace quintet
