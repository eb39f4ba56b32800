#include "runtime/convert/conversion_plan.h"

#include <algorithm>
#include <utility>

#include "formats/bert_tensors.h"
#include "formats/tensor_lookup.h"
#include "formats/weights/layout.h"
#include "formats/weights/scales.h"
#include "runtime/convert/tensor_encoder.h"

namespace quintet {
namespace {

constexpr std::string_view kModelPrefix = "bert.";

bool is_float(Dtype dtype) {
  return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16 || dtype == Dtype::f64 ||
         dtype == Dtype::f8_e4m3 || dtype == Dtype::f8_e5m2;
}

// Models with a task head keep the encoder's tensors under "bert."; the head is not part of an embedder, nor are buffers
// such as position_ids.
std::optional<std::string> encoder_name(std::string_view name, bool prefixed) {
  if (prefixed) {
    if (!name.starts_with(kModelPrefix)) return std::nullopt;
    name.remove_prefix(kModelPrefix.size());
  }
  const bool of_encoder = name.starts_with("embeddings.") || name.starts_with("encoder.") || name.starts_with("pooler.");
  const bool parameter = name.ends_with(".weight") || name.ends_with(".bias");
  if (!of_encoder || !parameter) return std::nullopt;
  return std::string(name);
}

class Planner {
 public:
  Planner(const std::vector<TensorInfo>& tensors, Origin origin, const ConvertOptions& options)
      : lookup_(tensors), origin_(origin), options_(options) {
    prefixed_ = origin == Origin::hugging_face && std::ranges::any_of(tensors, [](const TensorInfo& info) {
                  return info.name.starts_with(kModelPrefix);
                });
  }

  Status add(const TensorInfo& info) {
    Step step;
    step.tensor = info;
    if (origin_ == Origin::hugging_face) {
      const auto name = encoder_name(info.name, prefixed_);
      if (!name) return push({.action = Action::drop, .tensor = info, .from = {}, .to = {}});
      step.tensor.name = *name;
    }
    if (const TensorInfo* matrix = matrix_of(info)) return add_scales(info, *matrix);
    QUINTET_TRY(std::tie(step.from, step.to), forms_of(step.tensor));
    if (step.from == step.to) return push_output(std::move(step), Action::copy);
    if (!step.from.scaled()) return push_output(std::move(step), Action::encode);
    const bool scales_follow = lookup_.find(weights::scale_name(info.name))->offset > info.offset;
    if (scales_follow) return push({.action = Action::hold_matrix, .tensor = info, .from = step.from, .to = step.to});
    return push_output(std::move(step), Action::encode_scaled);
  }

  Plan take() {
    if (options_.quantize == Quantize::int8_row) plan_.quantization = "int8-row";
    if (options_.quantize == Quantize::int8_group) {
      plan_.quantization = "int8-group-" + std::to_string(options_.group_size);
    }
    return std::move(plan_);
  }

 private:
  // The int8 matrix that a scale belongs to; null for any other tensor.
  const TensorInfo* matrix_of(const TensorInfo& info) const {
    if (origin_ != Origin::weights || !info.name.ends_with(weights::kScaleSuffix)) return nullptr;
    const std::string_view name = info.name;
    const TensorInfo* matrix = lookup_.find(name.substr(0, name.size() - weights::kScaleSuffix.size()));
    return matrix && matrix->dtype == Dtype::i8 ? matrix : nullptr;
  }

  Status add_scales(const TensorInfo& scales, const TensorInfo& matrix) {
    QUINTET_TRY(const auto forms, forms_of(matrix));
    if (forms.first == forms.second) {
      Step step{.action = Action::copy, .tensor = scales, .from = {}, .to = {}};
      return push_output(std::move(step), Action::copy);
    }
    const bool matrix_follows = matrix.offset > scales.offset;
    if (matrix_follows) return push({.action = Action::hold_scales, .tensor = scales, .from = {}, .to = {}});
    Step step{.action = {}, .tensor = matrix, .from = forms.first, .to = forms.second};
    return push_output(std::move(step), Action::encode_held);
  }

