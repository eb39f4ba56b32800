#include "architectures/vision/checkpoint.h"

#include <array>
#include <utility>

#include "base/flag_list.h"
#include "formats/tinyruntime/check.h"

namespace quintet {
namespace {

constexpr std::string_view kStage = "layer";

// fastai's body is Sequential(conv1, bn1, relu, maxpool, layer1, ...).
constexpr int kChildrenBeforeStages = 4;
// create_head() is Sequential(pool, flatten, bn, dropout, linear, relu, bn, dropout, linear).
constexpr std::array<std::string_view, 2> kSequentialNorms = {"1.2", "1.6"};
constexpr std::array<std::string_view, 2> kSequentialLinears = {"1.4", "1.8"};

constexpr size_t kConvDimensions = 4;

class Importer {
 public:
  Importer(const std::vector<TensorInfo>& tensors, CheckpointNames names)
      : tensors_(tensors), lookup_(tensors), used_(tensors.size()), names_(std::move(names)) {}

  Result<NetworkCheckpoint> run() {
    uint32_t convs = 0;
    for (const TensorInfo& info : tensors_) convs += info.shape.size() == kConvDimensions ? 1U : 0U;
    const tinyruntime::Tail tail = names_.plain_tail() ? tinyruntime::Tail::plain : tinyruntime::Tail::concat;
    std::optional<tinyruntime::Network> graph = tinyruntime::network_of(convs, tail);
    if (!graph) {
      return unsupported_error("{} convolutions with the {} tail; supported are {}", convs, name_of(tail),
                               tinyruntime::supported_networks());
    }
    checkpoint_.graph = *std::move(graph);
    QUINTET_CHECK(take_convs());
    QUINTET_CHECK(take_linears());
    checkpoint_.layers.classes = checkpoint_.layers.linears.back().out_features;
    QUINTET_CHECK(tinyruntime::checked_network(checkpoint_.layers));
    QUINTET_CHECK(take_sources());
    QUINTET_CHECK(check_all_used());
    return std::move(checkpoint_);
  }

 private:
  // Marks a tensor as used. Null if there is none.
  const TensorInfo* find(std::string_view name) {
    const TensorInfo* info = lookup_.find(name);
    if (info) used_[static_cast<size_t>(info - tensors_.data())] = true;
    return info;
  }

  Result<const TensorInfo*> need(const std::string& name, size_t dimensions) {
    const TensorInfo* info = find(name);
    if (!info) return input_error(Reason::missing, "no tensor \"{}\"", name);
    if (info->shape.size() != dimensions) return wrong_shape(name);
    for (const uint64_t dimension : info->shape) {
      if (dimension > kMaxChannels) return wrong_shape(name);
    }
    return info;
  }

  static Failure wrong_shape(const std::string& name) {
    return input_error(Reason::mismatch, "tensor \"{}\" has a shape that does not match its layer", name);
  }

  Status take_convs() {
    const std::vector<ConvShape> shapes = conv_shapes(checkpoint_.graph);
    const std::vector<std::string> convs = conv_names(checkpoint_.graph);
    for (size_t i = 0; i < convs.size(); ++i) {
      const std::string name = names_.conv(convs[i]);
      QUINTET_TRY(const TensorInfo* info, need(name + ".weight", kConvDimensions));
      if (info->shape[2] != shapes[i].kernel || info->shape[3] != shapes[i].kernel) return wrong_shape(info->name);
      ConvLayer conv{
          .kernel = shapes[i].kernel, .stride = shapes[i].stride, .padding = shapes[i].padding, .output = {}};
      conv.out_channels = static_cast<uint32_t>(info->shape[0]);
      conv.in_channels = static_cast<uint32_t>(info->shape[1]);
      const std::string norm = names_.norm_behind(convs[i]);
      const bool folds = find(norm + ".weight") != nullptr;
      conv.bias = folds || find(name + ".bias");
      checkpoint_.layers.convs.push_back(conv);
      layers_.push_back({name, folds ? norm : std::string()});
    }
    return {};
  }

  Status take_linears() {
    const uint32_t count = checkpoint_.graph.tail == tinyruntime::Tail::plain ? 1 : 2;
    for (uint32_t i = 0; i < count; ++i) {
      const std::string name = names_.linear(i);
      QUINTET_TRY(const TensorInfo* info, need(name + ".weight", 2));
      LinearLayer linear{.in_features = static_cast<uint32_t>(info->shape[1]),
                         .out_features = static_cast<uint32_t>(info->shape[0]),
                         .output = {}};
      linear.bias = find(name + ".bias") != nullptr;
      checkpoint_.layers.linears.push_back(linear);
      layers_.push_back({name, {}});
    }
    for (uint32_t i = 0; count == 2 && i < count; ++i) {
      const std::string name = names_.head_norm(i);
      QUINTET_TRY(const TensorInfo* info, need(name + ".weight", 1));
      checkpoint_.layers.batch_norms.push_back(static_cast<uint32_t>(info->shape[0]));
      layers_.push_back({name, {}});
    }
    return {};
  }

