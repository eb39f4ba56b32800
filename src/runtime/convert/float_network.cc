#include "runtime/convert/float_network.h"

#include <algorithm>
#include <utility>

#include "formats/tinyruntime/check.h"
#include "tensor/batch_norm_folding.h"

namespace quintet {
namespace {

// In a tinyRuntime file, batch norms are already folded.
Result<NetworkCheckpoint> of_file(const LayerTable& table) {
  QUINTET_TRY(const tinyruntime::Network graph, tinyruntime::checked_network(table));
  NetworkCheckpoint checkpoint{.graph = graph, .layers = table, .sources = {}};
  checkpoint.layers.kind = NetworkKind::vanilla;
  checkpoint.layers.asymmetric = false;
  checkpoint.layers.activations.clear();
  for (tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(table, graph)) {
    const std::string name = tensor.name;
    checkpoint.sources.push_back({.tensor = std::move(tensor), .values = name, .batch_norm = {}});
  }
  return checkpoint;
}

Result<NetworkCheckpoint> checkpoint_of(const SourceModel& source) {
  if (source.description.layers) return of_file(*source.description.layers);
  std::vector<TensorInfo> infos;
  for (const SourceTensor& tensor : source.tensors) infos.push_back(tensor.info);
  return read_network_checkpoint(infos);
}

// The names of all tensors whose values are needed.
std::vector<std::string> needed_names(const std::vector<NetworkSource>& sources) {
  std::vector<std::string> names;
  for (const NetworkSource& source : sources) {
    if (!source.values.empty()) names.push_back(source.values);
    // A weight and its bias name the same batch norm.
    if (source.batch_norm.empty() || source.tensor.part != tinyruntime::TensorPart::weight) continue;
    for (const std::string_view array : tinyruntime::kBatchNormSuffixes)
      names.push_back(formatted("{}{}", source.batch_norm, array));
  }
  return names;
}

}  // namespace

Result<FloatNetwork> FloatNetwork::create(const SourceModel& source) {
  QUINTET_TRY(NetworkCheckpoint checkpoint, checkpoint_of(source));
  FloatNetwork network(std::move(checkpoint));
  const std::vector<std::string> names = needed_names(network.tensors());
  for (const SourceTensor& tensor : source.tensors) {
    if (std::ranges::find(names, tensor.info.name) != names.end()) network.inputs_.push_back(tensor);
  }
  network.loaded_.resize(network.inputs_.size());
  return network;
}

std::vector<float>& FloatNetwork::loaded(std::string_view name) {
  const auto input = std::ranges::find(
      inputs_, name, [](const SourceTensor& tensor) -> const std::string& { return tensor.info.name; });
  return loaded_[static_cast<size_t>(input - inputs_.begin())];
}

Result<std::optional<Range>> FloatNetwork::next_range() {
  while (range_ == ranges_.size()) {
    if (decoder_) QUINTET_CHECK(decoder_->finish());
    decoder_.reset();
    if (next_ == inputs_.size()) return std::nullopt;
    QUINTET_CHECK(begin_tensor());
  }
  return ranges_[range_++];
}

Status FloatNetwork::begin_tensor() {
  const SourceTensor& tensor = inputs_[next_];
  const TensorInfo& info = tensor.info;
  QUINTET_TRY(decoder_, make_decoder(info.dtype, info.quantization, info.elements(), info.bytes,
                                     std::make_unique<ValueCollector>(loaded_[next_])));
  ++next_;
  ranges_ = ranges_of(tensor);
  range_ = 0;
  return {};
}

Status FloatNetwork::feed(Bytes piece) { return decoder_->write(piece); }

Status FloatNetwork::fold() {
  const std::vector<NetworkSource>& sources = tensors();
  for (const NetworkSource& source : sources) {
    std::vector<float> values = source.values.empty() ? std::vector<float>() : std::move(loaded(source.values));
    values.resize(static_cast<size_t>(source.tensor.elements()));  // zeros if there are none
    folded_.push_back(std::move(values));
  }
  for (size_t i = 0; i + 1 < sources.size(); ++i) {
    const std::string& norm = sources[i].batch_norm;
    if (norm.empty() || sources[i].tensor.part != tinyruntime::TensorPart::weight) continue;
    const auto array = [&](size_t a) -> std::span<const float> {
      return loaded(formatted("{}{}", norm, tinyruntime::kBatchNormSuffixes[a]));
    };
    fold_batch_norm({.gamma = array(0), .beta = array(1), .mean = array(2), .variance = array(3)}, folded_[i],
                    folded_[i + 1]);
  }
  loaded_.clear();
  return {};
}

}  // namespace quintet
