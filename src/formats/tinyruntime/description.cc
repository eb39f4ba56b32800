#include "formats/tinyruntime/description.h"

#include <string>
#include <utility>

#include "formats/tinyruntime/sections.h"
#include "formats/tinyruntime/tensors.h"

namespace quintet::tinyruntime {
namespace {

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
