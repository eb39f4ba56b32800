#include "architectures/decoder/tensor_check.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "architectures/decoder/families.h"
#include "architectures/decoder/traits.h"

namespace quintet {
namespace {

using decoder::Naming;
using decoder::Part;
using decoder::PartRow;
using decoder::Role;

// The tensors of a layer, or those outside of the layers, by role.
struct Module {
  const TensorInfo* weight = nullptr;
  const TensorInfo* bias = nullptr;
  const PartRow* row = nullptr;  // of the weight
};
struct Modules : std::array<Module, decoder::kParts> {
  // The tensors of experts that have their own: by number, then by part.
  std::map<uint32_t, std::array<const TensorInfo*, decoder::kExpertParts>> experts;
};

class Checker {
 public:
  Checker(DecoderConfig& config, const decoder::TensorNames& names) : config_(config), names_(names) {}

  Status check(const std::vector<TensorInfo>& tensors) {
    if (int{config_.has_convolutions()} + int{config_.has_mamba()} + int{config_.has_delta_net()} > 1) {
      return unsupported_error("recurrent layers of more than one kind");
    }
    QUINTET_CHECK(place(tensors));
    infer_naming();
    QUINTET_CHECK(require(around_, 0, Part::embeddings));
    if (config_.has_position_embeddings) QUINTET_CHECK(require(around_, 0, Part::position_embeddings));
    QUINTET_CHECK(infer_feed_forward());
    QUINTET_CHECK(check_layer_inputs());
    for (uint64_t layer = 0; layer < config_.n_layers; ++layer) QUINTET_CHECK(check_layer(layer));
    QUINTET_CHECK(require(around_, 0, Part::final_norm));
    QUINTET_CHECK(check_rope_factors());
    return check_output();
  }

 private:
  // Layers that the tensors cannot fill are empty, so that a wrong count in a file allocates nothing.
  Status place(const std::vector<TensorInfo>& tensors) {
    layers_.resize(static_cast<size_t>(std::min<uint64_t>(config_.n_layers, tensors.size())));
    for (const TensorInfo& info : tensors) {
      const auto role = names_.role_of(info.name);
      if (!role || (role->in_layer() && role->layer >= layers_.size())) continue;
      Modules& modules = role->in_layer() ? layers_[role->layer] : around_;
      Module& module = modules[static_cast<size_t>(role->part())];
      if (role->expert && *role->expert >= config_.n_experts) return decoder::unknown_expert(info, config_.n_experts);
      const TensorInfo*& slot = role->expert    ? modules.experts[*role->expert][decoder::expert_index(role->part())]
                                : role->is_bias ? module.bias
                                                : module.weight;
      if (slot) {
        return tensor_error(Code::format, Reason::duplicate, info, "the same part of the model as " + slot->name);
      }
      slot = &info;
      if (!role->is_bias) module.row = role->row;
    }
    return {};
  }

  const Modules& layer(uint64_t index) const {
    static const Modules kNone;
    return index < layers_.size() ? layers_[static_cast<size_t>(index)] : kNone;
  }

  static const Module& module(const Modules& modules, Part part) { return modules[static_cast<size_t>(part)]; }

  // By the family or, where its names are not its own, by what the tensors are called, as in Hugging Face checkpoints.
  // Tensors that are called as another family's are wired as that family's.
  void infer_naming() {
    const decoder::Family* family = names_.family();
    if (family && decoder::needs_family(family->naming)) {
      naming_ = family->naming;
      return;
    }
    const Module& up = module(layer(0), Part::up);
    if (module(layer(0), Part::gate_up).weight) {
      naming_ = Naming::phi3;
    } else if (up.weight && up.row->is_of(Naming::phi2)) {
      naming_ = Naming::phi2;
    }
    if (family && family->naming == naming_) return;
    config_.block = {.is_gated = naming_ != Naming::phi2, .is_parallel = naming_ == Naming::phi2};
  }

