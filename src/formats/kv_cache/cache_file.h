#pragma once
// A KV cache as a safetensors file: which tensors and metadata it has, and what they mean (docs/formats/safetensors.md,
// "KV caches").
//
//   layer_{i}_key, layer_{i}_value   F32, F16 or BF16 [1, kv_heads, positions, head_dim]; keys after the rotation
//   the same names, packed           U8 [1, kv_heads, positions, head_dim / 2], two q a byte, element 2i low
//   layer_{i}_key.scale, …           F16 [1, kv_heads, positions, head_dim / group], of packed ones
//   token_ids                        I32 [positions]; only read, since the ids are metadata today
//   logits                           F32 [n_vocab] after the last position; an extension, mostly absent

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::kv {

struct Shape {
  uint64_t layers = 0, kv_heads = 0, positions = 0, head_dim = 0;
  bool operator==(const Shape&) const = default;
};

// How keys and values stand in a file.
enum class Layout : uint8_t {
  plain,    // as they are
  rounded,  // layout "float": rounded through INT4, stored as floats
  packed,   // layout "packed": INT4 and its scales
};

struct Storage {
  Dtype dtype = Dtype::f32;  // f32, f16 or bf16; of packed values what they were before (original_dtype)
  Layout layout = Layout::plain;
  uint64_t group = 0;  // values that share a scale (group_size); 0 where the layout is plain
};

// What one tensor of such a file holds.
struct TensorRole {
  enum class Kind : uint8_t { values, scales, tokens, logits };
  Kind kind = Kind::values;
  uint64_t layer = 0;     // of values and scales
  bool is_value = false;  // of values and scales: of the values, not of the keys
};

// Nothing where the name is none of such a file's.
std::optional<TensorRole> tensor_role(std::string_view name);

struct CacheFile {
  Shape shape;
  Storage storage;
  std::optional<std::vector<uint32_t>> token_ids;  // of the metadata, one a position
  bool has_token_tensor = false;                   // as earlier versions of quintet wrote
  uint64_t logits = 0;                             // their number; 0: none are there
  Json metadata = Json::object();                  // all of __metadata__

  bool has_tokens() const { return token_ids || has_token_tensor; }
};

// "plain", "float", "packed"
std::string_view name_of(Layout layout);

// Bytes of the keys and values, scales included.
uint64_t data_bytes(const CacheFile& file);

// What a safetensors header says of a cache. FORMAT, with the tensor or the metadata key that is wrong, where tensors
// are missing, too many, or of shapes and types that do not belong together, and where the metadata contradict them.
Result<CacheFile> read_cache_file(const ModelDescription& description);

// The description of a file to be written, for safetensors::write_header(). `file.metadata` is completed by what
// `storage` and `shape` say (seq_len, num_layers, num_kv_heads, head_dim, compression, layout, group_size,
// original_dtype) and by `token_ids`; keys of a compression that is no more are removed. A tensor of token ids is not
// written.
ModelDescription describe_cache_file(const CacheFile& file);

// The group that is really used for heads of `head_dim` values where `wanted` (32, 64 or 128) is asked for: it must
// divide head_dim or not be smaller than it, then it is head_dim. Without a wish the first of 64, 32, 128 that can be
// used. INPUT where there is none; UNSUPPORTED for an odd head_dim, of which no two values share a byte.
Result<uint64_t> group_for(uint64_t head_dim, std::optional<uint64_t> wanted);

}  // namespace quintet::kv
