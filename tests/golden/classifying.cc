#include "tests/golden/classifying.h"

#include "architectures/model_files.h"

namespace quintet::test {

LoadedClassifier load_classifier(Bytes file, const LoadingNetwork& how) {
  ClassifierLoader loader;
  ByteStream in(how.length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
  Parse<void> parse = read_network_model(in, how.format, loader, {.network_kind = how.kind});
  QUINTET_CHECK(drive(file, in, parse, how.chunk));
  return loader.take();
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
  QUINTET_CHECK(classifier.begin(input, 3, height, width));
  return finish_pass(classifier);
}

}  // namespace quintet::test
