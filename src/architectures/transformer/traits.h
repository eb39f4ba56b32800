#pragma once
// The traits of transformers: one row for each number, name, flag and set of layers of a configuration, with everything
// that files contain about it. Reading, writing, checking and the identity of a KV cache are loops over this table.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "architectures/config_fields.h"
#include "architectures/transformer/config.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::transformer {

// The value of the configuration that a row describes.
using Member = std::variant<uint64_t TransformerTraits::*, double TransformerTraits::*, bool TransformerTraits::*,
                            std::optional<bool> TransformerTraits::*, Activation TransformerTraits::*,
                            QkNorm TransformerTraits::*, LayerSet TransformerConfig::*>;

// When AMB configs contain a trait. `if_other`: where it is not a Llama's; these rows come last.
enum class InAmb : uint8_t { always, if_known, if_other };

// The kinds of networks that a row is about.
enum class Networks : uint8_t { none, decoders, encoders, all };

// The form of a trait in the file of a KV cache (docs/kv-cache.md): nothing, its part in the fingerprint, or its value.
enum class InCache : uint8_t { none, fingerprint, value };

struct Trait {
  Member member;
  // The key in each dialect, empty if it has none. GGUF's comes after the architecture as prefix.
  std::string_view amb = {}, alt = {}, huggingface = {}, gguf = {}, embd = {};
  double min = 0, max = 0;                 // bounds of a number; a real number is above 0
  Networks networks = Networks::decoders;  // which have the trait
  Networks required_by = Networks::none;   // which must contain it if they have a key
  bool in_some_encoders = false;           // under the keys of their families alone
  InAmb in_amb = InAmb::if_other;
  InCache in_cache = InCache::none;
  std::string_view alt_lacks =
      {};  // what the parameters of ALT cannot express; empty: they can, or the trait is checked apart

  std::string_view key(Format format) const;
  // Whether the configuration differs in this trait from the defaults.
  bool is_set(const TransformerConfig& config) const;
  // As AMB and ALT write it. A set of layers is a list of their numbers.
  Json value(const TransformerConfig& config) const;
};

// In the order in which AMB configs are written.
std::span<const Trait> traits();

// The key that a trait has in a family's files.
struct TraitKey {
  Member member;
  std::string_view key;
};

// The keys under which a reader looks up the traits: those of a dialect, except for the changes of a family. Those of
// encoders come with the rows that encoders have, so that a module without decoders does not contain the others.
class TraitKeys {
 public:
  static TraitKeys of_decoders(Format format);
  static TraitKeys of_encoders(Format format);

  std::span<const Trait> rows() const { return rows_; }
  bool is_required(size_t row) const;

  std::string_view& operator[](const Member& member);
  std::string_view operator[](const Member& member) const;
  std::string_view at(size_t row) const { return keys_[row]; }
  // Looks no trait of mixtures of experts up.
  void remove_experts();

 private:
  static constexpr size_t kMaxTraits = 96;
  TraitKeys(Format format, Networks networks, std::span<const Trait> rows);
  size_t row_of(const Member& member) const;

  Networks networks_;
  std::span<const Trait> rows_;
  std::array<std::string_view, kMaxTraits> keys_ = {};
};

// Reads all traits that have a key.
Status read_traits(const ConfigFields& fields, const TraitKeys& keys, TransformerConfig& config);

// Values of AMB's key `qk_norm`, in the order of QkNorm.
inline constexpr std::string_view kQkNorms[] = {"none", "per_head", "per_row"};

}  // namespace quintet::transformer
