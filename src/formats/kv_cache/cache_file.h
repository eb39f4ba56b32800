#pragma once
// A KV cache as a safetensors file: its tensors and metadata, and their meaning (docs/formats/safetensors.md, "KV
// caches").
//
//   layer_{i}_key, layer_{i}_value   F32, F16 or BF16 [1, kv_heads, positions, head_dim]; keys after the rotation; the
//                                    layers may have one of two kinds of heads
//   the same names, packed           U8 [1, kv_heads, positions, head_dim / 2], two q per byte, element 2i low
//   layer_{i}_key.scale, …           F16 [1, kv_heads, positions, head_dim / group], if packed
//   token_ids                        I32 [positions]; only read, since the ids are in the metadata now
//   logits                           F32 [n_vocab] after the last position; an extension, usually absent
//   layer_{i}_conv_state             F32 [checkpoints, inputs, channels], of a layer with a convolution over positions
//   layer_{i}_recurrent_state        F32 [checkpoints, values], of a layer with another state

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flag_list.h"
#include "base/result.h"
#include "formats/kv_cache/states.h"
#include "formats/model_description.h"

namespace quintet::kv {

struct Shape {
  uint64_t layers = 0, kv_heads = 0, positions = 0, head_dim = 0;
  bool operator==(const Shape&) const = default;
};

// The heads of keys and values of a layer.
struct Heads {
  uint64_t count = 0, dim = 0;
  bool operator==(const Heads&) const = default;
};

// The storage of keys and values in a file.
enum class Layout : uint8_t {
  plain,    // unchanged
  rounded,  // layout "float": rounded through INT4, stored as floats
  packed,   // layout "packed": INT4 and its scales
};

struct Storage {
  Dtype dtype = Dtype::f32;  // f32, f16 or bf16; for packed values the type before packing (original_dtype)
  Layout layout = Layout::plain;
  uint64_t group = 0;  // values that share a scale (group_size); 0 if the layout is plain
};

// The content of a tensor of such a file.
struct TensorRole {
  enum class Kind : uint8_t { values, scales, tokens, logits, convolution, recurrence };
  Kind kind = Kind::values;
  uint64_t layer = 0;     // not of tokens and logits
  bool is_value = false;  // of values and scales: of the values, not of the keys

  bool is_row() const { return kind == Kind::values || kind == Kind::scales; }
  bool is_state() const { return kind == Kind::convolution || kind == Kind::recurrence; }
};

// Nothing if such files have no tensor with this name.
std::optional<TensorRole> tensor_role(std::string_view name);

struct CacheFile {
  Shape shape;
  Storage storage;
  States states = {};
  FlagList layers_without_rows = {};  // recurrent layers in place of attention; may be shorter than the layers
  Heads local = {};                   // of the layers in `local_layers`, which have other heads than the shape
  FlagList local_layers = {};
  std::optional<std::vector<uint32_t>> token_ids;  // from the metadata, one per position
  bool has_token_tensor = false;                   // as written by earlier versions of quintet
  uint64_t logits = 0;                             // their number; 0: none
  Json metadata = Json::object();                  // all of __metadata__

  bool has_tokens() const { return token_ids || has_token_tensor; }
  bool has_rows(uint64_t layer) const {
    return layer >= layers_without_rows.size() || !layers_without_rows[static_cast<size_t>(layer)];
  }
  uint64_t layers_with_rows() const;
  bool is_local(uint64_t layer) const {
    return layer < local_layers.size() && local_layers[static_cast<size_t>(layer)];
  }
  Heads heads_of(uint64_t layer) const { return is_local(layer) ? local : Heads{shape.kv_heads, shape.head_dim}; }
};

// "plain", "float", "packed"
std::string_view name_of(Layout layout);

// Size of the keys and values in bytes, including scales.
uint64_t data_bytes(const CacheFile& file);

// Reads the description of a cache from a safetensors header. FORMAT, with the wrong tensor or metadata key, if there
// are too few or too many tensors, if their shapes and types do not match, or if the metadata contradict them.
Result<CacheFile> read_cache_file(const ModelDescription& description);

// The description of a file to write, for safetensors::write_header(). Adds to `file.metadata` what follows from
// `storage`, `shape` (seq_len, num_layers, num_kv_heads, head_dim, compression, layout, group_size, original_dtype),
// `states` (checkpoints) and `token_ids`, and removes the keys of a compression that no longer applies. A tensor of
// token ids is not written.
ModelDescription describe_cache_file(const CacheFile& file);

// The group size to use for heads of `head_dim` values, or of multiples of it, if `wanted` (32, 64 or 128) is
// requested. It must divide head_dim, or be at least as large: then it is head_dim. By default the first possible one
// of 64, 32, 128. INPUT if there is none; UNSUPPORTED for an odd head_dim, because two values share a byte.
Result<uint64_t> group_for(uint64_t head_dim, std::optional<uint64_t> wanted);

}  // namespace quintet::kv
