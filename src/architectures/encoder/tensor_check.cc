#include "architectures/encoder/tensor_check.h"

#include <algorithm>
#include <string>

#include "architectures/transformer/placed_tensors.h"
#include "formats/embd/tensor_index.h"

namespace quintet {
namespace {

using encoder::Dim;
using encoder::TensorKind;
using encoder::TensorRef;
using Module = transformer::PlacedModule;
using Modules = transformer::PlacedModules;

class Checker {
 public:
  Checker(const EncoderConfig& config, const encoder::TensorNames& names, const std::vector<TensorInfo>& tensors)
      : config_(config), names_(names), tensors_(tensors), lookup_(tensors) {}

  Status check() {
    const std::string layers = formatted("{} is {}", names_.keys()[&EncoderConfig::n_layers], config_.n_layers);
    if (config_.n_layers > encoder::kMaxLayers) {
      return unsupported_error("{}, at most {} are supported", layers, encoder::kMaxLayers);
    }
    QUINTET_CHECK(place());
    QUINTET_CHECK(check_embeddings());
    for (layer_ = 0; layer_ < config_.n_layers; ++layer_) QUINTET_CHECK(check_layer(layer_));
    if (config_.has_pre_norm()) QUINTET_CHECK(require(placed_.shared, TensorKind::final_norm));
    if (config_.head) QUINTET_CHECK(check_head());
    if (config_.has_mlm_head) QUINTET_CHECK(check_mlm_head());
    if (config_.output_width != 0) QUINTET_CHECK(require(placed_.shared, TensorKind::output_projection));
    return surplus_ ? tensor_error(Code::format, Reason::mismatch, *surplus_, "a layer beyond the last: {}", layers)
                    : Status();
  }

 private:
  Status place() {
    placed_.layers.resize(static_cast<size_t>(config_.n_layers));
    for (const TensorInfo& info : tensors_) {
      const auto ref = names_.ref_of(info, config_);
      if (!ref) continue;
      if (ref->in_layer() && ref->layer >= config_.n_layers) {
        if (!surplus_) surplus_ = &info;
        continue;
      }
      QUINTET_CHECK(placed_.of(*ref).place(info, *ref));
    }
    return {};
  }

  Status check_embeddings() const {
    QUINTET_CHECK(require(placed_.shared, TensorKind::embeddings));
    if (config_.has_position_embeddings) QUINTET_CHECK(require(placed_.shared, TensorKind::position_embeddings));
    if (config_.has_token_types) QUINTET_CHECK(require(placed_.shared, TensorKind::token_type_embeddings));
    if (config_.distance_buckets != 0) QUINTET_CHECK(require(placed_.shared, TensorKind::distance_bias));
    if (config_.layer_input_width != 0) {
      QUINTET_CHECK(require(placed_.shared, TensorKind::layer_embeddings_projection));
      QUINTET_CHECK(require(placed_.shared, TensorKind::layer_embeddings_norm));
    }
    if (config_.relative_buckets != 0) {
      QUINTET_CHECK(require(placed_.shared, TensorKind::relative_embeddings));
      QUINTET_CHECK(require(placed_.shared, TensorKind::relative_norm));
    }
    if (config_.embedding_width != config_.n_embd)
      QUINTET_CHECK(require(placed_.shared, TensorKind::embeddings_projection));
    return has_embeddings_norm() ? require(placed_.shared, TensorKind::embeddings_norm) : Status();
  }
  bool has_embeddings_norm() const { return names_.spec_of(TensorKind::embeddings_norm) != nullptr; }

  // The first layer of a network with norms before the branches may get the norm of the embeddings.
  Status check_layer(uint32_t layer) const {
    const Modules& modules = placed_.layers[layer];
    QUINTET_CHECK(check_mixer(modules, layer));
    QUINTET_CHECK(config_.has_experts(layer) ? check_experts(modules, layer) : check_mlp(modules, layer));
    if (config_.layer_input_width != 0) QUINTET_CHECK(check_layer_input(modules, layer));
    if (!config_.has_pre_norm()) {
      QUINTET_CHECK(require(modules, TensorKind::attention_norm, layer));
      QUINTET_CHECK(check_shapes(modules, TensorKind::second_attention_norm));
      return require(modules, TensorKind::output_norm, layer);
    }
    if (layer != 0 || !has_embeddings_norm()) QUINTET_CHECK(require(modules, TensorKind::input_norm, layer));
    QUINTET_CHECK(check_shapes(modules, TensorKind::input_norm));
    if (config_.has_branch_norms()) {
      QUINTET_CHECK(require(modules, TensorKind::attention_norm, layer));
      QUINTET_CHECK(require(modules, TensorKind::output_norm, layer));
    }
    return require(modules, TensorKind::mlp_norm, layer);
  }