  Result<std::pair<StorageForm, StorageForm>> forms_of(const TensorInfo& info) const {
    StorageForm from{.dtype = info.dtype, .group = 0};
    const TensorInfo* scales =
        origin_ == Origin::weights && info.dtype == Dtype::i8 ? lookup_.find(weights::scale_name(info.name)) : nullptr;
    if (scales) from.group = weights::scale_group(info, *scales);
    QUINTET_TRY(const StorageForm to, target_of(info, from));
    return std::pair(from, to);
  }

  Result<StorageForm> target_of(const TensorInfo& info, StorageForm from) const {
    if (origin_ == Origin::hugging_face && !is_float(from.dtype)) return unsupported(info);
    // Types that .weights does not have are widened.
    const StorageForm kept = weights_name_of(from.dtype).empty() ? StorageForm{.dtype = Dtype::f32, .group = 0} : from;
    const bool number = is_float(from.dtype) || from.scaled();
    switch (options_.quantize) {
      case Quantize::keep:
        return kept;
      case Quantize::none:
        return number ? StorageForm{.dtype = Dtype::f32, .group = 0} : kept;
      case Quantize::f16:
        return number ? StorageForm{.dtype = Dtype::f16, .group = 0} : kept;
      case Quantize::bf16:
        return number ? StorageForm{.dtype = Dtype::bf16, .group = 0} : kept;
      case Quantize::int8_row:
      case Quantize::int8_group:
        break;
    }
    // Int8 matrices beyond the encoder's own follow, since one metadata key tells the form of all.
    if (!from.scaled() && !(number && is_bert_matrix(info))) return kept;
    return quantized(info);
  }

  Result<StorageForm> quantized(const TensorInfo& info) const {
    const uint64_t cols = info.shape[1];
    const uint64_t group = options_.quantize == Quantize::int8_row ? cols : options_.group_size;
    if (cols % group != 0) {
      return fail({.code = Code::input,
                   .reason = Reason::out_of_range,
                   .detail = "groups of " + std::to_string(group) + " do not divide rows of " + std::to_string(cols),
                   .offset = std::nullopt,
                   .format = {},
                   .tensor = info.name});
    }
    return StorageForm{.dtype = Dtype::i8, .group = group};
  }

  static std::unexpected<Error> unsupported(const TensorInfo& info) {
    return fail({.code = Code::unsupported,
                 .reason = Reason::unknown_value,
                 .detail = "weights of type " + std::string(name_of(info.dtype)),
                 .offset = info.offset,
                 .format = {},
                 .tensor = info.name});
  }

  Status push(Step step) {
    plan_.steps.push_back(std::move(step));
    return {};
  }

  Status push_output(Step step, Action action) {
    step.action = action;
    if (action == Action::copy) {
      plan_.outputs.push_back(step.tensor);
    } else {
      plan_.outputs.push_back(TensorEncoder::stored(step.tensor, step.to));
      if (step.to.scaled()) plan_.outputs.push_back(TensorEncoder::stored_scales(step.tensor, step.to));
    }
    return push(std::move(step));
  }

  TensorLookup lookup_;
  Origin origin_;
  const ConvertOptions& options_;
  bool prefixed_ = false;
  Plan plan_;
};

}  // namespace

Result<Plan> plan_conversion(const std::vector<TensorInfo>& tensors, Origin origin, const ConvertOptions& options) {
  Planner planner(tensors, origin, options);
  std::vector<const TensorInfo*> order;
  for (const TensorInfo& info : tensors) order.push_back(&info);
  // As readers do: where data is empty, several tensors share an offset and keep their order.
  std::ranges::sort(order, {}, [](const TensorInfo* info) { return std::pair(info->offset, info); });
  for (const TensorInfo* info : order) QUINTET_CHECK(planner.add(*info));
  return planner.take();
}

}  // namespace quintet
