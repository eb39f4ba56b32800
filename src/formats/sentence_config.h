#pragma once
// The steps from a text to a vector around the network, as an embedder's files describe them; a format may have only
// some.

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace quintet {

// The pooling of token vectors into one vector: their mean, the first or the last token's vector, or the maximum of
// each element.
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

// The output of an embedder for a text: one vector, one for each token, or weights of entries of the vocabulary.
enum class VectorKind : uint8_t { dense, multi, sparse };
// In the order of VectorKind.
inline constexpr std::string_view kVectorKindNames[] = {"dense", "multi", "sparse"};
inline std::string_view name_of(VectorKind kind) { return kVectorKindNames[static_cast<size_t>(kind)]; }

// The role of a text in a search.
enum class TextRole : uint8_t { query, document };

// The weights of a text from the logits of all its tokens (SPLADE, Formal et al. 2021, arXiv:2109.10086): for each
// entry of the vocabulary the maximum or the sum over the tokens of log(1 + relu(x)).
struct SpladePooling {
  bool has_sum = false;
  bool has_second_log = false;  // log(1 + log(1 + relu(x)))
};

// Late interaction (ColBERT, Khattab and Zaharia 2020, arXiv:2004.12832): which tokens of a text have vectors. The
// defaults are PyLate's.
struct LateInteraction {
  std::string query_prefix = "[Q] ", document_prefix = "[D] ";  // each a token after the first one; empty: none
  // In tokens, prefix and special tokens included; 0: SentenceConfig::max_tokens.
  uint64_t query_length = 32, document_length = 180;
  bool expands_queries = true;  // with [MASK] up to their length
  bool attends_to_expansion = false;
  std::vector<std::string> skipped_words;  // tokens of documents without vectors

  // Python's string.punctuation.
  void skip_punctuation() {
    for (const char word : std::string_view(R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)")) skipped_words.emplace_back(1, word);
  }
};

// A linear layer after pooling, or of each token in late interaction.
struct DenseModule {
  std::string path;  // of its folder
  uint64_t in = 0, out = 0;
  bool has_bias = true;
  bool has_residual = false;  // the input is added to the result, by a matrix if the widths differ
  DenseActivation activation = DenseActivation::identity;
};

// The form of the scores of labels: logits, probabilities of each, or probabilities that add up to 1.
enum class LabelScores : uint8_t { logits, sigmoid, softmax };

// The labels of a classifier of texts or of their tokens.
struct LabelSet {
  std::vector<std::string> names;  // in the order of the logits
  LabelScores scores = LabelScores::softmax;
};

struct SentenceConfig {
  std::optional<Pooling> pooling;             // absent: not in the files
  bool pools_prompt = true;                   // else the tokens of a prompt are left out
  std::optional<bool> normalize;              // whether vectors are scaled to length 1
  std::optional<uint64_t> max_tokens;         // of a text, special tokens included
  std::optional<std::string> static_folder;   // of static embeddings in place of a network; "": the model's own
  std::vector<DenseModule> dense;             // in order
  std::optional<LateInteraction> late;        // in place of pooling
  std::optional<SpladePooling> splade;        // likewise
  std::string network_folder;                 // of a Router's network; empty: the model's own
  std::optional<std::string> query_weights;   // the folder of the weights of tokens in queries, in place of a network
  Json prompts = Json::object();              // name -> text
  std::optional<std::string> default_prompt;  // a name
  std::string score_activation;               // of a reranker: the name of PyTorch's class; empty: not there
  LabelSet labels;                            // of a classifier

  VectorKind vectors() const {
    if (splade) return VectorKind::sparse;
    return late ? VectorKind::multi : VectorKind::dense;
  }
};

}  // namespace quintet
