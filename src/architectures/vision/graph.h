#pragma once
// A network of images as a list of nodes in the order of computation. Each node computes a map
// [height][width][channels] from maps of earlier nodes. A transformer's tokens are a map of one row. So are the ids of
// a text's tokens, with one channel: the text network that accompanies one of images is a graph, too.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/activation.h"

namespace quintet::vision {

enum class Op : uint8_t {
  image,  // the input: an image, or the ids of a text's tokens
  conv,   // convolution; a linear layer is one with a window of one pixel
  max_pool,
  average_pool,     // of the pixels that exist
  mean,             // over all pixels: one pixel
  maximum,          // over all pixels: one pixel
  subsample,        // every second row and column; new channels are zero, half of them before the old ones, half after
  sum,              // of both inputs, with an activation
  scale,            // every channel times that of `other`, one pixel
  batch_norm,       // of one pixel; others are folded into the convolution before them
  layer_norm,       // over the channels of each pixel
  response_norm,    // global response normalization (Woo et al. 2023, arXiv:2301.00808, section 3)
  embedding,        // a vector for each id of the input, and its position
  tokens,           // pixels as a row of tokens, after those of the weights; biases are added, its positions
  rotate,           // queries and keys of the patches, by their places in the grid of `other`
  attention,        // over the tokens of queries, keys and values, [3][heads][head_dim] per token
  gate,             // half of the channels, with an activation, times the other half
  token,            // one of the tokens
  patch_mean,       // the mean of all tokens from `first` on
  concat,           // channels of both inputs
  merge,            // 2x2 pixels as one, for Swin
  window_attention  // attention in windows (Liu et al. 2021, arXiv:2103.14030)
};

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

// The keys that a query of `attention` sees.
enum class AttentionMask : uint8_t {
  none,    // all
  causal,  // its own and those before it
  probe    // the first token asks, all others are seen: the result is one token
};

// Resizing of the grid of positions in `tokens` for images with another number of patches: by PyTorch's bicubic
// interpolation, without and with antialiasing.
enum class Resizing : uint8_t { none, bicubic, antialiased };

inline constexpr uint32_t kLastToken = UINT32_MAX;

// Zeros around a map: the two numbers, unless a flag changes them.
struct Padding {
  uint32_t before = 0;
  uint32_t after = 0;
  bool same =
      false;  // TensorFlow's SAME: outputs are ceil(size / stride), an odd number of zeros has one more at the end
  bool fills = false;  // zeros at the end only, until the stride divides the size
};

struct Window {
  uint32_t kernel = 1;
  uint32_t stride = 1;
  Padding padding = {};
};

// The tensors with the numbers of a node. All of it is folded into one weight [out][...] and one bias [out] when the
// model is loaded:
//   weight = factor * layer_scale * (norm.weight / sqrt(norm.running_var + epsilon)) * weights, one below another
// Weights in int8 come with a scale per output channel, under the names of compressed-tensors:
// "weight_scale" and, unless it is 0, "weight_zero_point"; their values are (weight - zero point) * scale.
struct Parameters {
  std::vector<std::string> weights = {};
  std::vector<std::string> biases = {};  // empty, or one per weight; an empty name is zeros
  std::string norm = {};                 // a batch norm's name without ".weight" and so on; empty: none
  std::string layer_scale = {};          // [out]; empty: none
  float epsilon = 0;                     // of the batch norm
  float factor = 1;
};

struct Node {
  Op op = Op::image;
  NodeId input = kNoNode;
  NodeId other = kNoNode;  // conv: added before the activation; scale: the factors; concat: the second input
  Window window = {};
  uint32_t channels = 0;  // of the result
  uint32_t groups = 1;    // of a convolution; depthwise: the number of channels
  Activation activation = Activation::none;
  Parameters parameters = {};
  float epsilon = 0;   // of a layer or response norm
  uint32_t heads = 0;  // of attention
  AttentionMask mask = AttentionMask::none;
  float theta = 0;  // rotate: the longest wavelength
  // tokens, rotate: how many are in front; token: its index, or kLastToken; patch_mean: the first that is averaged
  uint32_t first = 0;
  Resizing resizing = Resizing::none;
  uint32_t side = 0;   // window_attention: the side of a window
  uint32_t shift = 0;  // window_attention: by how much windows are shifted
};

struct Graph {
  std::string family;       // "MobileNetV2"
  uint32_t input_size;      // usual side of the input; of a text, its largest number of tokens
  uint32_t classes = 0;     // 0 without a classifier
  NodeId features = 0;      // the vector before the classifier
  std::vector<Node> nodes;  // the last computes the logits, or the features

  uint32_t input_channels() const { return nodes[0].channels; }
  bool reads_text() const { return nodes.size() > 1 && nodes[1].op == Op::embedding; }
};

}  // namespace quintet::vision
