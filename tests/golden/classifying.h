#pragma once
// Loads image networks from files in memory, and runs them.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/classification/classifier_loader.h"
#include "tests/formats/reading.h"

namespace quintet::test {

struct LoadingNetwork {
  std::optional<Format> format = {};
  std::optional<NetworkKind> kind = {};
  std::string_view path = {};  // inside a folder
  size_t chunk = SIZE_MAX;
  bool length_known = true;
};

using LoadedClassifier = Result<std::unique_ptr<ImageClassifier>>;

LoadedClassifier load_classifier(Bytes file, const LoadingNetwork& how = {});

// All steps of the pass that was begun.
Result<std::vector<float>> finish_pass(ImageClassifier& classifier);
// The logits of a prepared input [3][height][width].
Result<std::vector<float>> logits_of(ImageClassifier& classifier, std::span<const float> input, uint64_t height,
                                     uint64_t width);

}  // namespace quintet::test