  // From the first layer's projection back to the residual stream, whose columns are the hidden part of the MLP.
  Status infer_feed_forward() {
    uint64_t first = 0;
    while (first < layers_.size() && config_.mlp_of(static_cast<size_t>(first)) == Mlp::none) ++first;
    if (config_.n_ff != 0 || config_.has_experts(first) || first == config_.n_layers) return {};
    const Module& module_down = module(layer(first), Part::down);
    const TensorInfo* down = module_down.weight;
    if (!down) return missing(Part::down, first, false);
    const bool is_transposed = names_.order_of({.row = module_down.row}, config_).is_transposed;
    const uint64_t width = down->shape.size() == 2 ? down->shape[is_transposed ? 0 : 1] : 0;
    if (width == 0 || width > kMaxWidth) {
      return tensor_error(Code::format, Reason::mismatch, *down,
                          "shape " + shape_text(down->shape) + ", not a matrix with a feed-forward width");
    }
    config_.n_ff = width;
    return {};
  }

  Status check_layer(uint64_t index) const {
    const Modules& modules = layer(index);
    QUINTET_CHECK(check_mixer(modules, index));
    QUINTET_CHECK(check_norms(modules, index));
    if (config_.layer_input_width != 0) {
      for (const Part part : {Part::layer_input_gate, Part::layer_input_projection, Part::layer_input_norm}) {
        QUINTET_CHECK(require(modules, index, part));
      }
    }
    QUINTET_CHECK(check_present(modules, index, Part::layer_scale));
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
    for (const Part part : {Part::convolution_input, Part::convolution_kernel, Part::convolution_output}) {
      if (!decoder::row_of(part, naming_)) {
        return unsupported_error("short convolutions are only supported in models of the architecture lfm2");
      }
      QUINTET_CHECK(require(modules, index, part));
    }
    return {};
  }

  Status check_layer_inputs() const {
    if (config_.layer_input_width == 0) return {};
    for (const Part part : {Part::layer_embeddings, Part::layer_embeddings_projection, Part::layer_embeddings_norm}) {
      QUINTET_CHECK(require(around_, 0, part));
    }
    return {};
  }

  Status check_mamba(const Modules& modules, uint64_t index) const {
    for (const Part part : {Part::mamba_input, Part::mamba_convolution, Part::mamba_rates, Part::mamba_time_bias,
                            Part::mamba_skip, Part::mamba_output}) {
      QUINTET_CHECK(require(modules, index, part));
    }
    // Falcon-H1 has the norm in some models.
    return naming_ == Naming::falcon_h1 ? check_present(modules, index, Part::mamba_norm)
                                        : require(modules, index, Part::mamba_norm);
  }

  Status check_delta_net(const Modules& modules, uint64_t index) const {
    for (const Part part :
         {Part::delta_input, Part::delta_gate, Part::delta_strength, Part::delta_time_step, Part::delta_convolution,
          Part::delta_rates, Part::delta_time_bias, Part::delta_norm, Part::delta_output}) {
      QUINTET_CHECK(require(modules, index, part));
    }
    return {};
  }

  Status check_attention(const Modules& modules, uint64_t index) const {
    const bool has_whole = config_.has_own_kv(index) && config_.has_values(static_cast<size_t>(index));
    if (module(modules, Part::qkv).weight && has_whole) {
      QUINTET_CHECK(require(modules, index, Part::qkv));
    } else {
      for (const Part part : {Part::query, Part::key, Part::value}) {
        if (part == Part::value && !config_.has_values(static_cast<size_t>(index))) continue;
        if (part != Part::query && !config_.has_own_kv(index)) continue;
        QUINTET_CHECK(require(modules, index, part));
        const auto* family = decoder::family_of_model_type(config_.architecture);
        if (family && family->has_qkv_bias && !module(modules, part).bias) return missing(part, index, true);
      }
    }
    for (const Part part : {Part::query_norm, Part::key_norm}) {
      if (part == Part::key_norm && !config_.has_own_kv(index)) continue;
      const TensorInfo* norm = module(modules, part).weight;
      if (config_.qk_norm != QkNorm::none) {
        QUINTET_CHECK(require(modules, index, part));
      } else if (norm) {
        return tensor_error(Code::format, Reason::mismatch, *norm,
                            "the configuration has no norm for queries and keys");
      }
    }
    return require(modules, index, Part::attention_output);
  }

  Status check_norms(const Modules& modules, uint64_t index) const {
    const BlockForm& block = config_.block;
    if (block.has_one_branch) return require(modules, index, Part::input_norm);
    if (block.norms != NormPlacement::after) {
      QUINTET_CHECK(require(modules, index, Part::input_norm));
      if (!block.is_parallel) QUINTET_CHECK(require(modules, index, Part::mlp_norm));
      if (config_.has_parallel_residual && (block.is_parallel || block.norms != NormPlacement::before)) {
        return unsupported_error("a parallel residual needs two norms before the branches");
      }
    }
    if (block.norms == NormPlacement::before) return {};
    QUINTET_CHECK(require(modules, index, Part::post_attention_norm));
    return require(modules, index, Part::post_mlp_norm);
  }

