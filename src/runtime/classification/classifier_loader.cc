#include "runtime/classification/classifier_loader.h"

#include <string>
#include <utility>

#include "architectures/vision/families.h"
#include "base/decimal.h"
#include "formats/model_files.h"
#include "kernels/registry.h"
#include "models/vision/graph_network.h"
#include "models/vision/quantized_pointwise.h"
#include "models/vision/table_loader.h"

namespace quintet {
namespace {

// Files without weights: the two above, and others that image networks do not need.
bool is_text(std::string_view path) { return path.ends_with(".json") || path.ends_with(".txt"); }

// id2label of Hugging Face, { "0": ... }, or label_names of timm, a list. Empty unless all classes have a name.
std::vector<std::string> labels_of(const Json& config, uint32_t classes) {
  std::vector<std::string> labels(classes);
  size_t found = 0;
  const auto put = [&](std::optional<uint64_t> id, const Json& label) {
    const std::string* const text = label.as_string();
    if (!text || !id || *id >= classes || !labels[static_cast<size_t>(*id)].empty()) return;
    labels[static_cast<size_t>(*id)] = *text;
    ++found;
  };
  if (const Json::Object* const names = config.get("id2label").as_object()) {
    for (const auto& [id, label] : *names) put(parse_natural(id), label);
  } else if (const Json::Array* const list = config.get("label_names").as_array()) {
    for (size_t i = 0; i < list->size(); ++i) put(uint64_t{i}, (*list)[i]);
  }
  if (found != classes) labels.clear();
  return labels;
}

}  // namespace

ClassifierLoader::ClassifierLoader(const ClassifierOptions& options)
    : ModelFolderLoader(read_network_model, describing_, options.format),
      kind_(options.kind),
      sink_(describing_, options.to_int8) {}

std::string_view ClassifierLoader::describing_name(std::string_view path) const {
  return is_text(path) ? path : std::string_view();
}

Status ClassifierLoader::begin_tensors(std::string_view, std::optional<uint64_t> total) {
  QUINTET_CHECK(check_model_file(false));
  if (is_folder()) end_description();
  read_model_file(total, sink_, {.network_kind = kind_});
  return {};
}

Result<std::unique_ptr<ImageClassifier>> ClassifierLoader::finish() {
  QUINTET_CHECK(finish_files());
  auto classifier = sink_.finish();
  if (!classifier && is_folder()) return in_folder(failure_of(std::move(classifier)));
  return classifier;
}

Status ClassifierLoader::Sink::begin(const ModelDescription& description) {
  const Kernels& kernels = active_kernels<KernelSet::network>();
  if (description.layers) {
    if (to_int8_) {
      return unsupported_error("quantize: tinyRuntime files are quantized by convert");
    }
    QUINTET_TRY(loader_, vision::make_loader(kernels, *description.layers));
    return {};
  }
  QUINTET_CHECK(describing_.add_metadata(description.metadata));
  QUINTET_TRY(vision::Graph graph, vision::read_graph(describing_.config(), description.tensors));
  if (graph.classes == 0) return unsupported_error("a {} without a classifier; ImageEmbedder loads it", graph.family);
  loader_ = std::make_unique<vision::GraphLoader>(kernels, std::move(graph), description.tensors,
                                                  to_int8_ ? vision::quantized_pointwise : nullptr);
  return {};
}

Result<std::unique_ptr<ByteSink>> ClassifierLoader::Sink::tensor(const TensorArrival& tensor) {
  return loader_->tensor(tensor);
}

Status ClassifierLoader::Sink::end(ModelDescription description) {
  description_ = std::move(description);
  return {};
}

Result<std::unique_ptr<ImageClassifier>> ClassifierLoader::Sink::finish() {
  if (!description_) return input_error(Reason::missing, "no model file was given");
  QUINTET_TRY(std::unique_ptr<vision::ImageNetwork> network, loader_->finish());
  description_->architecture = network->graph().family;
  ImageClassifier::Usage usage;
  QUINTET_TRY(usage.preparation, describing_.preparation(network->usual_input_size()));
  usage.labels = labels_of(describing_.config(), network->classes());
  return std::make_unique<ImageClassifier>(*std::move(description_), std::move(network), std::move(usage));
}

}  // namespace quintet
