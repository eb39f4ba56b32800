#pragma once
// What a model file says of itself, whatever its format: the one description that all readers give
// and all writers take.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/string_table.h"
#include "formats/layer_table.h"
#include "tensor/dtype.h"
#include "tensor/quantization.h"

namespace quintet {

enum class Format : uint8_t { weights, safetensors, amb, alt, tinyruntime, gguf };

// As in LoadOptions.format: "weights", "safetensors", "amb", "alt", "tinyruntime"; and "gguf",
// which is only read.
std::string_view name_of(Format format);

struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::f32;   // of the elements; without meaning where the tensor is quantized
  Quantization quantization;  // Scheme::none for plain elements
  std::vector<uint64_t> shape;
  uint64_t offset = 0;         // of the data in the file
  uint64_t bytes = 0;          // of the data alone
  uint64_t scales_offset = 0;  // of the scales that stand apart, which come first in the payload
  uint64_t scales_bytes = 0;   // 0 where there are none
  bool transposed = false;     // a matrix that the file stores column by column; readers give its sink rows

  bool quantized() const { return quantization.scheme != Scheme::none; }
  uint64_t payload_bytes() const { return scales_bytes + bytes; }
  uint64_t elements() const;  // product of the shape; readers have checked that it fits 64 bits
};

// An error about one tensor: it names the tensor and the place of its data.
std::unexpected<Error> tensor_error(Code code, Reason reason, const TensorInfo& info, std::string detail);
// The tensor `name`, which a model needs, is not in the file.
std::unexpected<Error> missing_tensor(std::string name, std::string detail);

// "[2, 3]", for messages.
std::string shape_text(const std::vector<uint64_t>& shape);

// The data type as the format spells it: "FLOAT32", "F32", "FP32", "INT4BLOCK", "qint8", "Q4_K".
std::string_view dtype_name(Format format, const TensorInfo& info);

enum class TokenizerType : uint8_t { none, wordpiece, bpe, sentencepiece, custom };

struct SpecialIds {
  std::optional<uint32_t> bos, eos, pad, unk, mask, cls, sep;
};

// As SentencePiece's ModelProto numbers them.
enum class PieceType : uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

// What becomes ids where a text does: the text, or the two of a pair, and special tokens around them.
struct FramePart {
  enum class Kind : uint8_t { token, first, second };
  Kind kind = Kind::token;
  uint32_t id = 0;   // of a token
  uint8_t type = 0;  // the token type of all that stands here

  bool operator==(const FramePart&) const = default;
};

struct TextFrame {
  std::vector<FramePart> single;  // with one `first`
  std::vector<FramePart> pair;    // with one `first` and one `second`; empty where texts stand as they do alone

  bool empty() const { return single.empty(); }
};

struct TokenizerDescription {
  TokenizerType type = TokenizerType::none;
  SpecialIds special;
  std::vector<uint32_t> ends;   // every id that ends an answer, ascending; empty where the file names none
  std::optional<bool> add_bos;  // whether a text begins with special.bos; absent where the file does not say
  std::optional<bool> add_eos;  // whether it ends with special.eos; the same
  TextFrame frame;              // empty where the file says no more than these two
  std::string pre_tokenizer;    // bpe: a name of formats/pre_tokenizers.h, or another that the file has; empty is gpt2
  bool ignore_merges = false;   // bpe: a word that is a token is that token, whatever the merges say
  bool nfc = false;             // bpe: text is brought into Normalization Form C first
  StringTable tokens;           // index = id, but for bpe with `ids`
  std::vector<uint32_t> ids;    // bpe: the id of each token, in the order of the file
  StringTable merges;           // bpe: "left right", best first
  std::vector<float> scores;    // sentencepiece: one a token
  std::vector<PieceType> piece_types;  // sentencepiece: one a token; bpe: the same, or none where the file tells none
  // Tokens that take the white space beside them, where they are spelled out in a text: ids, ascending.
  std::vector<uint32_t> trims_left, trims_right;
  std::vector<std::byte> bytes;  // sentencepiece: the serialized ModelProto, where the file has it; custom: all of it
  uint64_t stored_bytes = 0;     // of the tokenizer's part of the file

  uint64_t size() const { return tokens.size(); }
};

struct ModelDescription {
  Format format = Format::weights;
  std::string kind;  // as inspection shows it: "EMBD", "EMBD (flat)", "safetensors", "AMB", "ALT", "dq8"
  uint16_t version_major = 0;
  uint16_t version_minor = 0;
  uint32_t flags = 0;
  std::optional<uint64_t> file_size;
  std::string architecture;        // "llama", "phi3", "bert", "ResNet-18"; empty where the file does not say
  Json metadata = Json::object();  // what the file says about itself, key by key, in its order
  Json config = Json::object();    // the model's sizes and switches under the format's own names
  TokenizerDescription tokenizer;
  std::optional<LayerTable> layers;        // convolutional networks
  std::vector<TensorInfo> tensors;         // in file order
  std::vector<std::string> warnings = {};  // what a reader had to guess

  const TensorInfo* find_tensor(std::string_view name) const;
};

// Tensors by name, for files with so many that a search from the front would take quadratic time.
class TensorLookup {
 public:
  // The tensors stay the caller's and outlive this.
  explicit TensorLookup(const std::vector<TensorInfo>& tensors);

  const TensorInfo* find(std::string_view name) const;

 private:
  std::vector<const TensorInfo*> by_name_;
};

// Sizes beyond any model. They are so small that no product of three of them with a data type's size overflows 64 bits.
constexpr uint64_t kMaxTokens = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxPositions = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxWidth = uint64_t{1} << 20;  // of a position's vector, of a head, of the feed-forward part
constexpr uint64_t kMaxHeads = uint64_t{1} << 16;
constexpr uint64_t kMaxLayers = uint64_t{1} << 16;
constexpr double kMaxReal = std::numeric_limits<float>::max();

}  // namespace quintet