  Status check_mlp(const Modules& modules, uint64_t index) const {
    if (module(modules, Part::gate_up).weight || naming_ == Naming::phi3) {
      QUINTET_CHECK(require(modules, index, Part::gate_up));
    } else {
      if (config_.block.is_gated) QUINTET_CHECK(require(modules, index, Part::gate));
      QUINTET_CHECK(require(modules, index, Part::up));
    }
    return require(modules, index, Part::down);
  }

  // The parameters are in the configuration or in tensors, two of which have defaults.
  Status check_xielu(const Modules& modules, uint64_t index) const {
    if (config_.block.is_gated || config_.has_experts(index)) {
      return unsupported_error("xIELU is only supported in an MLP that is not gated");
    }
    if (!config_.xielu.empty()) return {};
    QUINTET_CHECK(require(modules, index, Part::xielu_positive));
    QUINTET_CHECK(require(modules, index, Part::xielu_negative));
    QUINTET_CHECK(check_present(modules, index, Part::xielu_beta));
    return check_present(modules, index, Part::xielu_eps);
  }

  Status check_experts(const Modules& modules, uint64_t index) const {
    QUINTET_CHECK(require(modules, index, Part::router));
    QUINTET_CHECK(check_present(modules, index, Part::router_bias));
    if (has_expert_part(modules, Part::expert_gate_up)) {
      QUINTET_CHECK(require_experts(modules, index, Part::expert_gate_up));
    } else {
      QUINTET_CHECK(require_experts(modules, index, Part::expert_gate));
      QUINTET_CHECK(require_experts(modules, index, Part::expert_up));
    }
    QUINTET_CHECK(require_experts(modules, index, Part::expert_down));
    if (config_.block.has_mlp_beside_experts) return check_mlp(modules, index);
    return config_.shared_ff == 0 ? Status() : check_shared_expert(modules, index);
  }

  Status check_shared_expert(const Modules& modules, uint64_t index) const {
    if (config_.block.has_gated_shared_expert) QUINTET_CHECK(require(modules, index, Part::shared_router));
    if (module(modules, Part::shared_gate_up).weight) {
      QUINTET_CHECK(require(modules, index, Part::shared_gate_up));
    } else {
      QUINTET_CHECK(require(modules, index, Part::shared_gate));
      QUINTET_CHECK(require(modules, index, Part::shared_up));
    }
    return require(modules, index, Part::shared_down);
  }

  static bool has_expert_part(const Modules& modules, Part part) {
    return module(modules, part).weight || expert_tensor(modules, 0, part);
  }

  static const TensorInfo* expert_tensor(const Modules& modules, uint32_t expert, Part part) {
    const auto found = modules.experts.find(expert);
    return found == modules.experts.end() ? nullptr : found->second[decoder::expert_index(part)];
  }

  // One tensor of all experts, or one of each.
  Status require_experts(const Modules& modules, uint64_t index, Part part) const {
    if (module(modules, part).weight) return check_present(modules, index, part);
    Role role = {.row = decoder::row_of(part, naming_), .layer = static_cast<uint32_t>(index)};
    for (uint32_t expert = 0; expert < config_.n_experts; ++expert) {
      role.expert = expert;
      const TensorInfo* info = expert_tensor(modules, expert, part);
      if (!info) return missing(role);
      QUINTET_CHECK(expect(*info, role));
    }
    return {};
  }

  // Those of longrope are in the configuration or in tensors.
  Status check_rope_factors() const {
    QUINTET_CHECK(check_present(around_, 0, Part::rope_freq_factors));
    if (!config_.long_rope) return {};
    const LongRope& rope = *config_.long_rope;
    QUINTET_CHECK(check_long_rope(rope.long_factors, Part::rope_long_factors));
    return check_long_rope(rope.short_factors, Part::rope_short_factors);
  }

  Status check_long_rope(const std::vector<double>& factors, Part part) const {
    if (factors.empty()) return require(around_, 0, part);
    const uint64_t pairs = config_.rope_dim / 2;
    if (factors.size() == pairs) return {};
    return fail({.code = Code::format,
                 .reason = Reason::mismatch,
                 .detail = std::to_string(factors.size()) + " factors of longrope, expected " + std::to_string(pairs)});
  }

