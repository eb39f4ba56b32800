#include "architectures/decoder/tensor_check.h"

#include <algorithm>
#include <string>
#include <utility>

#include "architectures/decoder/families.h"
#include "architectures/transformer/placed_tensors.h"
#include "architectures/transformer/traits.h"

namespace quintet {
namespace {

using decoder::Naming;
using decoder::TensorKind;
using decoder::TensorRef;
using Module = transformer::PlacedModule;
using Modules = transformer::PlacedModules;

class Checker {
 public:
  Checker(DecoderConfig& config, const decoder::TensorNames& names) : config_(config), names_(names) {}

  Status check(const std::vector<TensorInfo>& tensors) {
    if (int{config_.has_convolutions()} + int{config_.has_mamba()} + int{config_.has_delta_net()} > 1) {
      return unsupported_error("recurrent layers of more than one kind");
    }
    QUINTET_CHECK(place(tensors));
    infer_naming();
    QUINTET_CHECK(require(placed_.shared, 0, TensorKind::embeddings));
    if (config_.has_position_embeddings) QUINTET_CHECK(require(placed_.shared, 0, TensorKind::position_embeddings));
    QUINTET_CHECK(infer_feed_forward());
    QUINTET_CHECK(check_layer_inputs());
    if (config_.block.has_altup) {
      QUINTET_CHECK(require_all(placed_.shared, 0, TensorKind::altup_projection_1, TensorKind::altup_unembedding_3));
    }
    for (uint64_t layer = 0; layer < config_.n_layers; ++layer) QUINTET_CHECK(check_layer(layer));
    QUINTET_CHECK(require(placed_.shared, 0, TensorKind::final_norm));
    QUINTET_CHECK(check_rope_factors());
    return check_output();
  }

 private:
  // Layers that the tensors cannot fill are empty, so that a wrong count in a file allocates nothing.
  Status place(const std::vector<TensorInfo>& tensors) {
    placed_.layers.resize(static_cast<size_t>(std::min<uint64_t>(config_.n_layers, tensors.size())));
    for (const TensorInfo& info : tensors) {
      const auto ref = names_.ref_of(info.name);
      if (!ref || (ref->in_layer() && ref->layer >= placed_.layers.size())) continue;
      if (ref->expert && *ref->expert >= config_.n_experts) return transformer::unknown_expert(info, config_.n_experts);
      QUINTET_CHECK(placed_.of(*ref).place(info, *ref));
    }
    return {};
  }

  // Decided by the family or, where it shares names with others, by the names of the tensors, as in Hugging Face
  // checkpoints. Tensors with another family's names are wired like that family's.
  void infer_naming() {
    const decoder::Family* family = names_.family();
    if (family && decoder::needs_family(family->naming)) {
      naming_ = family->naming;
      return;
    }
    const Module& up = placed_.layer(0)[TensorKind::up];
    if (placed_.layer(0)[TensorKind::gate_up].weight) {
      naming_ = Naming::phi3;
    } else if (up.weight && up.spec->is_of(Naming::phi2)) {
      naming_ = Naming::phi2;
    }
    if (family && family->naming == naming_) return;
    config_.block = {.is_gated = naming_ != Naming::phi2, .is_parallel = naming_ == Naming::phi2};
  }

  // From the first layer's projection back to the residual stream, whose columns are the hidden part of the MLP.
  Status infer_feed_forward() {
    uint64_t first = 0;
    while (first < placed_.layers.size() && config_.mlp_of(static_cast<size_t>(first)) == Mlp::none) ++first;
    if (config_.n_ff != 0 || config_.has_experts(first) || first == config_.n_layers) return {};
    const Module& module_down = placed_.layer(first)[TensorKind::down];
    const TensorInfo* down = module_down.weight;
    if (!down) return missing(TensorKind::down, first, false);
    const bool is_transposed = names_.order_of({.spec = module_down.spec}, config_).is_transposed;
    const uint64_t width = down->shape.size() == 2 ? down->shape[is_transposed ? 0 : 1] : 0;
    if (width == 0 || width > kMaxWidth) {
      return tensor_error(Code::format, Reason::mismatch, *down, "shape {}, not a matrix with a feed-forward width",
                          shape_text(down->shape));
    }
    config_.n_ff = width;
    return {};
  }

