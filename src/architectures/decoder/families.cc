#include "architectures/decoder/families.h"

#include <algorithm>
#include <array>

namespace quintet::decoder {
namespace {

std::array<std::span<const Family>, 2> tables() { return {dense_families(), mixed_families()}; }

const Family* find(std::string_view Family::* name, std::string_view value) {
  for (const std::span<const Family> table : tables()) {
    const auto family = std::ranges::find(table, value, name);
    if (family != table.end()) return &*family;
  }
  return nullptr;
}

std::string listed(std::string_view Family::* name, bool in_folders) {
  std::string text;
  for (const std::span<const Family> table : tables()) {
    for (const Family& family : table) {
      const bool is_listed = !(family.*name).empty() && (family.has_folder || !in_folders);
      if (is_listed) text += formatted("{}{}", text.empty() ? "" : ", ", family.*name);
    }
  }
  return text;
}

}  // namespace

const Family* family_of_model_type(std::string_view model_type) { return find(&Family::model_type, model_type); }

const Family* family_of_gguf(std::string_view architecture) {
  return architecture.empty() ? nullptr : find(&Family::gguf, architecture);
}

void apply_architecture(DecoderConfig& config) {
  const Family* family = family_of_model_type(config.architecture);
  if (!family) return;
  config.qk_norm = family->traits.qk_norm;
  config.block = family->traits.block;
}

void infer_rope_by_window(const Family& family, DecoderConfig& config) {
  if (config.sliding_window == 0) return;
  if (family.has_rope_in_windows_only) config.no_rope_layers = config.full_attention_layers;
  const bool is_scaled = config.yarn_rope || config.llama3_rope || config.rope_scaling != 1;
  if (family.has_unscaled_windows && is_scaled) config.local_rope_freq_base = config.rope_freq_base;
}

std::string supported_model_types() { return listed(&Family::model_type, true); }
std::string supported_gguf_architectures() { return listed(&Family::gguf, false); }

}  // namespace quintet::decoder
