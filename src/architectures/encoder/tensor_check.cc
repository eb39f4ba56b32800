#include "architectures/encoder/tensor_check.h"

#include <algorithm>
#include <array>
#include <string>

#include "formats/embd/tensor_index.h"

namespace quintet {
namespace {

using encoder::Extent;
using encoder::Part;
using encoder::PartRow;
using encoder::Role;

// The tensors of a part.
struct Module {
  const TensorInfo* weight = nullptr;
  const TensorInfo* bias = nullptr;
  const PartRow* row = nullptr;
};
// Those of a layer, or those outside of the layers.
using Modules = std::array<Module, encoder::kParts>;

class Checker {
 public:
  Checker(const EncoderConfig& config, const encoder::TensorNames& names, const std::vector<TensorInfo>& tensors)
      : config_(config), names_(names), tensors_(tensors), lookup_(tensors) {}

  Status check() {
    const std::string layers = std::string(names_.keys().layers) + " is " + std::to_string(config_.layers);
    if (config_.layers > encoder::kMaxLayers) {
      return unsupported_error(layers + ", at most " + std::to_string(encoder::kMaxLayers) + " are supported");
    }
    QUINTET_CHECK(place());
    QUINTET_CHECK(check_embeddings());
    for (uint32_t layer = 0; layer < config_.layers; ++layer) QUINTET_CHECK(check_layer(layer));
    if (config_.has_pre_norm) QUINTET_CHECK(require(around_, Part::final_norm));
    if (config_.head) QUINTET_CHECK(check_head());
    return surplus_ ? tensor_error(Code::format, Reason::mismatch, *surplus_, "a layer beyond the last: " + layers)
                    : Status();
  }

 private:
  Status place() {
    layers_.resize(config_.layers);
    for (const TensorInfo& info : tensors_) {
      const auto role = names_.role_of(info, config_);
      if (!role) continue;
      const bool in_layer = role->row->in_layer();
      if (in_layer && role->layer >= config_.layers) {
        if (!surplus_) surplus_ = &info;
        continue;
      }
      Module& module = (in_layer ? layers_[role->layer] : around_)[static_cast<size_t>(role->part())];
      const TensorInfo*& slot = role->is_bias ? module.bias : module.weight;
      if (slot) {
        return tensor_error(Code::format, Reason::duplicate, info, "the same part of the model as " + slot->name);
      }
      slot = &info;
      module.row = role->row;
    }
    return {};
  }

  Status check_embeddings() const {
    QUINTET_CHECK(require(around_, Part::word_embeddings));
    if (config_.has_position_embeddings) QUINTET_CHECK(require(around_, Part::position_embeddings));
    if (config_.has_token_types) QUINTET_CHECK(require(around_, Part::token_type_embeddings));
    if (config_.distance_buckets != 0) QUINTET_CHECK(require(around_, Part::distance_bias));
    if (config_.embedding_width() != config_.hidden) QUINTET_CHECK(require(around_, Part::embeddings_projection));
    return has_embeddings_norm() ? require(around_, Part::embeddings_norm) : Status();
  }
  bool has_embeddings_norm() const { return names_.row_of(Part::embeddings_norm) != nullptr; }

  // The first layer of a network with norms before the branches may get the norm of the embeddings.
  Status check_layer(uint32_t layer) const {
    const Modules& modules = layers_[layer];
    QUINTET_CHECK(check_attention(modules, layer));
    QUINTET_CHECK(check_mlp(modules, layer));
    if (!config_.has_pre_norm) {
      QUINTET_CHECK(require(modules, Part::attention_norm, layer));
      QUINTET_CHECK(check_shapes(modules, Part::second_attention_norm));
      return require(modules, Part::output_norm, layer);
    }
    if (layer != 0 || !has_embeddings_norm()) QUINTET_CHECK(require(modules, Part::input_norm, layer));
    QUINTET_CHECK(check_shapes(modules, Part::input_norm));
    if (config_.has_branch_norms) {
      QUINTET_CHECK(require(modules, Part::attention_norm, layer));
      QUINTET_CHECK(require(modules, Part::output_norm, layer));
    }
    return require(modules, Part::mlp_norm, layer);
  }

  // llama.cpp computes a head of the last layer alone, as its converter leaves it of some models.
  Status check_head() const {
    if (!names_.row_of(Part::classifier)) {
      return unsupported_error("rerankers of the family " + std::string(names_.family().title) + " are not supported");
    }
    for (const Part part : {Part::head_dense, Part::head_norm}) {
      const bool is_needed = names_.row_of(part) && (!names_.is_gguf() || module(around_, part).weight);
      if (is_needed) QUINTET_CHECK(require(around_, part));
    }
    return require(around_, Part::classifier);
  }

  Status check_attention(const Modules& modules, uint32_t layer) const {
    if (names_.row_of(Part::qkv) && (module(modules, Part::qkv).weight || !names_.row_of(Part::query))) {
      QUINTET_CHECK(require(modules, Part::qkv, layer));
    } else {
      for (const Part part : {Part::query, Part::key, Part::value}) QUINTET_CHECK(require(modules, part, layer));
    }
    // Some files of JinaBERT have none; decoders need them.
    const bool has_norms = names_.family().has_query_norms || module(modules, Part::query_norm).weight ||
                           module(modules, Part::key_norm).weight;
    if (has_norms) {
      QUINTET_CHECK(require(modules, Part::query_norm, layer));
      QUINTET_CHECK(require(modules, Part::key_norm, layer));
    }
    return require(modules, Part::attention_output, layer);
  }

