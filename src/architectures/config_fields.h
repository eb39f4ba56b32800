#pragma once
// Reads the values of a model's configuration by type, whatever the architecture.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tensor/activation.h"

namespace quintet {

// An absent field leaves the value unchanged.
class ConfigFields {
 public:
  enum class Nulls : uint8_t { refused, absent };

  // `where` is the prefix of every error message. The config must outlive this object.
  ConfigFields(const Json& config, std::string where, Nulls nulls)
      : config_(config), where_(std::move(where)), nulls_(nulls) {}

  // Null if the field is absent.
  const Json* find(std::string_view key) const;
  Status natural(std::string_view key, uint64_t least, uint64_t most, uint64_t& value) const;
  // Greater than 0 and at most `most`.
  Status positive(std::string_view key, double most, double& value) const;
  Status flag(std::string_view key, bool& value) const;
  Status text(std::string_view key, std::string& value) const;
  // A list of numbers, each greater than 0.
  Status positives(std::string_view key, std::vector<double>& values) const;
  // The elements of an array; null if the field is absent.
  Result<const std::vector<Json>*> list(std::string_view key) const;
  Status activation(std::string_view key, Activation& activation) const;

  Failure wrong(Reason reason, std::string_view key, std::string_view problem) const;
  Failure unsupported(std::string_view key, std::string_view problem) const;

 private:
  std::string text_of(std::string_view key, std::string_view problem) const;

  const Json& config_;
  std::string where_;
  Nulls nulls_;
};

// Of a GGUF file: the fields of the architecture, without its name as prefix.
Json gguf_fields(const Json& metadata, std::string_view architecture);

// As AMB spells it: "silu", "gelu", "gelu_new", "relu".
std::string_view name_of(Activation activation);

}  // namespace quintet