  Status check_layer(uint64_t index) const {
    const Modules& modules = placed_.layer(index);
    QUINTET_CHECK(check_mixer(modules, index));
    QUINTET_CHECK(check_norms(modules, index));
    if (config_.layer_input_width != 0) {
      for (const TensorKind kind :
           {TensorKind::layer_input_gate, TensorKind::layer_input_projection, TensorKind::layer_input_norm}) {
        QUINTET_CHECK(require(modules, index, kind));
      }
    }
    QUINTET_CHECK(check_present(modules, index, TensorKind::layer_scale));
    if (config_.block.has_altup) {
      QUINTET_CHECK(require_all(modules, index, TensorKind::altup_router_norm, TensorKind::laurel_norm));
    }
    const Mlp mlp = config_.mlp_of(static_cast<size_t>(index));
    if (mlp == Mlp::none) return {};
    if (config_.has_xielu) QUINTET_CHECK(check_xielu(modules, index));
    return mlp == Mlp::experts ? check_experts(modules, index) : check_mlp(modules, index);
  }

  Status check_mixer(const Modules& modules, uint64_t index) const {
    switch (config_.mixer_of(static_cast<size_t>(index))) {
      case Mixer::none:
        return {};
      case Mixer::attention:
        return check_attention(modules, index);
      case Mixer::convolution:
        return check_convolution(modules, index);
      case Mixer::delta_net:
        return check_delta_net(modules, index);
      case Mixer::mamba:
        return check_mamba(modules, index);
      case Mixer::attention_and_mamba:
        QUINTET_CHECK(check_mamba(modules, index));
        return check_attention(modules, index);
    }
    return {};
  }

  Status check_convolution(const Modules& modules, uint64_t index) const {
    for (const TensorKind kind :
         {TensorKind::convolution_input, TensorKind::convolution_kernel, TensorKind::convolution_output}) {
      if (!decoder::spec_of(kind, naming_)) {
        return unsupported_error("short convolutions are only supported in models of the architecture lfm2");
      }
      QUINTET_CHECK(require(modules, index, kind));
    }
    return {};
  }

  Status check_layer_inputs() const {
    if (config_.layer_input_width == 0) return {};
    for (const TensorKind kind :
         {TensorKind::layer_embeddings, TensorKind::layer_embeddings_projection, TensorKind::layer_embeddings_norm}) {
      QUINTET_CHECK(require(placed_.shared, 0, kind));
    }
    return {};
  }

  Status check_mamba(const Modules& modules, uint64_t index) const {
    for (const TensorKind kind : {TensorKind::mamba_input, TensorKind::mamba_convolution, TensorKind::mamba_rates,
                                  TensorKind::mamba_time_bias, TensorKind::mamba_skip, TensorKind::mamba_output}) {
      QUINTET_CHECK(require(modules, index, kind));
    }
    // Falcon-H1 has the norm in some models.
    return naming_ == Naming::falcon_h1 ? check_present(modules, index, TensorKind::mamba_norm)
                                        : require(modules, index, TensorKind::mamba_norm);
  }

  Status check_delta_net(const Modules& modules, uint64_t index) const {
    for (const TensorKind kind : {TensorKind::delta_input, TensorKind::delta_gate, TensorKind::delta_strength,
                                  TensorKind::delta_time_step, TensorKind::delta_convolution, TensorKind::delta_rates,
                                  TensorKind::delta_time_bias, TensorKind::delta_norm, TensorKind::delta_output}) {
      QUINTET_CHECK(require(modules, index, kind));
    }
    return {};
  }

  Status check_attention(const Modules& modules, uint64_t index) const {
    const bool has_whole = config_.has_own_kv(index) && config_.has_values(static_cast<size_t>(index));
    if (modules[TensorKind::qkv].weight && has_whole) {
      QUINTET_CHECK(require(modules, index, TensorKind::qkv));
    } else {
      for (const TensorKind kind : {TensorKind::query, TensorKind::key, TensorKind::value}) {
        if (kind == TensorKind::value && !config_.has_values(static_cast<size_t>(index))) continue;
        if (kind != TensorKind::query && !config_.has_own_kv(index)) continue;
        QUINTET_CHECK(require(modules, index, kind));
        const auto* family = decoder::family_of_model_type(config_.architecture);
        if (family && family->has_qkv_bias && !modules[kind].bias) return missing(kind, index, true);
      }
    }
    for (const TensorKind kind : {TensorKind::query_norm, TensorKind::key_norm}) {
      if (kind == TensorKind::key_norm && !config_.has_own_kv(index)) continue;
      const TensorInfo* norm = modules[kind].weight;
      if (config_.qk_norm != QkNorm::none) {
        QUINTET_CHECK(require(modules, index, kind));
      } else if (norm) {
        return tensor_error(Code::format, Reason::mismatch, *norm,
                            "the configuration has no norm for queries and keys");
      }
    }
    return require(modules, index, TensorKind::attention_output);
  }

