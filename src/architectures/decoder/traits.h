#pragma once
// The traits of a decoder: one row for each number, name, flag and set of layers of its configuration, with all that
// files say of it. Reading, writing, checking and the identity of a KV cache are loops over this table.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "architectures/decoder/config.h"
#include "base/json.h"
#include "formats/model_description.h"

namespace quintet::decoder {

// Which value of the configuration a row is about.
using Member = std::variant<uint64_t DecoderTraits::*, double DecoderTraits::*, bool DecoderTraits::*,
                            std::optional<bool> DecoderTraits::*, Activation DecoderTraits::*, QkNorm DecoderTraits::*,
                            LayerSet DecoderConfig::*>;

// When AMB configs contain a trait. `if_other`: where it is not a Llama's; these rows come last.
enum class InAmb : uint8_t { always, if_known, if_other };

// What the file of a KV cache says of a trait (docs/kv-cache.md): nothing, its part in the fingerprint, or its value.
enum class InCache : uint8_t { none, fingerprint, value };

struct Trait {
  Member member;
  // The key in each dialect, empty if it has none. GGUF's comes after the architecture as prefix.
  std::string_view amb = {}, alt = {}, huggingface = {}, gguf = {};
  double min = 0, max = 0;  // bounds of a number; a real number is above 0
  bool is_required = false;
  InAmb in_amb = InAmb::if_other;
  InCache in_cache = InCache::none;
  std::string_view alt_lacks =
      {};  // what the parameters of ALT cannot say; empty: they can, or the trait is checked apart

  std::string_view key(Format format) const;
  // Whether the configuration differs in this trait from the defaults of DecoderConfig.
  bool is_set(const DecoderConfig& config) const;
  // As AMB and ALT write it. A set of layers is a list of their numbers.
  Json value(const DecoderConfig& config) const;
};

// In the order in which AMB configs are written.
std::span<const Trait> traits();

// The keys under which a reader looks the traits up: those of a dialect, but for the changes of a family.
class TraitKeys {
 public:
  explicit TraitKeys(Format format);

  std::string_view& operator[](const Member& member);
  std::string_view operator[](const Member& member) const;
  std::string_view at(size_t row) const { return keys_[row]; }
  // Looks no trait of mixtures of experts up.
  void remove_experts();

 private:
  static constexpr size_t kMaxTraits = 96;
  std::array<std::string_view, kMaxTraits> keys_ = {};
};

// Values of AMB's key `qk_norm`, in the order of QkNorm.
inline constexpr std::string_view kQkNorms[] = {"none", "per_head", "per_row"};

}  // namespace quintet::decoder
