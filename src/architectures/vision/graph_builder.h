#pragma once
// Builds a graph from the tensors of a file: sizes come from the shapes of the weights, everything else from the
// family.

#include <string>
#include <string_view>
#include <vector>

#include "architectures/vision/graph.h"
#include "base/flag_list.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::vision {

// Names of a convolution and of the batch norm after it, without ".weight"; no norm: the convolution may have a bias.
struct ConvNames {
  std::string conv;
  std::string norm = {};
};

struct ConvOptions {
  uint32_t stride = 1;
  Activation activation = Activation::none;
  NodeId addend = kNoNode;
  NodeId shortcut = kNoNode;            // an addend if it has as many channels as the result
  std::optional<Padding> padding = {};  // absent: as the family pads
  std::string layer_scale = {};
  float factor = 1;
};

// Differences between the families that use batch norms.
struct NormalizedStyle {
  bool same_padding = false;  // TensorFlow's SAME; otherwise (kernel - 1) / 2 on every side
  float epsilon = 1e-5F;      // of batch norms
};

// After the first error, nothing is added and all nodes are node 0, so that families read like their papers' tables;
// finish() returns the error.
class GraphBuilder {
 public:
  // Names in the file have this prefix, which those given here do not. The tensors must outlive the builder.
  GraphBuilder(const std::vector<TensorInfo>& tensors, std::string prefix, std::string family, uint32_t input_size);
  // Ignores tensors with names that begin like this, which belong to the other network in the file.
  void leave_out(std::string_view beginning) { left_out_.emplace_back(beginning); }

  NormalizedStyle style;

  bool has(std::string_view name) const { return find(name) != nullptr; }  // a whole tensor name
  uint32_t channels(NodeId node) const { return graph_.nodes[node].channels; }
  // The number of tokens in front of the patches.
  uint32_t front(NodeId tokens) const { return graph_.nodes[tokens].first; }
  // Sizes of a convolution in the file, whose name is without ".weight"; 0 if there is none.
  uint32_t kernel(const std::string& conv) const { return size_of(conv, 2); }
  uint32_t outputs(const std::string& conv) const { return size_of(conv, 0); }
  bool is_depthwise(const std::string& conv) const { return size_of(conv, 1) == 1; }
  bool failed() const { return !status_; }

  NodeId image() const { return 0; }
  NodeId conv(NodeId x, const ConvNames& names, ConvOptions options = {});
  // A matrix [out][in], or several of them one below another; in some files with two more dimensions of 1. `names`
  // without ".weight", or without "weight" if they end with "_".
  NodeId linear(NodeId x, std::vector<std::string> names, ConvOptions options = {});
  NodeId max_pool(NodeId x, Window window);
  NodeId average_pool(NodeId x, Window window);
  NodeId mean(NodeId x);
  // Squeeze and excitation (Hu et al. 2017, arXiv:1709.01507): x times gate(expand(activation(reduce(mean(x))))).
  NodeId squeeze_excite(NodeId x, const std::string& reduce, const std::string& expand, Activation activation,
                        Activation gate);
  NodeId sum(NodeId x, NodeId y, Activation activation);
  NodeId layer_norm(NodeId x, const std::string& name, float epsilon);
  NodeId response_norm(NodeId x, const std::string& weight, const std::string& bias, float epsilon);
  // The vectors of a text's tokens: the input becomes their ids. Tensors by their whole names, here and below.
  NodeId embedding(const std::string& table, const std::string& positions);
  // Tokens in front, and positions, for the patches or for all tokens; an empty name: none.
  NodeId tokens(NodeId x, std::vector<std::string> front, const std::string& positions,
                Resizing resizing = Resizing::none);
  NodeId attention(NodeId x, uint32_t heads, AttentionMask mask = AttentionMask::none);
  // x: queries, keys and values of `front` tokens and of the patches, which are the pixels of `grid`.
  NodeId rotate(NodeId x, NodeId grid, uint32_t heads, uint32_t front, float theta);
  NodeId gate(NodeId x, Activation activation);
  NodeId token(NodeId x, uint32_t index);
  NodeId patch_mean(NodeId x, uint32_t first);
  NodeId concat(NodeId x, NodeId y);
  NodeId merge(NodeId x);
  NodeId window_attention(NodeId x, uint32_t heads, uint32_t side, uint32_t shift, const std::string& bias_table);

  // The logits, if the file has this layer. Returns the features.
  NodeId classifier(NodeId features, const std::string& name);

  // Tensors that the computation does not use: names that end like this, after a dot.
  void ignore(std::string_view ending);
  void fail_with(Failure failure) {
    if (status_) status_ = std::move(failure);
  }

  // `features`: the vector that the classifier reads; the last node if there is no classifier.
  Result<Graph> finish(NodeId features) &&;

 private:
  const TensorInfo* find(std::string_view name) const;
  // Marks what belongs to a weight in int8 as used.
  void use_scale(const std::string& weight, uint64_t channels);
  // Marks the tensor as used. UNSUPPORTED if it is missing, or if its shape is not this; 0 is any size.
  const TensorInfo* use(const std::string& name, const std::vector<uint64_t>& shape);
  const TensorInfo* take(const std::string& name);
  uint32_t size_of(const std::string& conv, size_t axis) const;
  bool has_bias(const std::string& layer) const;
  std::string use_bias(const std::string& layer, uint64_t channels);
  void use_norm(const std::string& norm, uint64_t channels);
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }
  NodeId add(Node node);
  NodeId add_weighted(Node node, const ConvNames& names, const ConvOptions& options);
  void refuse_shape(const TensorInfo& info);
  Padding padding_of(uint32_t kernel, const ConvOptions& options) const;

  const std::vector<TensorInfo>& tensors_;
  TensorLookup lookup_;
  std::string prefix_;
  FlagList used_;
  std::vector<std::string> ignored_, left_out_;
  Graph graph_;
  Status status_;
};

}  // namespace quintet::vision
