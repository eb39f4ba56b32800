#include "architectures/transformer/traits.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "architectures/transformer/layer_sets.h"
#include "architectures/transformer/trait_rows.h"

namespace quintet::transformer {
namespace {

using Config = TransformerConfig;

constexpr bool includes(Networks set, Networks networks) { return set == Networks::all || set == networks; }

constexpr bool is_of_encoders(const Trait& trait) {
  return trait.in_some_encoders || includes(trait.networks, Networks::encoders);
}

// Without the fields that only files of decoders have.
constexpr auto kTraitsOfEncoders = [] {
  std::array<Trait, static_cast<size_t>(std::ranges::count_if(kTraits, is_of_encoders))> rows = {};
  std::ranges::copy_if(kTraits, rows.begin(), is_of_encoders);
  for (Trait& row : rows) {
    row.amb = row.alt = row.alt_lacks = {};
    row.in_amb = {};
    row.in_cache = {};
  }
  return rows;
}();

Json json_of(uint64_t value) { return value; }
Json json_of(double value) { return value; }
Json json_of(bool value) { return value; }
Json json_of(std::optional<bool> value) { return value.value_or(false); }
Json json_of(Activation value) { return name_of(value); }
Json json_of(QkNorm value) { return kQkNorms[static_cast<size_t>(value)]; }
Json json_of(const LayerSet& value) { return layer_numbers(value); }

}  // namespace

std::span<const Trait> traits() { return kTraits; }

std::string_view Trait::key(Format format) const {
  switch (format) {
    case Format::amb:
      return amb;
    case Format::alt:
      return alt;
    case Format::safetensors:
      return huggingface;
    case Format::gguf:
      return gguf;
    case Format::embd:
      return embd;
    case Format::tinyruntime:
      break;
  }
  return {};
}

bool Trait::is_set(const TransformerConfig& config) const {
  static const TransformerConfig kDefault;
  return std::visit([&](auto value) { return config.*value != kDefault.*value; }, member);
}

Json Trait::value(const TransformerConfig& config) const {
  return std::visit([&](auto value) { return json_of(config.*value); }, member);
}

TraitKeys TraitKeys::of_decoders(Format format) { return TraitKeys(format, Networks::decoders, kTraits); }
TraitKeys TraitKeys::of_encoders(Format format) { return TraitKeys(format, Networks::encoders, kTraitsOfEncoders); }

TraitKeys::TraitKeys(Format format, Networks networks, std::span<const Trait> rows) : networks_(networks), rows_(rows) {
  static_assert(std::size(kTraits) <= kMaxTraits);
  std::ranges::transform(rows, keys_.begin(), [=](const Trait& trait) {
    return includes(trait.networks, networks) ? trait.key(format) : std::string_view();
  });
}

bool TraitKeys::is_required(size_t row) const { return includes(rows_[row].required_by, networks_); }

size_t TraitKeys::row_of(const Member& member) const {
  return static_cast<size_t>(std::ranges::find(rows_, member, &Trait::member) - rows_.begin());
}

void TraitKeys::remove_experts() {
  for (size_t row = row_of(&Config::n_experts); row <= row_of(&Config::has_sigmoid_router); ++row) keys_[row] = {};
}

std::string_view& TraitKeys::operator[](const Member& member) { return keys_[row_of(member)]; }
std::string_view TraitKeys::operator[](const Member& member) const { return keys_[row_of(member)]; }

}  // namespace quintet::transformer