  // llama.cpp computes a head of the last layer alone, as its converter leaves it of some models.
  Status check_head() const {
    // Bidirectional decoders differ in the token that they pool.
    const bool is_bidirectional_decoder = names_.family().has_head_sizes && !config_.is_causal;
    if (!names_.spec_of(TensorKind::classifier) || is_bidirectional_decoder) {
      return unsupported_error("rerankers and classifiers of the family {} are not supported", names_.family().title);
    }
    for (const TensorKind kind : {TensorKind::head_dense, TensorKind::head_norm}) {
      const bool is_needed =
          config_.head->has_dense && names_.spec_of(kind) && (!names_.is_gguf() || placed_.shared[kind].weight);
      if (is_needed) QUINTET_CHECK(require(placed_.shared, kind));
    }
    return require(placed_.shared, TensorKind::classifier);
  }

  Status check_mlm_head() const {
    for (const TensorKind kind : {TensorKind::mlm_dense, TensorKind::mlm_norm, TensorKind::mlm_output}) {
      if (!names_.spec_of(kind)) {
        return unsupported_error("a head for masked tokens of the family {} is not supported", names_.family().title);
      }
      if (kind != TensorKind::mlm_output) QUINTET_CHECK(require(placed_.shared, kind));
    }
    const Module& output = placed_.shared[TensorKind::mlm_output];
    return output.bias ? check_shapes(placed_.shared, TensorKind::mlm_output)
                       : missing(TensorKind::mlm_output, 0, true);
  }

  Status check_mixer(const Modules& modules, uint32_t layer) const {
    if (config_.has_attention(layer)) return check_attention(modules, layer);
    for (const TensorKind kind :
         {TensorKind::convolution_input, TensorKind::convolution_kernel, TensorKind::convolution_output}) {
      QUINTET_CHECK(require(modules, kind, layer));
    }
    return {};
  }

  Status check_attention(const Modules& modules, uint32_t layer) const {
    if (names_.spec_of(TensorKind::qkv) && (modules[TensorKind::qkv].weight || !names_.spec_of(TensorKind::query))) {
      QUINTET_CHECK(require(modules, TensorKind::qkv, layer));
    } else {
      for (const TensorKind kind : {TensorKind::query, TensorKind::key, TensorKind::value})
        QUINTET_CHECK(require(modules, kind, layer));
    }
    // Some files of JinaBERT have none; decoders need them.
    const bool has_norms = config_.qk_norm != QkNorm::none || modules[TensorKind::query_norm].weight ||
                           modules[TensorKind::key_norm].weight;
    if (has_norms) {
      QUINTET_CHECK(require(modules, TensorKind::query_norm, layer));
      QUINTET_CHECK(require(modules, TensorKind::key_norm, layer));
    }
    return require(modules, TensorKind::attention_output, layer);
  }

  // A bias of their sum may be missing, as llama.cpp leaves it out.
  Status check_experts(const Modules& modules, uint32_t layer) const {
    for (const TensorKind kind : {TensorKind::router, TensorKind::expert_up, TensorKind::expert_down}) {
      QUINTET_CHECK(require(modules, kind, layer));
    }
    return check_shapes(modules, TensorKind::experts_bias);
  }

  Status check_layer_input(const Modules& modules, uint32_t layer) const {
    for (const TensorKind kind : {TensorKind::layer_input_gate, TensorKind::layer_input_projection,
                                  TensorKind::layer_input_norm, TensorKind::layer_scale}) {
      QUINTET_CHECK(require(modules, kind, layer));
    }
    return {};
  }

