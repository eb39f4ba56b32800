#pragma once
// adapter_config.json of PEFT (https://huggingface.co/docs/peft): how a low-rank adapter is scaled.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace quintet::huggingface {

class AdapterConfig {
 public:
  static constexpr std::string_view kFile = "adapter_config.json";

  // FORMAT for wrong values; UNSUPPORTED for anything but LoRA of linear layers.
  static Result<AdapterConfig> read(std::string_view json);

  uint64_t rank_of(std::string_view module) const { return static_cast<uint64_t>(value_of(ranks_, rank_, module)); }
  // The factor of B A x: alpha / rank or, as rsLoRA (Kalajdzievski 2023, arXiv:2312.03732), alpha / sqrt(rank).
  double scale_of(std::string_view module) const;

 private:
  using Pattern = std::vector<std::pair<std::string, double>>;

  static Status read_pattern(const Json& config, std::string_view key, Pattern& pattern);
  static double value_of(const Pattern& pattern, double otherwise, std::string_view module);

  double rank_ = 0, alpha_ = 0;
  Pattern ranks_, alphas_;  // of modules whose names end so
  bool is_by_root_ = false;
};

}  // namespace quintet::huggingface
