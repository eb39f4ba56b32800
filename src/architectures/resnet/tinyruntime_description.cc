#include "architectures/resnet/tinyruntime_description.h"

#include <string>
#include <utility>

#include "architectures/resnet/tensors.h"
#include "formats/tinyruntime/sections.h"

namespace quintet::tinyruntime {
namespace {

Quantization group_quantization(const FileTable& table, const ResNetTensor& tensor) {
  const LayerRecord& record = table.records[tensor.layer];
  return {.scheme = Scheme::group_int8,
          .block = tensor.part == ResNetPart::bias ? record.bias_group : record.weight_group,
          .scale_dtype = Dtype::f32,
          .asymmetric = table.layers.asymmetric};
}

Quantization tensor_quantization(const LayerRecord& record, const ActivationQuantization& input, ResNetPart part) {
  if (part == ResNetPart::bias) return {.scheme = Scheme::tensor_int32, .scale = input.scale * record.weight_scale};
  return {.scheme = Scheme::tensor_int8, .scale = record.weight_scale, .zero_point = record.weight_zero_point};
}

uint64_t element_bytes(const TensorInfo& info) {
  return info.quantized() && info.quantization.scheme != Scheme::tensor_int32 ? 1 : kWord;
}

uint64_t scale_bytes(const TensorInfo& info) {
  if (info.quantization.scheme != Scheme::group_int8) return 0;
  return info.elements() / info.quantization.block * kWord * (info.quantization.asymmetric ? 2 : 1);
}

std::vector<TensorInfo> described_tensors(const FileTable& table, const ResNetGraph& graph) {
  const bool is_static = table.layers.kind == NetworkKind::sq8;
  const std::vector<ActivationQuantization> inputs =
      is_static ? layer_inputs(table.layers, graph) : std::vector<ActivationQuantization>();
  std::vector<TensorInfo> infos;
  for (ResNetTensor& tensor : resnet_tensors(table.layers, graph)) {
    TensorInfo info{.name = std::move(tensor.name), .quantization = {}, .shape = std::move(tensor.shape)};
    if (tensor.part != ResNetPart::batch_norm && table.layers.kind == NetworkKind::dq8) {
      info.quantization = group_quantization(table, tensor);
    } else if (tensor.part != ResNetPart::batch_norm && is_static) {
      info.quantization = tensor_quantization(table.records[tensor.layer], inputs[tensor.layer], tensor.part);
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

// In the order of the data: weights and biases of the layers, then the arrays of the batch norms.
std::vector<TensorInfo> tensors_of(const FileTable& table, const ResNetGraph& graph) {
  std::vector<TensorInfo> infos = described_tensors(table, graph);
  uint64_t at = table.places.end();
  const auto place_data = [&at](TensorInfo& info) {
    info.offset = at;
    info.bytes = info.elements() * element_bytes(info);
    at += info.bytes;
  };
  const size_t batch_norms = infos.size() - kBatchNormArrays * table.layers.batch_norms.size();
  for (size_t i = 0; i < batch_norms; ++i) place_data(infos[i]);
  // Scales stand behind all quantized data.
  for (TensorInfo& info : infos) {
    info.scales_bytes = scale_bytes(info);
    info.scales_offset = info.scales_bytes == 0 ? 0 : at;
    at += info.scales_bytes;
  }
  for (size_t i = batch_norms; i < infos.size(); ++i) place_data(infos[i]);
  return infos;
}

// Of each layer that of the weights and that of the biases, 0 where it has none.
Json group_sizes(const FileTable& table) {
  Json sizes = Json::array();
  for (const LayerRecord& record : table.records) {
    Json pair = Json::array();
    pair.push_back(record.weight_group);
    pair.push_back(record.bias_group);
    sizes.push_back(std::move(pair));
  }
  return sizes;
}

Json config_of(const FileTable& table, const ResNetGraph& graph) {
  const LayerTable& layers = table.layers;
  Json config = Json::object();
  config.append("classes", layers.classes);
  config.append("conv", uint64_t{layers.convs.size()});
  config.append("linear", uint64_t{layers.linears.size()});
  config.append("bn", uint64_t{layers.batch_norms.size()});
  config.append("tail", name_of(graph.tail));
  if (layers.kind == NetworkKind::sq8) config.append("activations", uint64_t{layers.activations.size()});
  if (layers.kind == NetworkKind::dq8) {
    config.append("asymmetric", layers.asymmetric);
    config.append("group_sizes", group_sizes(table));
  }
  return config;
}

}  // namespace

ModelDescription describe(FileTable table, const ResNetGraph& graph) {
  ModelDescription description;
  description.format = Format::tinyruntime;
  description.kind = name_of(table.layers.kind);
  description.file_size = file_bytes(table);
  description.architecture = graph.architecture;
  description.config = config_of(table, graph);
  description.tensors = tensors_of(table, graph);
  description.layers = std::move(table.layers);
  return description;
}

}  // namespace quintet::tinyruntime
