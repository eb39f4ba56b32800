#include "runtime/kv/model_identity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "architectures/transformer/traits.h"
#include "base/decimal.h"
#include "base/hash.h"
#include "formats/kv_cache/metadata.h"

namespace quintet::kv {
namespace {

constexpr std::string_view kModel = "model", kFingerprint = "fingerprint", kRopeTheta = "rope_theta";
constexpr std::string_view kRopeFactors = "rope_factors";

// Formats that store the base in 32 bits round it.
constexpr double kRopeThetaTolerance = 1e-6;

// The shortest decimal that reads back the same: 10000, 10000.5. JSON may have one more digit, since the fast algorithm
// of its writer does not always find the shortest. Here the exact value is rounded to more and more digits after the
// point.
std::string shortest_decimal(double number) {
  if (!(number >= 1 && number < 0x1p53)) return write_json(number);  // not of any model
  constexpr uint64_t kOne = uint64_t{1} << 52;
  auto digits = static_cast<uint64_t>(number);
  auto fraction = static_cast<uint64_t>((number - static_cast<double>(digits)) * kOne);
  for (size_t places = 0;; ++places) {
    const bool up = fraction > kOne / 2 || (fraction == kOne / 2 && digits % 2 != 0);
    std::string text = write_natural(digits + up);
    if (places != 0) text.insert(text.size() - places, ".");
    if (parse_decimal(text) == number) return text;
    fraction *= 10;
    digits = 10 * digits + fraction / kOne;
    fraction %= kOne;
  }
}

bool is_rope_theta(const std::string& text, double expected) {
  const auto json = parse_json(text);
  const auto number = json ? json->as_double() : std::nullopt;
  return number && std::abs(*number - expected) <= kRopeThetaTolerance * expected;
}

// A property that the fingerprint does not cover, as the file has it. An empty text is not written.
struct Written {
  std::string_view key;
  std::string text;
  bool is_required = false;
};

std::string text_of(LayerSet TransformerConfig::* set, const DecoderConfig& config) {
  std::string layers;
  for (size_t layer = 0; layer < (config.*set).size(); ++layer) {
    if ((config.*set)[layer]) layers += formatted("{}{}", layers.empty() ? "" : ",", layer);
  }
  return layers;
}

// Rows that no later position sees are zeros in the file, so that windows must be the same. Keys are rotated by the
// factors of longrope or YaRN. States are in the order of the heads.
std::vector<Written> written_traits(const DecoderConfig& config) {
  std::vector<Written> written;
  for (const transformer::Trait& trait : transformer::traits()) {
    if (trait.in_cache != transformer::InCache::value) continue;
    Written& entry = written.emplace_back(trait.amb);
    if (const auto* size = std::get_if<uint64_t TransformerTraits::*>(&trait.member)) {
      if (config.**size != 0) entry.text = write_natural(config.**size);
    }
    if (const auto* flag = std::get_if<bool TransformerTraits::*>(&trait.member)) {
      entry.is_required = config.**flag;
      if (entry.is_required) entry.text = "true";
    }
    if (const auto* set = std::get_if<LayerSet TransformerConfig::*>(&trait.member)) entry.text = text_of(*set, config);
  }
  Written& factors = written.emplace_back(kRopeFactors);
  if (config.long_rope) factors.text = config.long_rope->is_long ? "long" : "short";
  if (config.yarn_rope) factors.text = "yarn " + shortest_decimal(config.yarn_rope->factor);
  return written;
}

Status check_size(std::string_view name, uint64_t expected, uint64_t found) {
  if (found == expected) return {};
  const std::string text = write_natural(found);
  return wrong_metadata(name, &text, Reason::mismatch, write_natural(expected));
}

Status check_shape(const CacheFile& file, const DecoderConfig& config) {
  QUINTET_CHECK(check_size("num_layers", config.n_layers - config.n_shared_kv_layers, file.shape.layers));
  for (size_t layer = 0; layer < file.shape.layers; ++layer) {
    if (!file.has_rows(layer)) continue;
    const Heads heads = file.heads_of(layer);
    QUINTET_CHECK(check_size("num_kv_heads", config.kv_heads_of(layer), heads.count));
    QUINTET_CHECK(check_size("head_dim", config.head_dim_of(layer), heads.dim));
  }
  return file.logits == 0 ? Status() : check_size("logits", config.n_vocab, file.logits);
}

}  // namespace

std::string fingerprint(const DecoderConfig& config) {
  std::string text = config.architecture;
  std::string reals;
  for (const transformer::Trait& trait : transformer::traits()) {
    if (trait.in_cache != transformer::InCache::fingerprint) continue;
    if (const auto* size = std::get_if<uint64_t TransformerTraits::*>(&trait.member))
      text += formatted("|{}", config.**size);
    if (const auto* real = std::get_if<double TransformerTraits::*>(&trait.member)) {
      reals += '|' + shortest_decimal(config.**real);
    }
  }
  uint64_t hash = fnv1a_64(text + reals);
  std::string digits(16, '0');
  for (size_t i = digits.size(); i > 0; hash >>= 4) digits[--i] = "0123456789abcdef"[hash & 15];
  return digits;
}

Json identity_metadata(const DecoderConfig& config, std::string_view model_name) {
  Json metadata = Json::object();
  if (!model_name.empty()) metadata.append(kModel, model_name);
  metadata.append(kFingerprint, fingerprint(config));
  metadata.append(kRopeTheta, write_json(config.rope_freq_base));
  for (const Written& trait : written_traits(config)) {
    if (!trait.text.empty()) metadata.append(trait.key, trait.text);
  }
  return metadata;
}

Status check_identity(const CacheFile& file, const DecoderConfig& config) {
  QUINTET_CHECK(check_shape(file, config));
  const std::string own = fingerprint(config);
  const std::string* text = find_text(file.metadata, kFingerprint);
  if (text != nullptr && *text != own) return wrong_metadata(kFingerprint, text, Reason::mismatch, own);
  text = find_text(file.metadata, kRopeTheta);
  if (text != nullptr && !is_rope_theta(*text, config.rope_freq_base)) {
    return wrong_metadata(kRopeTheta, text, Reason::mismatch, shortest_decimal(config.rope_freq_base));
  }
  for (const Written& trait : written_traits(config)) {
    text = find_text(file.metadata, trait.key);
    // Other programs have no flags, and write what models without them have.
    if (text == nullptr ? !trait.is_required : *text == trait.text) continue;
    return wrong_metadata(trait.key, text, Reason::mismatch, trait.text.empty() ? "none" : trait.text);
  }
  return {};
}

}  // namespace quintet::kv
