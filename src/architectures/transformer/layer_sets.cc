#include "architectures/transformer/layer_sets.h"

#include <algorithm>
#include <string>

namespace quintet {
namespace {

// An all-false set is stored empty, so that equal configurations compare equal.
void settle(LayerSet& set) {
  if (std::ranges::find(set, true) == set.end()) set.clear();
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

LayerSet other_layers(const LayerSet& set, uint64_t layers) {
  LayerSet others(static_cast<size_t>(layers));
  for (size_t layer = 0; layer < others.size(); ++layer) others[layer] = !contains(set, layer);
  return others;
}

Result<const Json::Array*> list_of_layers(const ConfigFields& fields, std::string_view key, uint64_t layers) {
  QUINTET_TRY(const Json::Array* entries, fields.list(key));
  if (!entries || entries->size() == layers) return entries;
  return fields.wrong(Reason::mismatch, key, "expected an entry for each of {} layers", layers);
}

Status read_listed_layers(const ConfigFields& fields, std::string_view key, uint64_t layers, std::string_view member,
                          std::string_view other, LayerSet& set) {
  QUINTET_TRY(const Json::Array* entries, list_of_layers(fields, key, layers));
  if (!entries) return {};
  set.assign(entries->size(), false);
  for (size_t layer = 0; layer < entries->size(); ++layer) {
    const std::string entry = write_json((*entries)[layer]);
    set[layer] = entry == member;
    if (entry != member && entry != other) {
      return fields.unsupported(key, "supported are {} and {}", member, other);
    }
  }
  settle(set);
  return {};
}

Status read_layer_numbers(const ConfigFields& fields, std::string_view key, uint64_t layers, LayerSet& set) {
  QUINTET_TRY(const Json::Array* numbers, fields.list(key));
  if (!numbers) return {};
  set.assign(static_cast<size_t>(layers), false);
  for (const Json& number : *numbers) {
    const auto layer = number.as_uint();
    if (!layer || *layer >= layers) {
      return fields.wrong(Reason::out_of_range, key, "expected numbers below {}", layers);
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

}  // namespace quintet