  Status check_mlp(const Modules& modules, uint32_t layer) const {
    QUINTET_CHECK(require(modules, Part::down, layer));
    if (!config_.is_gated) return require(modules, Part::up, layer);
    for (const Part fused : {Part::gate_up, Part::up_gate}) {
      const bool is_only_one = names_.row_of(fused) && !names_.row_of(Part::gate);
      if (is_only_one || module(modules, fused).weight) return require(modules, fused, layer);
    }
    QUINTET_CHECK(require(modules, Part::gate, layer));
    return require(modules, Part::up, layer);
  }

  static const Module& module(const Modules& modules, Part part) { return modules[static_cast<size_t>(part)]; }

  Status require(const Modules& modules, Part part, uint32_t layer = 0) const {
    const Module& found = module(modules, part);
    if (!found.weight) return missing(part, layer, false);
    const bool needs_bias = names_.family().has_biases && found.row->rows != Extent::any && has_bias(part);
    if (needs_bias && !found.bias) return missing(part, layer, true);
    return check_shapes(modules, part);
  }

  // Tables have none.
  static bool has_bias(Part part) {
    return part != Part::word_embeddings && part != Part::position_embeddings && part != Part::distance_bias;
  }

  Status check_shapes(const Modules& modules, Part part) const {
    const Module& found = module(modules, part);
    if (found.weight) QUINTET_CHECK(check_shape(*found.weight, {.row = found.row}));
    return found.bias ? check_shape(*found.bias, {.row = found.row, .is_bias = true}) : Status();
  }

  Status check_shape(const TensorInfo& info, const Role& role) const {
    std::vector<uint64_t> shape = role.shape(config_);
    if (role.row->rows == Extent::any && !info.shape.empty()) shape[0] = info.shape[0];
    if (info.shape == shape) return check_type(info, role);
    return tensor_error(Code::format, Reason::mismatch, info,
                        "shape " + shape_text(info.shape) + ", expected " + shape_text(shape) + " from " + keys(role));
  }

  // "vocab_size and hidden_size".
  std::string keys(const Role& role) const {
    const std::string_view rows = key_of(role.row->rows, names_.keys());
    const std::string_view cols = role.is_bias ? std::string_view() : key_of(role.row->cols, names_.keys());
    std::string text(rows);
    if (cols.empty() || cols == rows) return text;
    return text.append(rows.empty() ? "" : " and ").append(cols);
  }

  // Vectors and tables of positions are floats; matrices may be quantized: int8 of .weights has its scales in separate
  // tensors, blocks of GGUF are widened.
  Status check_type(const TensorInfo& info, const Role& role) const {
    const Dtype type = info.dtype;
    if (info.quantized()) return {};
    if (type == Dtype::f32 || type == Dtype::f16 || type == Dtype::bf16) return {};
    if (type == Dtype::i8 && !role.is_bias && info.shape.size() == 2) {
      const std::string scales = embd::scale_name(info.name);
      if (lookup_.find(scales)) return {};
      return missing_tensor(scales, "the scales of an int8 matrix are missing");
    }
    return tensor_error(
        Code::unsupported, Reason::unknown_value, info,
        "weights of type " + std::string(name_of(type)) + "; supported are F32, F16, BF16 and I8 matrices with scales");
  }

  Failure missing(Part part, uint32_t layer, bool is_bias) const {
    return missing_tensor(names_.name_of(*names_.row_of(part), layer, is_bias),
                          "a tensor that the encoder needs is missing");
  }

  const EncoderConfig& config_;
  const encoder::TensorNames& names_;
  const std::vector<TensorInfo>& tensors_;
  TensorLookup lookup_;
  std::vector<Modules> layers_;
  Modules around_;
  const TensorInfo* surplus_ = nullptr;  // the first tensor of a layer beyond the last
};

}  // namespace

Status check_encoder_tensors(const EncoderConfig& config, const encoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors) {
  return Checker(config, names, tensors).check();
}

Status check_encoder_sizes(const EncoderConfig& config, const EncoderKeys& keys) {
  const auto wrong = [](std::string_view key, std::string problem) {
    return input_error(Reason::out_of_range, std::string(key) + ": " + std::move(problem));
  };
  if (config.head_width == 0 && config.hidden % config.heads != 0) {
    return input_error(Reason::out_of_range, std::to_string(config.heads) +
                                                 " attention heads do not divide the hidden size " +
                                                 std::to_string(config.hidden));
  }
  if (config.hidden > kMaxWidth || config.intermediate > kMaxWidth) {
    return wrong(config.hidden > kMaxWidth ? keys.hidden : keys.intermediate,
                 "more than " + std::to_string(kMaxWidth) + " are not supported");
  }
  if (config.heads % config.key_heads() != 0) {
    return input_error(Reason::out_of_range, std::to_string(config.heads) + " attention heads cannot share " +
                                                 std::to_string(config.key_heads()) + " of keys and values");
  }
  if (uint64_t{config.heads} * config.head_dim() > kMaxWidth) {
    return wrong(keys.heads, std::to_string(config.heads) + " heads of " + std::to_string(config.head_dim()) +
                                 "; queries wider than " + std::to_string(kMaxWidth) + " are not supported");
  }
  if (config.rope_base != 0 && config.head_dim() % 2 != 0) {
    return wrong(keys.heads, "heads of " + std::to_string(config.head_dim()) + " cannot be rotated in pairs");
  }
  if (config.position_offset < config.max_positions) return {};
  return wrong(keys.max_positions, std::to_string(config.max_positions) + " rows, but the first position is row " +
                                       std::to_string(config.position_offset));
}

}  // namespace quintet