  Status check_norms(const Modules& modules, uint64_t index) const {
    const BlockForm& block = config_.block;
    if (block.has_one_branch) return require(modules, index, TensorKind::input_norm);
    if (block.norms != NormPlacement::after) {
      QUINTET_CHECK(require(modules, index, TensorKind::input_norm));
      if (!block.is_parallel) QUINTET_CHECK(require(modules, index, TensorKind::mlp_norm));
      if (config_.has_parallel_residual && (block.is_parallel || block.norms != NormPlacement::before)) {
        return unsupported_error("a parallel residual needs two norms before the branches");
      }
    }
    if (block.norms == NormPlacement::before) return {};
    QUINTET_CHECK(require(modules, index, TensorKind::post_attention_norm));
    return require(modules, index, TensorKind::post_mlp_norm);
  }

  Status check_mlp(const Modules& modules, uint64_t index) const {
    if (modules[TensorKind::gate_up].weight || naming_ == Naming::phi3) {
      QUINTET_CHECK(require(modules, index, TensorKind::gate_up));
    } else {
      if (config_.block.is_gated) QUINTET_CHECK(require(modules, index, TensorKind::gate));
      QUINTET_CHECK(require(modules, index, TensorKind::up));
    }
    return require(modules, index, TensorKind::down);
  }

  // The parameters are in the configuration or in tensors, two of which have defaults.
  Status check_xielu(const Modules& modules, uint64_t index) const {
    if (config_.block.is_gated || config_.has_experts(index)) {
      return unsupported_error("xIELU is only supported in an MLP that is not gated");
    }
    if (!config_.xielu.empty()) return {};
    QUINTET_CHECK(require(modules, index, TensorKind::xielu_positive));
    QUINTET_CHECK(require(modules, index, TensorKind::xielu_negative));
    QUINTET_CHECK(check_present(modules, index, TensorKind::xielu_beta));
    return check_present(modules, index, TensorKind::xielu_eps);
  }

  Status check_experts(const Modules& modules, uint64_t index) const {
    QUINTET_CHECK(require(modules, index, TensorKind::router));
    QUINTET_CHECK(check_present(modules, index, TensorKind::router_bias));
    if (has_experts(modules, TensorKind::expert_gate_up)) {
      QUINTET_CHECK(require_experts(modules, index, TensorKind::expert_gate_up));
    } else {
      QUINTET_CHECK(require_experts(modules, index, TensorKind::expert_gate));
      QUINTET_CHECK(require_experts(modules, index, TensorKind::expert_up));
    }
    QUINTET_CHECK(require_experts(modules, index, TensorKind::expert_down));
    if (config_.block.has_mlp_beside_experts) return check_mlp(modules, index);
    return config_.shared_ff == 0 ? Status() : check_shared_expert(modules, index);
  }

  Status check_shared_expert(const Modules& modules, uint64_t index) const {
    if (config_.block.has_gated_shared_expert) QUINTET_CHECK(require(modules, index, TensorKind::shared_router));
    if (modules[TensorKind::shared_gate_up].weight) {
      QUINTET_CHECK(require(modules, index, TensorKind::shared_gate_up));
    } else {
      QUINTET_CHECK(require(modules, index, TensorKind::shared_gate));
      QUINTET_CHECK(require(modules, index, TensorKind::shared_up));
    }
    return require(modules, index, TensorKind::shared_down);
  }

  static bool has_experts(const Modules& modules, TensorKind kind) {
    return modules[kind].weight || modules.of_expert(0, kind);
  }

  // One tensor of all experts, or one of each.
  Status require_experts(const Modules& modules, uint64_t index, TensorKind kind) const {
    if (modules[kind].weight) return check_present(modules, index, kind);
    TensorRef ref = {.spec = decoder::spec_of(kind, naming_), .layer = static_cast<uint32_t>(index)};
    for (uint32_t expert = 0; expert < config_.n_experts; ++expert) {
      ref.expert = expert;
      const TensorInfo* info = modules.of_expert(expert, kind);
      if (!info) return missing(ref);
      QUINTET_CHECK(expect(*info, ref));
    }
    return {};
  }

  // Factors of longrope are in the configuration or in tensors.
  Status check_rope_factors() const {
    QUINTET_CHECK(check_present(placed_.shared, 0, TensorKind::rope_freq_factors));
    if (!config_.long_rope) return {};
    const LongRope& rope = *config_.long_rope;
    QUINTET_CHECK(check_long_rope(rope.long_factors, TensorKind::rope_long_factors));
    return check_long_rope(rope.short_factors, TensorKind::rope_short_factors);
  }

  Status check_long_rope(const std::vector<double>& factors, TensorKind kind) const {
    if (factors.empty()) return require(placed_.shared, 0, kind);
    const uint64_t pairs = config_.rope_dim / 2;
    if (factors.size() == pairs) return {};
    return fail(Code::format, Reason::mismatch, "{} factors of longrope, expected {}", factors.size(), pairs);
  }

