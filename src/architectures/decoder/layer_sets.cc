#include "architectures/decoder/layer_sets.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quintet::decoder {

namespace {

// A set without layers has one form, so that equal configurations compare equal.
void settle(LayerSet& set) {
  if (std::ranges::find(set, true) == set.end()) set.clear();
}

// Null if the field is absent.
Result<const Json::Array*> list_of_layers(const DecoderFields& fields, std::string_view key, uint64_t layers) {
  QUINTET_TRY(const Json::Array* entries, fields.list(key));
  if (!entries || entries->size() == layers) return entries;
  return fields.wrong(Reason::mismatch, key, "expected an entry for each of " + std::to_string(layers) + " layers");
}

}  // namespace

LayerSet every_nth_layer(uint64_t interval, uint64_t layers, bool from_first) {
  LayerSet set;
  if (interval == 0 || (interval > layers && !from_first)) return set;
  set.resize(static_cast<size_t>(layers));
  for (uint64_t layer = from_first ? 0 : interval - 1; layer < layers; layer += interval)
    set[static_cast<size_t>(layer)] = true;
  return set;
}

LayerSet first_layers(uint64_t count, uint64_t layers) {
  LayerSet set(static_cast<size_t>(layers));
  std::fill_n(set.begin(), static_cast<size_t>(std::min(count, layers)), true);
  settle(set);
  return set;
}

Status read_listed_layers(const DecoderFields& fields, std::string_view key, uint64_t layers, std::string_view member,
                          std::string_view other, LayerSet& set) {
  QUINTET_TRY(const Json::Array* entries, list_of_layers(fields, key, layers));
  if (!entries) return {};
  set.assign(entries->size(), false);
  for (size_t layer = 0; layer < entries->size(); ++layer) {
    const std::string entry = write_json((*entries)[layer]);
    set[layer] = entry == member;
    if (entry != member && entry != other) {
      return fields.unsupported(key, "supported are " + std::string(member) + " and " + std::string(other));
    }
  }
  settle(set);
  return {};
}

Status read_sparse_layers(const DecoderFields& fields, std::string_view key, double sparse, DecoderConfig& config) {
  constexpr uint64_t kFirst = 10;
  constexpr double kTolerance = 1e-3;
  QUINTET_TRY(const Json::Array* entries, list_of_layers(fields, key, config.n_layers));
  if (!entries) {
    config.n_sparse_layers = config.n_layers > kFirst ? kFirst : 0;
    return {};
  }
  for (size_t layer = 0; layer < entries->size(); ++layer) {
    const double number = (*entries)[layer].as_double().value_or(0);
    if (!(number > 0)) continue;
    if (std::abs(number - sparse) > kTolerance || config.n_sparse_layers != layer) {
      return fields.unsupported(key,
                                "supported is " + write_json(sparse) + " in the first layers, and 0 in the others");
    }
    ++config.n_sparse_layers;
  }
  return {};
}

void infer_rope_by_window(const Family& family, DecoderConfig& config) {
  if (config.sliding_window == 0) return;
  if (family.has_rope_in_windows_only) config.no_rope_layers = config.full_attention_layers;
  const bool is_scaled = config.yarn_rope || config.llama3_rope || config.rope_scaling != 1;
  if (family.has_unscaled_windows && is_scaled) config.local_rope_freq_base = config.rope_freq_base;
}

Status read_layer_numbers(const DecoderFields& fields, std::string_view key, uint64_t layers, LayerSet& set) {
  QUINTET_TRY(const Json::Array* numbers, fields.list(key));
  if (!numbers) return {};
  set.assign(static_cast<size_t>(layers), false);
  for (const Json& number : *numbers) {
    const auto layer = number.as_uint();
    if (!layer || *layer >= layers) {
      return fields.wrong(Reason::out_of_range, key, "expected numbers below " + std::to_string(layers));
    }
    set[static_cast<size_t>(*layer)] = true;
  }
  settle(set);
  return {};
}

Json layer_numbers(const LayerSet& set) {
  Json numbers = Json::array();
  for (size_t layer = 0; layer < set.size(); ++layer) {
    if (set[layer]) numbers.push_back(uint64_t{layer});
  }
  return numbers;
}

}  // namespace quintet::decoder
