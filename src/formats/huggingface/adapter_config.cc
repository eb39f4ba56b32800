#include "formats/huggingface/adapter_config.h"

#include <algorithm>
#include <cmath>

#include "formats/known_fields.h"

namespace quintet::huggingface {
namespace {

constexpr FixedField kFixed[] = {{"peft_type", R"("LORA")"}, {"bias", R"("none")"}};

// Read here, or without influence on what a finished adapter computes.
constexpr std::string_view kOthers =
    "r lora_alpha use_rslora rank_pattern alpha_pattern auto_mapping base_model_name_or_path corda_config eva_config "
    "exclude_modules fan_in_fan_out inference_mode init_lora_weights layers_pattern layers_to_transform loftq_config "
    "lora_dropout megatron_core peft_version qalora_group_size revision target_modules task_type";

constexpr double kMaxAlpha = 1e6;
constexpr double kMaxRank = 1 << 16;

Failure wrong(std::string_view key, std::string_view expected) {
  return fail(Code::format, Reason::malformed, "{}: {} is not {}", AdapterConfig::kFile, key, expected);
}

Status read_rank(const Json* value, std::string_view key, double& rank) {
  rank = value ? value->as_double().value_or(0) : 0;
  return rank >= 1 && rank <= kMaxRank && rank == std::floor(rank) ? Status() : wrong(key, "a rank");
}

Status read_alpha(const Json* value, std::string_view key, double& alpha) {
  const auto number = value ? value->as_double() : std::nullopt;
  alpha = number.value_or(0);
  return number && std::abs(alpha) <= kMaxAlpha ? Status() : wrong(key, "a number");
}

// PEFT reads the keys of patterns as regular expressions. A point stands for itself here.
bool is_name(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

}  // namespace

Result<AdapterConfig> AdapterConfig::read(std::string_view json) {
  const auto config = parse_json(json);
  if (!config || !config->as_object()) return wrong("its content", "a JSON object");
  QUINTET_CHECK(check_known(*config, {.fixed = kFixed, .others = kOthers}, kFile));
  AdapterConfig adapter;
  QUINTET_CHECK(read_rank(config->find("r"), "r", adapter.rank_));
  QUINTET_CHECK(read_alpha(config->find("lora_alpha"), "lora_alpha", adapter.alpha_));
  QUINTET_CHECK(read_pattern(*config, "rank_pattern", adapter.ranks_));
  QUINTET_CHECK(read_pattern(*config, "alpha_pattern", adapter.alphas_));
  adapter.is_by_root_ = config->get("use_rslora").as_bool().value_or(false);
  return adapter;
}

Status AdapterConfig::read_pattern(const Json& config, std::string_view key, Pattern& pattern) {
  const Json::Object* entries = config.get(key).as_object();
  if (!entries) return is_off(config.get(key)) ? Status() : wrong(key, "an object");
  for (const Json::Member& entry : *entries) {
    if (!is_name(entry.name)) {
      return unsupported_error("{}: {} has a regular expression, {}; only names are supported", kFile, key, entry.name);
    }
    double& value = pattern.emplace_back(entry.name, 0).second;
    QUINTET_CHECK(key == "rank_pattern" ? read_rank(&entry.value, key, value) : read_alpha(&entry.value, key, value));
  }
  return {};
}

// The first entry that names a module counts.
double AdapterConfig::value_of(const Pattern& pattern, double otherwise, std::string_view module) {
  for (const auto& [name, value] : pattern) {
    if (!module.ends_with(name)) continue;
    const size_t before = module.size() - name.size();
    if (before == 0 || module[before - 1] == '.') return value;
  }
  return otherwise;
}

double AdapterConfig::scale_of(std::string_view module) const {
  const double rank = value_of(ranks_, rank_, module);
  return value_of(alphas_, alpha_, module) / (is_by_root_ ? std::sqrt(rank) : rank);
}

}  // namespace quintet::huggingface