  // The output matrix of a tied model is ignored, if there is one.
  Status check_output() {
    const Module& output = module(around_, Part::output);
    if (!config_.tie_embeddings) config_.tie_embeddings = output.weight == nullptr;
    if (!*config_.tie_embeddings) return require(around_, 0, Part::output);
    if (!output.bias) return {};
    return expect(*output.bias, {.row = decoder::row_of(Part::output, naming_), .is_bias = true});
  }

  Status require(const Modules& modules, uint64_t index, Part part) const {
    if (!module(modules, part).weight) return missing(part, index, false);
    return check_present(modules, index, part);
  }

  // A norm with a bias is a LayerNorm, one without is an RMSNorm. Any linear layer may have a bias.
  Status check_present(const Modules& modules, uint64_t index, Part part) const {
    const Module& found = module(modules, part);
    const auto layer = static_cast<uint32_t>(index);
    if (found.weight) QUINTET_CHECK(expect(*found.weight, {.row = found.row, .layer = layer}));
    if (!found.bias || !found.row) return {};
    return expect(*found.bias, {.row = found.row, .layer = layer, .is_bias = true});
  }

  Status expect(const TensorInfo& info, const Role& role) const {
    std::vector<uint64_t> shape = role.shape(config_);
    if (names_.order_of(role, config_).is_transposed) std::ranges::reverse(shape);
    if (info.shape == shape || is_reshaped(info, role, shape)) return {};
    return tensor_error(Code::format, Reason::mismatch, info,
                        "shape " + shape_text(info.shape) + ", expected " + shape_text(shape) + by_keys(role));
  }

  // Whether only the dimensions differ, not the values: PyTorch stores the kernels of a depthwise convolution as
  // [channels, 1, length], and GGUF a matrix of one row as a vector.
  static bool is_reshaped(const TensorInfo& info, const Role& role, const std::vector<uint64_t>& shape) {
    if (role.row->rows == decoder::Extent::one && shape.size() == 1) return info.shape.empty();
    if (role.is_bias) return false;
    // GGUF has a row of A, of D and of the norm for each head or group of Mamba-2.
    if (decoder::is_parameter(role.part()) || role.part() == Part::mamba_norm) {
      return info.shape.size() == 2 && info.shape[1] != 0 && shape.front() % info.shape[1] == 0 &&
             info.shape[0] == shape.front() / info.shape[1];
    }
    if (shape.size() != 2) return false;
    if (role.part() == Part::shared_router) return info.shape == std::vector<uint64_t>{shape.back()};
    return role.row->is_kernel() && info.shape == std::vector<uint64_t>{shape.front(), 1, shape.back()};
  }

  // " from vocab_size and hidden_size": the keys of the file that determine the shape.
  std::string by_keys(const Role& role) const {
    const decoder::TraitKeys keys(names_.format());
    std::string text;
    decoder::SizeKey last = nullptr;
    for (const decoder::Extent extent : {role.row->rows, role.is_bias ? decoder::Extent::none : role.row->cols}) {
      for (const decoder::SizeKey key : decoder::keys_of(extent)) {
        if (!key || key == last || keys[key].empty()) continue;
        text += text.empty() ? " from " : " and ";
        if (names_.format() == Format::gguf) text += std::string(names_.family()->gguf) + '.';
        text += keys[key];
        last = key;
      }
    }
    return text;
  }

  Failure missing(Part part, uint64_t index, bool is_bias) const {
    return missing({.row = decoder::row_of(part, naming_), .layer = static_cast<uint32_t>(index), .is_bias = is_bias});
  }

  // A configuration can ask for what its family has no names for.
  Failure missing(const Role& role) const {
    if (!role.row) {
      return unsupported_error("the configuration has a part that models of the architecture " + config_.architecture +
                               " do not have");
    }
    return missing_tensor(names_.name_of(role), "a tensor that the decoder needs is missing");
  }

  DecoderConfig& config_;
  const decoder::TensorNames& names_;
  Naming naming_ = Naming::llama;
  std::vector<Modules> layers_;
  Modules around_;
};

}  // namespace

Status check_decoder_tensors(DecoderConfig& config, const decoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors) {
  return Checker(config, names).check(tensors);
}

}  // namespace quintet