  Status take_sources() {
    for (tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(checkpoint_.layers, checkpoint_.graph)) {
      const auto& [name, norm] = layers_[tensor.layer];
      NetworkSource source;
      source.values = name + tensor.name.substr(tensor.name.rfind('.'));
      source.batch_norm = norm;
      const bool from_norm_alone =
          tensor.part == tinyruntime::TensorPart::bias && !source.batch_norm.empty() && !find(source.values);
      if (from_norm_alone) source.values.clear();
      if (!from_norm_alone) QUINTET_CHECK(check_values(source.values, tensor.shape));
      if (!source.batch_norm.empty()) QUINTET_CHECK(check_norm(source.batch_norm, tensor.shape[0]));
      source.tensor = std::move(tensor);
      checkpoint_.sources.push_back(std::move(source));
    }
    return {};
  }

  Status check_values(const std::string& name, const std::vector<uint64_t>& shape) {
    QUINTET_TRY(const TensorInfo* info, need(name, shape.size()));
    return info->shape == shape ? Status() : wrong_shape(name);
  }

  Status check_norm(const std::string& norm, uint64_t channels) {
    for (const std::string_view array : tinyruntime::kBatchNormSuffixes)
      QUINTET_CHECK(check_values(formatted("{}{}", norm, array), {channels}));
    return {};
  }

  // A tensor that is left over belongs to a computation that this network does not have.
  Status check_all_used() const {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      if (used_[i] || tensors_[i].name.ends_with("num_batches_tracked")) continue;
      return unsupported_error("tensor \"{}\" is not one of a {}", tensors_[i].name, checkpoint_.graph.architecture);
    }
    return {};
  }

  struct SourceLayer {
    std::string name, norm;
  };

  const std::vector<TensorInfo>& tensors_;
  TensorLookup lookup_;
  FlagList used_;
  CheckpointNames names_;
  NetworkCheckpoint checkpoint_;
  std::vector<SourceLayer> layers_;  // convolutions, then linear layers, then batch norms
};

}  // namespace

std::optional<CheckpointNames> CheckpointNames::find(const std::vector<TensorInfo>& tensors) {
  const auto has = [&tensors](const std::string& name) {
    for (const TensorInfo& info : tensors) {
      if (info.name == name) return true;
    }
    return false;
  };
  for (const std::string_view prefix : {"", "module.", "model."}) {
    for (const bool sequential : {false, true}) {
      CheckpointNames names;
      names.prefix_ = prefix;
      names.sequential_ = sequential;
      if (!has(names.conv("conv1") + ".weight")) continue;
      for (const std::string_view linear : {"fc", "linear"}) {
        const std::string name = formatted("{}{}", names.prefix_, linear);
        if (has(name + ".weight")) names.linear_ = name;
      }
      return names;
    }
  }
  return std::nullopt;
}

std::string CheckpointNames::conv(std::string_view conv) const {
  if (!sequential_) return formatted("{}{}", prefix_, conv);
  if (!conv.starts_with(kStage)) return prefix_ + (conv == "bn1" ? "0.1" : "0.0");
  const int stage = conv[kStage.size()] - '0';
  return formatted("{}0.{}{}", prefix_, stage - 1 + kChildrenBeforeStages, conv.substr(kStage.size() + 1));
}

// conv1 goes with bn1, downsample.0 with downsample.1.
std::string CheckpointNames::norm_behind(std::string_view conv) const {
  std::string norm(conv);
  if (norm.ends_with("downsample.0")) {
    norm.back() = '1';
  } else {
    norm.replace(norm.rfind("conv"), 4, "bn");
  }
  return this->conv(norm);
}

std::string CheckpointNames::linear(uint32_t index) const {
  if (plain_tail()) return linear_;
  return prefix_ + (sequential_ ? std::string(kSequentialLinears[index]) : formatted("head.fc{}", index + 1));
}

std::string CheckpointNames::head_norm(uint32_t index) const {
  return prefix_ + (sequential_ ? std::string(kSequentialNorms[index]) : formatted("head.bn{}", index + 1));
}

Result<NetworkCheckpoint> read_network_checkpoint(const std::vector<TensorInfo>& tensors) {
  std::optional<CheckpointNames> names = CheckpointNames::find(tensors);
  if (!names) return unsupported_error("the tensor names are not those of a ResNet: there is no conv1.weight");
  return Importer(tensors, *std::move(names)).run();
}

}  // namespace quintet