  // The output matrix of a tied model is ignored, if there is one.
  Status check_output() {
    const Module& output = placed_.shared[TensorKind::output];
    if (!config_.tie_embeddings) config_.tie_embeddings = output.weight == nullptr;
    if (!*config_.tie_embeddings) return require(placed_.shared, 0, TensorKind::output);
    if (!output.bias) return {};
    return expect(*output.bias, {.spec = decoder::spec_of(TensorKind::output, naming_), .is_bias = true});
  }

  Status require(const Modules& modules, uint64_t index, TensorKind kind) const {
    if (!modules[kind].weight) return missing(kind, index, false);
    return check_present(modules, index, kind);
  }

  Status require_all(const Modules& modules, uint64_t index, TensorKind first, TensorKind last) const {
    for (auto kind = static_cast<size_t>(first); kind <= static_cast<size_t>(last); ++kind) {
      QUINTET_CHECK(require(modules, index, static_cast<TensorKind>(kind)));
    }
    return {};
  }

  // A norm with a bias is a LayerNorm, one without is an RMSNorm. Any linear layer may have a bias.
  Status check_present(const Modules& modules, uint64_t index, TensorKind kind) const {
    const Module& found = modules[kind];
    const auto layer = static_cast<uint32_t>(index);
    if (found.weight) QUINTET_CHECK(expect(*found.weight, {.spec = found.spec, .layer = layer}));
    if (!found.bias || !found.spec) return {};
    return expect(*found.bias, {.spec = found.spec, .layer = layer, .is_bias = true});
  }

  Status expect(const TensorInfo& info, const TensorRef& ref) const {
    std::vector<uint64_t> shape = decoder::shape_of(ref, config_);
    if (names_.order_of(ref, config_).is_transposed) std::ranges::reverse(shape);
    if (info.shape == shape || is_reshaped(info, ref, shape)) return {};
    return tensor_error(Code::format, Reason::mismatch, info, "shape {}, expected {}{}", shape_text(info.shape),
                        shape_text(shape), by_keys(ref));
  }

  // Whether only the dimensions differ, not the values: PyTorch stores the kernels of a depthwise convolution as
  // [channels, 1, length], and GGUF a matrix of one row as a vector.
  static bool is_reshaped(const TensorInfo& info, const TensorRef& ref, const std::vector<uint64_t>& shape) {
    if (ref.spec->rows == decoder::Dim::one && shape.size() == 1) return info.shape.empty();
    if (ref.is_bias) return false;
    // GGUF has a row of A, of D and of the norm for each head or group of Mamba-2.
    if (is_parameter(ref.kind()) || ref.kind() == TensorKind::mamba_norm) {
      return info.shape.size() == 2 && info.shape[1] != 0 && shape.front() % info.shape[1] == 0 &&
             info.shape[0] == shape.front() / info.shape[1];
    }
    if (shape.size() != 2) return false;
    if (ref.kind() == TensorKind::shared_router) return info.shape == std::vector<uint64_t>{shape.back()};
    return ref.spec->is_kernel() && info.shape == std::vector<uint64_t>{shape.front(), 1, shape.back()};
  }

  // " from vocab_size and hidden_size": the keys of the file that determine the shape.
  std::string by_keys(const TensorRef& ref) const {
    const transformer::TraitKeys keys = transformer::TraitKeys::of_decoders(names_.format());
    std::string text;
    decoder::SizeKey last = nullptr;
    for (const decoder::Dim dim : {ref.spec->rows, ref.is_bias ? decoder::Dim::none : ref.spec->cols}) {
      for (const decoder::SizeKey key : decoder::keys_of(dim)) {
        if (!key || key == last || keys[key].empty()) continue;
        text += text.empty() ? " from " : " and ";
        if (names_.format() == Format::gguf) text += formatted("{}.", names_.family()->gguf);
        text += keys[key];
        last = key;
      }
    }
    return text;
  }

  Failure missing(TensorKind kind, uint64_t index, bool is_bias) const {
    return missing(
        {.spec = decoder::spec_of(kind, naming_), .layer = static_cast<uint32_t>(index), .is_bias = is_bias});
  }

  // A configuration can require tensors that its family has no names for.
  Failure missing(const TensorRef& ref) const {
    if (!ref.spec) {
      return unsupported_error("the configuration has a part that models of the architecture {} do not have",
                               config_.architecture);
    }
    return missing_tensor(names_.name_of(ref), "a tensor that the decoder needs is missing");
  }

  DecoderConfig& config_;
  const decoder::TensorNames& names_;
  Naming naming_ = Naming::llama;
  transformer::PlacedTensors placed_;
};

}  // namespace

Status check_decoder_tensors(DecoderConfig& config, const decoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors) {
  return Checker(config, names).check(tensors);
}

}  // namespace quintet
