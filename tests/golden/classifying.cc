#include "tests/golden/classifying.h"

#include <algorithm>

namespace quintet::test {

LoadedClassifier load_classifier(Bytes file, const LoadingNetwork& how) {
  ClassifierLoader loader({.format = how.format, .kind = how.kind});
  QUINTET_CHECK(loader.begin_file(how.path, how.length_known ? std::optional<uint64_t>(file.size()) : std::nullopt));
  while (!file.empty()) {
    const Bytes front = file.first(std::min(how.chunk, file.size()));
    // A copy: the sanitizer notices reads beyond a chunk, and after it.
    const File chunk(front.begin(), front.end());
    QUINTET_CHECK(loader.feed(chunk));
    file = file.subspan(front.size());
  }
  QUINTET_CHECK(loader.end_file());
  return loader.finish();
}

Result<std::vector<float>> finish_pass(ImageClassifier& classifier) {
  bool done = false;
  while (!done) {
    QUINTET_TRY(done, classifier.step());
  }
  return classifier.take();
}

Result<std::vector<float>> logits_of(ImageClassifier& classifier, std::span<const float> input, uint64_t height,
                                     uint64_t width) {
  QUINTET_CHECK(classifier.begin(input, 3, height, width, vision::Output::logits));
  return finish_pass(classifier);
}

}  // namespace quintet::test
