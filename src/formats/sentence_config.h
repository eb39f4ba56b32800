#pragma once
// What the files of an embedder say about the way from a text to its vector, besides the network: as far as a format
// has it.

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace quintet {

// How the vectors of tokens become one: their mean, that of the first or of the last token, or the maximum of each
// element.
enum class Pooling : uint8_t { mean, cls, max, last };
// In the order of Pooling.
inline constexpr std::string_view kPoolingNames[] = {"mean", "cls", "max", "last"};
inline std::string_view name_of(Pooling pooling) { return kPoolingNames[static_cast<size_t>(pooling)]; }
// Nothing for other names.
inline std::optional<Pooling> pooling_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kPoolingNames); ++i) {
    if (kPoolingNames[i] == name) return static_cast<Pooling>(i);
  }
  return std::nullopt;
}

enum class DenseActivation : uint8_t { identity, tanh, relu, gelu };

// A linear layer after pooling.
struct DenseModule {
  std::string path;  // of its folder
  uint64_t in = 0, out = 0;
  bool has_bias = true;
  DenseActivation activation = DenseActivation::identity;
};

// What the logits of labels become: nothing else, probabilities of each, or probabilities that add up to 1.
enum class LabelScores : uint8_t { logits, sigmoid, softmax };

// The labels of a classifier of texts or of their tokens.
struct LabelSet {
  std::vector<std::string> names;  // in the order of the logits
  LabelScores scores = LabelScores::softmax;
};

struct SentenceConfig {
  std::optional<Pooling> pooling;             // absent: the files do not say it
  bool pools_prompt = true;                   // else the tokens of a prompt are left out
  std::optional<bool> normalize;              // whether vectors are scaled to length 1
  std::optional<uint64_t> max_tokens;         // of a text, special tokens included
  std::optional<std::string> static_folder;   // of static embeddings in place of a network; "": the model's own
  std::vector<DenseModule> dense;             // in order
  Json prompts = Json::object();              // name -> text
  std::optional<std::string> default_prompt;  // a name
  std::string score_activation;               // of a reranker: the name of PyTorch's class; empty: not there
  LabelSet labels;                            // of a classifier
};

}  // namespace quintet
