#pragma once
// Networks that map images and texts to vectors of one space, side by side in one model: CLIP and SigLIP. Networks of
// images alone map them to the features that a classifier reads.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "architectures/vision/families.h"

namespace quintet::vision {

enum class TowerChoice : uint8_t { both, image, text };

struct Towers {
  std::optional<Graph> image, text;
  // The similarity of an image and a text: the softmax over all texts, as CLIP was trained, or each text's sigmoid.
  bool is_pairwise = false;
  // All texts have as many tokens as there are positions: shorter ones are filled up, and the last token is the vector.
  // Otherwise a text ends at its first end token, and nothing after it counts.
  bool fills_texts = false;
  // The id of the end token; absent: the greatest id of a text.
  std::optional<uint32_t> end_token;
  uint32_t padding = 0;  // the id that fills texts up
};

// `config`: config.json of Hugging Face or of timm; null for a file alone. UNSUPPORTED if the model has no such tower,
// and as read_graph().
Result<Towers> read_towers(const Json& config, const std::vector<TensorInfo>& tensors, TowerChoice choice);

// Radford et al. 2021, arXiv:2103.00020 (modeling_clip.py).
AddFamily add_clip_image, add_clip_text;
// Zhai et al. 2023, arXiv:2303.15343 (modeling_siglip.py); SigLIP 2: Tschannen et al. 2025, arXiv:2502.14786.
AddFamily add_siglip_image, add_siglip_text;

}  // namespace quintet::vision
