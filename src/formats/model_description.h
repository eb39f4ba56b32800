#pragma once
// What a model file says of itself, whatever its format: the one description that all readers give and all
// writers take.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/string_table.h"
#include "tensor/dtype.h"

namespace quintet {

enum class Format : uint8_t { weights, safetensors };

// As in LoadOptions.format: "weights", "safetensors".
std::string_view name_of(Format format);

struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<uint64_t> shape;
  uint64_t offset = 0;  // of the data in the file
  uint64_t bytes = 0;   // of the data alone

  uint64_t elements() const;  // product of the shape; readers have checked that it fits 64 bits
};

enum class TokenizerType : uint8_t { none, wordpiece };

struct SpecialIds {
  std::optional<uint32_t> bos, eos, pad, unk, mask, cls, sep;
};

struct TokenizerDescription {
  TokenizerType type = TokenizerType::none;
  StringTable tokens;  // index = id
  SpecialIds special;
};

struct ModelDescription {
  Format format = Format::weights;
  std::string kind;  // as inspection shows it: "EMBD", "EMBD (flat)", "safetensors"
  uint16_t version_major = 0;
  uint16_t version_minor = 0;
  uint32_t flags = 0;
  std::optional<uint64_t> file_size;
  Json metadata = Json::object();  // what the file stores, key by key, in its order
  TokenizerDescription tokenizer;
  std::vector<TensorInfo> tensors;  // in file order

  const TensorInfo* find_tensor(std::string_view name) const;
};

}  // namespace quintet
