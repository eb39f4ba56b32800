#pragma once
// Maps pictures and texts to vectors of one space, step by step. A model may have either tower alone.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/model_description.h"
#include "runtime/image_network/picture_network.h"
#include "runtime/tokenize/standalone_tokenizer.h"

namespace quintet {

// The network of texts, and how a text becomes its input.
struct TextTower {
  NetworkRun network;
  std::optional<StandaloneTokenizer> tokenizer;  // absent: the model only accepts ids
  // vision::Towers
  bool fills_texts = false;
  std::optional<uint32_t> end_token = {};
  uint32_t padding = 0;

  std::span<const uint32_t> read_of(std::span<const uint32_t> ids) const;
  uint32_t max_tokens() const { return network.network().usual_input_size(); }
};

// The similarity of an image and a text (vision::Towers): of scale x cosine + bias.
struct SimilarityRule {
  bool is_pairwise = false;
  float scale = 100, bias = 0;
};

class ImageEmbedder {
 public:
  // At least one tower.
  struct Parts {
    ModelDescription description;
    std::optional<PictureNetwork> image;
    std::optional<TextTower> text;
    SimilarityRule similarity;
  };

  explicit ImageEmbedder(Parts parts) : parts_(std::move(parts)) {}

  const ModelDescription& description() const { return parts_.description; }
  bool has_images() const { return parts_.image.has_value(); }
  bool has_texts() const { return parts_.text.has_value(); }
  const SimilarityRule& similarity() const { return parts_.similarity; }
  // Numbers of a vector.
  uint32_t dimension() const;
  // 0 without a text tower.
  uint32_t max_tokens() const { return has_texts() ? parts_.text->max_tokens() : 0; }
  // Memory of the weights, and the most that a pass adds to it.
  uint64_t bytes() const;
  uint64_t work_bytes() const;

  // The picture as the input of the network. UNSUPPORTED without the tower, here and below.
  Result<PreparedImage> prepare(const Pixels& picture) const;
  // 0 without an image tower.
  uint32_t input_size() const;

  // Each starts a pass and discards an unfinished one.
  Status begin(const Pixels& picture);
  // [channels][height][width], normalized and finite.
  Status begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width);
  // A text of more than max_tokens() is cut, its special tokens are kept; a shorter one is filled up, if the model is
  // like that.
  Status begin_text(std::string_view utf8);
  // Ids, unchanged. INPUT for none, for too many, and for ids outside the vocabulary.
  Status begin_ids(std::span<const uint32_t> ids);
  // The ids of a text of any length, with special tokens.
  Result<std::vector<uint32_t>> tokenize(std::string_view utf8) const;

  // Computes for a few milliseconds; true once the vector is available.
  Result<bool> step();
  // The vector of a complete pass, of length 1; empty without one. Ends the pass.
  std::vector<float> take();
  // Discards the pass.
  void cancel();

 private:
  Status require_images() const;
  Status require_texts() const;
  Status require_tokenizer() const;

  Parts parts_;
  NetworkRun* running_ = nullptr;  // of the towers
};

}  // namespace quintet
