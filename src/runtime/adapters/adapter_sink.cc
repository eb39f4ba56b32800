#include "runtime/adapters/adapter_sink.h"

#include <algorithm>
#include <utility>

#include "models/decoder/matrix_form.h"
#include "models/transformer/order_sink.h"

namespace quintet {
namespace {

using decoder::TensorKind;
using decoder::TensorRef;

Failure refused(const TensorInfo& info, std::string_view why) {
  return tensor_error(Code::unsupported, Reason::unsupported, info, "{}", why);
}

// The model's tensor that an adapter's tensor belongs to, by its name in the model.
struct AdapterName {
  std::string weight;
  bool is_up;
};

std::optional<AdapterName> split_name(std::string_view name, bool is_gguf) {
  constexpr std::string_view kPeft = "base_model.model.";
  if (!is_gguf && !name.starts_with(kPeft)) return std::nullopt;
  if (!is_gguf) name.remove_prefix(kPeft.size());
  for (const bool is_up : {false, true}) {
    const std::string_view suffix =
        is_gguf ? (is_up ? ".lora_b" : ".lora_a") : (is_up ? ".lora_B.weight" : ".lora_A.weight");
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    return AdapterName{.weight = formatted("{}{}", name, is_gguf ? "" : ".weight"), .is_up = is_up};
  }
  return std::nullopt;
}

// Null if the model has no such matrix.
const WeightMatrix* matrix_of(const decoder::Weights& weights, const TensorRef& ref) {
  const decoder::Module* module = nullptr;
  if (!ref.in_layer()) {
    module = &weights.shared[ref.kind()];
  } else if (ref.layer < weights.layers.size()) {
    const decoder::Layer& layer = weights.layers[ref.layer];
    if (!ref.expert) {
      module = &layer[ref.kind()];
    } else if (const auto expert = layer.experts().find(*ref.expert); expert != layer.experts().end()) {
      module = &expert->second[transformer::expert_index(ref.kind())];
    }
  }
  return module && rows_of(module->matrix) != 0 ? &module->matrix : nullptr;
}

const std::string* text_of(const Json& metadata, std::string_view key) { return metadata.get(key).as_string(); }

}  // namespace

Status AdapterSink::begin(const ModelDescription& description) {
  ModelDescription naming;
  naming.format = description.format;
  naming.architecture = model_.config.architecture;
  if (description.format == Format::gguf) {
    QUINTET_CHECK(read_gguf(description));
    naming.architecture = description.architecture;
  } else if (description.format != Format::safetensors) {
    return unsupported_error("an adapter is a GGUF file or a folder of PEFT");
  } else if (!config_) {
    return input_error(Reason::missing, "there is no {} before the tensors", huggingface::AdapterConfig::kFile);
  }
  names_.emplace(naming);
  QUINTET_CHECK(check_origin(description.format));
  adapter_ = std::make_shared<decoder::Adapter>();
  for (const TensorInfo& info : description.tensors) {
    QUINTET_TRY(Place place, place_of(info));
    QUINTET_CHECK(check_shape(info, place));
    places_.push_back(std::move(place));
  }
  return complete();
}

// llama.cpp's converter multiplies Falcon-H1's factors into the weights, and puts the heads of DeltaNets into another
// order. An adapter that was trained for one of the forms does not fit the other.
Status AdapterSink::check_origin(Format format) const {
  const DecoderConfig& config = model_.config;
  const decoder::Family* family = decoder::family_of_model_type(config.architecture);
  const bool has_folded = family && family->has_branch_multipliers;
  const bool has_moved = config.has_delta_net() && config.delta_value_heads != config.delta_key_heads;
  if (format == model_.description.format || !(has_folded || has_moved)) return {};
  return unsupported_error("an adapter in {} for a model in {}: the weights of {} differ between the two",
                           name_of(format), name_of(model_.description.format), config.architecture);
}

// Reads the metadata as llama.cpp does (src/llama-adapter.cpp).
Status AdapterSink::read_gguf(const ModelDescription& description) {
  const std::string *type = text_of(description.metadata, "general.type"),
                    *kind = text_of(description.metadata, "adapter.type");
  if (!type || *type != "adapter" || !kind || *kind != "lora") {
    return input_error(Reason::mismatch, "the file is not an adapter: general.type must be adapter, adapter.type lora");
  }
  const decoder::Family* family = decoder::family_of_gguf(description.architecture);
  if (!family || family != decoder::family_of_model_type(model_.config.architecture)) {
    return input_error(Reason::mismatch, "an adapter for {}, but the model is {}", description.architecture,
                       model_.config.architecture);
  }
  alpha_ = description.metadata.get("adapter.lora.alpha").as_double();
  if (alpha_) return {};
  return fail(Code::format, Reason::missing, "there is no adapter.lora.alpha");
}

Result<AdapterSink::Place> AdapterSink::place_of(const TensorInfo& info) const {
  const auto name = split_name(info.name, !config_);
  if (!name) {
    return refused(info,
                   "only the matrices of LoRA are supported, without biases, magnitudes, embeddings and saved modules");
  }
  const auto ref = names_->ref_of(name->weight);
  const bool is_linear = ref && !ref->is_bias && ref->spec->is_matrix() && ref->kind() != TensorKind::embeddings &&
                         ref->kind() != TensorKind::layer_embeddings && !ref->has_all_experts();
  const WeightMatrix* matrix = is_linear ? matrix_of(model_.weights, *ref) : nullptr;
  if (!matrix) return refused(info, "the model has no such linear layer");
  if (info.quantized() || (info.dtype != Dtype::f32 && info.dtype != Dtype::f16 && info.dtype != Dtype::bf16)) {
    return refused(info, "an adapter must be F32, F16 or BF16");
  }
  std::string module = name->weight.substr(0, name->weight.rfind('.'));
  return Place{.name = info.name, .ref = *ref, .matrix = matrix, .module = std::move(module), .is_up = name->is_up};
}

Status AdapterSink::check_shape(const TensorInfo& info, const Place& place) {
  const auto wrong = [&info](const std::vector<uint64_t>& expected) {
    return tensor_error(Code::format, Reason::mismatch, info, "shape {}, but expected {}", shape_text(info.shape),
                        shape_text(expected));
  };
  decoder::LowRank& part = adapter_->part_of(place.matrix);
  WeightMatrix& own = place.is_up ? part.b : part.a;
  if (rows_of(own) != 0) return tensor_error(Code::format, Reason::duplicate, info, "a second tensor for this layer");
  const size_t rank_at = place.is_up ? 1 : 0;
  const uint64_t rank = info.shape.size() == 2 ? info.shape[rank_at] : 0;
  const uint64_t expected_rank = config_ ? config_->rank_of(place.module) : std::max<uint64_t>(rank, 1);
  const std::vector<uint64_t> expected = place.is_up ? std::vector<uint64_t>{rows_of(*place.matrix), expected_rank}
                                                     : std::vector<uint64_t>{expected_rank, cols_of(*place.matrix)};
  if (info.shape != expected) return wrong(expected);
  QUINTET_TRY(decoder::MatrixForm form, decoder::matrix_form(info, std::nullopt));
  own = std::move(form.matrix);
  part.scale = static_cast<float>(config_        ? config_->scale_of(place.module)
                                  : *alpha_ == 0 ? 1
                                                 : *alpha_ / static_cast<double>(rank));
  return {};
}

// Checks that each A has a B of its rank.
Status AdapterSink::complete() {
  if (places_.empty()) return fail(Code::format, Reason::missing, "the adapter has no tensors");
  for (const Place& place : places_) {
    const decoder::LowRank& part = adapter_->part_of(place.matrix);
    if (rows_of(part.a) != 0 && rows_of(part.b) != 0 && cols_of(part.b) == part.rank()) continue;
    return fail(Code::format, Reason::mismatch, "{} has no counterpart of its rank", place.name);
  }
  return {};
}

Result<std::unique_ptr<ByteSink>> AdapterSink::tensor(const TensorArrival& tensor) {
  const Place& place = *std::ranges::find(places_, tensor.info.name, &Place::name);
  decoder::LowRank& part = adapter_->part_of(place.matrix);
  WeightMatrix& own = place.is_up ? part.b : part.a;
  QUINTET_TRY(decoder::MatrixForm form, decoder::matrix_form(tensor.info, std::nullopt));
  QUINTET_TRY(auto sink, decoder::matrix_sink(tensor, std::move(form), own));
  if (!place.is_up) return sink;
  // The rows of B are those of the model's matrix. PEFT never writes columns in their place.
  decoder::TensorOrder order = names_->order_of(place.ref, model_.config);
  order.is_transposed = false;
  return order_sink(tensor.info, order, std::move(sink));
}

Result<std::shared_ptr<const decoder::Adapter>> AdapterSink::finish() {
  QUINTET_CHECK(adapter_->check_finite());
  return std::move(adapter_);
}

}  // namespace quintet
