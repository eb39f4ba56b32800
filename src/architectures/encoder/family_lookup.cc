#include <algorithm>
#include <string>

#include "architectures/encoder/families.h"
#include "base/flag_list.h"

// Looks up the family of a file, and its traits in the dialect of the file.

namespace quintet::encoder {
namespace {

using transformer::TraitKeys;
using Config = EncoderConfig;

const Family* found(std::span<const Family>::iterator family) {
  return family == families().end() ? nullptr : &*family;
}

std::string listed(std::string_view Family::* name) {
  std::string text;
  for (const Family& family : families()) {
    if (!(family.*name).empty()) text += formatted("{}{}", text.empty() ? "" : ", ", family.*name);
  }
  return text;
}

std::string_view text_of(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  return value && value->as_string() ? std::string_view(*value->as_string()) : std::string_view();
}

const Family* family_of_model_type(std::string_view model_type) {
  return found(std::ranges::find(families(), model_type, &Family::model_type));
}

}  // namespace

const Family* family_of_config(const Json& config) {
  const std::string_view type = config.find("model_type") ? text_of(config, "model_type") : "bert";
  const std::string_view position_type = text_of(config, "position_embedding_type");
  const auto declared = std::ranges::find_if(families(), [&](const Family& family) {
    if (family.declared_as.empty() || family.declared_as != type) return false;
    return family.declared_by.empty() ? family.position_type == position_type : !is_off(config.get(family.declared_by));
  });
  return declared == families().end() ? family_of_model_type(type) : &*declared;
}

const Family* family_of_gguf(std::string_view architecture) {
  return architecture.empty() ? nullptr : found(std::ranges::find(families(), architecture, &Family::gguf));
}

const Family& family_of(const EncoderConfig& config) { return *family_of_model_type(config.model_type); }

EncoderConfig config_of(const Family& family) {
  EncoderConfig config = {{family.traits}};
  config.model_type = family.model_type;
  config.max_seq_len = 0;
  return config;
}

EncoderConfig bert_config() { return config_of(*family_of_model_type("bert")); }

TraitKeys keys_of(const Family& family, Format format) {
  TraitKeys keys = TraitKeys::of_encoders(format);
  if (format == Format::gguf) {
    keys[&Config::activation] = "hidden_activation";
    if (family.traits.n_experts != 0) {
      keys[&Config::n_experts] = "expert_count";
      keys[&Config::n_experts_used] = "expert_used_count";
      keys[&Config::expert_interval] = "moe_every_n_layers";
    }
    // The heads of keys are said for each layer.
    if (family.naming == Naming::lfm2) {
      keys[&Config::convolution_length] = "shortconv.l_cache";
      keys[&Config::n_kv_heads] = {};
    }
    keys[&Config::norm_eps] =
        family.traits.block.has_layer_norm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon";
  } else if (format == Format::safetensors) {
    if (family.traits.block.has_layer_norm) keys[&Config::norm_eps] = "layer_norm_eps";
    if (!family.has_head_sizes) keys[&Config::n_kv_heads] = keys[&Config::head_dim] = {};
    for (const auto& [member, key] : family.keys) keys[member] = key;
  }
  if (!family.traits.is_rope) keys[&Config::rope_freq_base] = {};
  if (family.traits.local_rope_freq_base == 0) keys[&Config::local_rope_freq_base] = {};
  return keys;
}

std::string supported_model_types() { return listed(&Family::model_type); }
std::string supported_gguf_architectures() { return listed(&Family::gguf); }

}  // namespace quintet::encoder