  Status check_mlp(const Modules& modules, uint32_t layer) const {
    QUINTET_CHECK(require(modules, TensorKind::down, layer));
    if (!config_.block.is_gated) return require(modules, TensorKind::up, layer);
    for (const TensorKind fused : {TensorKind::gate_up, TensorKind::up_gate}) {
      const bool is_only_one = names_.spec_of(fused) && !names_.spec_of(TensorKind::gate);
      if (is_only_one || modules[fused].weight) return require(modules, fused, layer);
    }
    QUINTET_CHECK(require(modules, TensorKind::gate, layer));
    return require(modules, TensorKind::up, layer);
  }

  Status require(const Modules& modules, TensorKind kind, uint32_t layer = 0) const {
    const Module& found = modules[kind];
    if (!found.weight) return missing(kind, layer, false);
    const bool needs_bias = names_.family().has_biases && found.spec->rows != Dim::any && has_bias(kind);
    if (needs_bias && !found.bias) return missing(kind, layer, true);
    return check_shapes(modules, kind);
  }

  // Tables have none, nor has the layer of ColBERT.
  static bool has_bias(TensorKind kind) {
    return kind != TensorKind::embeddings && kind != TensorKind::position_embeddings &&
           kind != TensorKind::distance_bias && kind != TensorKind::relative_embeddings &&
           kind != TensorKind::output_projection;
  }

  Status check_shapes(const Modules& modules, TensorKind kind) const {
    const Module& found = modules[kind];
    if (found.weight) QUINTET_CHECK(check_shape(*found.weight, {.spec = found.spec, .layer = layer_}));
    return found.bias ? check_shape(*found.bias, {.spec = found.spec, .is_bias = true}) : Status();
  }

  Status check_shape(const TensorInfo& info, const TensorRef& ref) const {
    std::vector<uint64_t> shape = encoder::shape_of(ref, config_);
    if (ref.spec->rows == Dim::any && !info.shape.empty()) shape[0] = info.shape[0];
    // The shape that PyTorch gives the kernels of a depthwise convolution.
    if (ref.spec->is_kernel() && info.shape.size() == 3) shape.insert(shape.begin() + 1, 1);
    if (info.shape == shape) return check_type(info, ref);
    return tensor_error(Code::format, Reason::mismatch, info, "shape {}, expected {} from {}", shape_text(info.shape),
                        shape_text(shape), keys(ref));
  }

  // "vocab_size and hidden_size".
  std::string keys(const TensorRef& ref) const {
    const std::string_view rows = encoder::key_of(ref.spec->rows, names_.keys());
    const std::string_view cols = ref.is_bias ? std::string_view() : encoder::key_of(ref.spec->cols, names_.keys());
    std::string text(rows);
    if (cols.empty() || cols == rows) return text;
    return text.append(rows.empty() ? "" : " and ").append(cols);
  }

  // Vectors and tables of positions are floats; matrices may be quantized: int8 of .weights has its scales in separate
  // tensors, blocks of GGUF are widened.
  Status check_type(const TensorInfo& info, const TensorRef& ref) const {
    const Dtype type = info.dtype;
    if (info.quantized()) return {};
    if (type == Dtype::f32 || type == Dtype::f16 || type == Dtype::bf16) return {};
    if (type == Dtype::i8 && !ref.is_bias && info.shape.size() == 2) {
      const std::string scales = embd::scale_name(info.name);
      if (lookup_.find(scales)) return {};
      return missing_tensor(scales, "the scales of an int8 matrix are missing");
    }
    return tensor_error(Code::unsupported, Reason::unknown_value, info,
                        "weights of type {}; supported are F32, F16, BF16 and I8 matrices with scales", name_of(type));
  }

  Failure missing(TensorKind kind, uint32_t layer, bool is_bias) const {
    return missing_tensor(names_.name_of(*names_.spec_of(kind), layer, is_bias),
                          "a tensor that the encoder needs is missing");
  }

  const EncoderConfig& config_;
  const encoder::TensorNames& names_;
  const std::vector<TensorInfo>& tensors_;
  TensorLookup lookup_;
  transformer::PlacedTensors placed_;
  uint32_t layer_ = 0;                   // that is checked
  const TensorInfo* surplus_ = nullptr;  // the first tensor of a layer beyond the last
};

}  // namespace

Status check_encoder_tensors(const EncoderConfig& config, const encoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors) {
  return Checker(config, names, tensors).check();
}

}  // namespace quintet
