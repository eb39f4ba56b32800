#pragma once
// The description of a model file, of any format. All readers return it and all writers accept it.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "tensor/dtype.h"
#include "tensor/quantization.h"
#include "tokenizers/tokenizer_description.h"

namespace quintet {

enum class Format : uint8_t { embd, safetensors, amb, alt, tinyruntime, gguf };

// As in LoadOptions.format: "weights", "safetensors", "amb", "alt", "tinyruntime"; and "gguf", which can only be read.
std::string_view name_of(Format format);

// Returns the number of elements of a shape; nothing if it does not fit 64 bits.
std::optional<uint64_t> checked_elements(const std::vector<uint64_t>& shape);

struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::f32;   // of the elements; unused for quantized tensors
  Quantization quantization;  // Scheme::none for plain elements
  std::vector<uint64_t> shape;
  uint64_t offset = 0;         // of the data in the file
  uint64_t bytes = 0;          // of the data only
  uint64_t scales_offset = 0;  // of separate scales, which come first in the payload
  uint64_t scales_bytes = 0;   // 0 if there are none
  bool transposed = false;     // a matrix that the file stores column by column; readers pass rows to its sink

  bool quantized() const { return quantization.scheme != Scheme::none; }
  uint64_t payload_bytes() const { return scales_bytes + bytes; }
  uint64_t elements() const;  // product of the shape; readers have checked that it fits 64 bits
};

Failure tensor_error_of(Code code, Reason reason, const TensorInfo& info, const char* pattern,
                        const FieldValue* values);
Failure entry_error_of(Code code, Reason reason, uint64_t offset, std::string_view tensor, const char* pattern,
                       const FieldValue* values);

// An error about a tensor: has its name and the position of its data.
template <class... Values>
QUINTET_INLINE Failure tensor_error(Code code, Reason reason, const TensorInfo& info, Pattern<sizeof...(Values)> detail,
                                    const Values&... values) {
  return tensor_error_of(code, reason, info, detail.text, std::initializer_list<FieldValue>{values...}.begin());
}

// An error in the file's description of a tensor, at this offset.
template <class... Values>
QUINTET_INLINE Failure entry_error(Code code, Reason reason, uint64_t offset, std::string_view tensor,
                                   Pattern<sizeof...(Values)> detail, const Values&... values) {
  return entry_error_of(code, reason, offset, tensor, detail.text,
                        std::initializer_list<FieldValue>{values...}.begin());
}

// The error for a missing tensor that a model needs.
Failure missing_tensor(std::string_view name, Pattern<0> detail);

// DUPLICATE if two of the tensors, which come from several files, have the same name.
Status check_in_one_file(const std::vector<TensorInfo>& tensors);

// "[2, 3]", for messages.
std::string shape_text(const std::vector<uint64_t>& shape);

// The data type as the format spells it: "FLOAT32", "F32", "FP32", "INT4BLOCK", "qint8", "Q4_K".
std::string_view dtype_name(Format format, const TensorInfo& info);

struct ModelDescription {
  Format format = Format::embd;
  std::string kind;  // as shown by inspect: "EMBD", "EMBD (flat)", "safetensors", "AMB", "ALT", "dq8"
  uint16_t version_major = 0;
  uint16_t version_minor = 0;
  uint32_t flags = 0;
  std::optional<uint64_t> file_size;
  std::string architecture;        // "llama", "phi3", "bert", "ResNet-18"; empty if the file does not name it
  Json metadata = Json::object();  // metadata of the file, in order
  Json config = Json::object();    // the sizes and switches of the model, under the format's own names
  TokenizerDescription tokenizer;
  std::optional<LayerTable> layers;        // convolutional networks
  std::vector<TensorInfo> tensors;         // in file order
  std::vector<std::string> warnings = {};  // guesses of a reader

  const TensorInfo* find_tensor(std::string_view name) const;
};

// Adds the tensors of another file of the same model. MISMATCH if its format is another; DUPLICATE as above.
Status add_file(ModelDescription& model, const ModelDescription& file);

// Tensors by name: a linear search for each tensor of a large file would take quadratic time.
class TensorLookup {
 public:
  // The tensors must outlive this.
  explicit TensorLookup(const std::vector<TensorInfo>& tensors);

  const TensorInfo* find(std::string_view name) const;

 private:
  std::vector<const TensorInfo*> by_name_;
};

// Limits beyond any model, low enough that no product of three of them with the size of a data type overflows 64 bits.
constexpr uint64_t kMaxTokens = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxKernel = 64;                     // positions of a short convolution
constexpr uint64_t kMaxMambaState = uint64_t{1} << 12;  // of a channel
constexpr uint64_t kMaxDeltaDim = uint64_t{1} << 12;    // numbers in a head of a gated DeltaNet
constexpr uint64_t kMaxPositions = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxWidth = uint64_t{1} << 20;  // of a position's vector, a head, the feed-forward layer
constexpr uint64_t kMaxHeads = uint64_t{1} << 16;
constexpr uint64_t kMaxExperts = uint64_t{1} << 12;
constexpr uint64_t kMaxLayers = uint64_t{1} << 16;
constexpr double kMaxReal = std::numeric_limits<float>::max();

}  // namespace quintet
