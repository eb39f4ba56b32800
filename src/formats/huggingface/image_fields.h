#pragma once
// Reads the values of an image processor's configuration by type.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "image/prepare.h"

namespace quintet::huggingface {

// For red, green and blue.
struct Normalization {
  std::array<double, 3> mean, deviation;
};

// Sides in pixels, 0 for those that are not given.
struct Edges {
  uint32_t height = 0, width = 0, shortest = 0, longest = 0;

  bool is_exact() const { return height != 0 && width != 0 && shortest == 0 && longest == 0; }
  bool is_shortest() const { return shortest != 0 && height == 0 && width == 0; }
};

// An absent field leaves the value unchanged, and so does null: transformers writes it for what is left to the class.
class ImageFields {
 public:
  // `where` is the prefix of every error message. The config must outlive this object.
  ImageFields(const Json& config, std::string_view where) : config_(config), where_(where) {}

  // Null if the field is absent.
  const Json* find(std::string_view key) const;
  Status flag(std::string_view key, bool& value) const;
  // Greater than 0 and at most `max`.
  Status positive(std::string_view key, double max, double& value) const;
  // A number for all colors, or a list of one or three.
  Status normalization(std::string_view mean_key, std::string_view deviation_key, Normalization& normalization) const;
  // A number, which is a square or the shorter side, or an object of named sides.
  Status edges(std::string_view key, bool square, Edges& edges) const;

  Failure wrong(std::string_view key, std::string_view problem) const;
  Failure unsupported(std::string_view key, std::string_view problem) const;

 private:
  Status colors(std::string_view key, std::string_view expected, std::array<double, 3>& values) const;

  const Json& config_;
  std::string_view where_;
};

// Nothing unless it is an integer from 1 to kMaxInputSide.
std::optional<uint32_t> side_of(const Json& value);

}  // namespace quintet::huggingface
