#include "runtime/classification/classifier_loader.h"

#include <utility>

#include "kernels/registry.h"

namespace quintet {

ClassifierLoader::ClassifierLoader() : network_(active_kernels<KernelSet::network>()) {}

Status ClassifierLoader::begin(const ModelDescription& description) { return network_.begin(*description.layers); }

Result<std::unique_ptr<TensorSink>> ClassifierLoader::tensor(const TensorInfo& info, bool certain) {
  return network_.tensor(info, certain);
}

Status ClassifierLoader::end(ModelDescription description) {
  QUINTET_TRY(auto network, network_.finish());
  classifier_ = std::make_unique<ImageClassifier>(std::move(description), std::move(network));
  return {};
}

std::unique_ptr<ImageClassifier> ClassifierLoader::take() { return std::move(classifier_); }

}  // namespace quintet
