// Any bytes as a tinyRuntime file that is loaded, whole and in pieces; what is loaded answers a small input, and any
// picture, or there is an error that gives the reason.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/classification/classifier_loader.h"

namespace {

using namespace quintet;

// Bytes that do not belong to the file: the way it is read, and a picture.
struct Request {
  uint8_t kind, channels;
  uint16_t width, height;
  uint8_t size, shorter_side;
  float mean, standard_deviation;
};

Result<std::unique_ptr<ImageClassifier>> load(Bytes file, const Request& request, bool length_known, size_t piece) {
  std::optional<NetworkKind> kind;
  if (request.kind % 4 != 0) kind = static_cast<NetworkKind>(request.kind % 4 - 1);
  ClassifierLoader loader({.format = Format::tinyruntime, .kind = kind});
  QUINTET_CHECK(loader.begin_file("", length_known ? std::optional<uint64_t>(file.size()) : std::nullopt));
  while (!file.empty()) {
    const Bytes front = file.first(std::min(piece, file.size()));
    QUINTET_CHECK(loader.feed(std::vector<std::byte>(front.begin(), front.end())));
    file = file.subspan(front.size());
  }
  QUINTET_CHECK(loader.end_file());
  return loader.finish();
}

// Errors are those of the caller, or of memory.
void check(const Status& status) {
  if (!status && status.error().code != Code::input && status.error().code != Code::memory) std::abort();
}

std::vector<float> finish(ImageClassifier& classifier) {
  for (bool done = false; !done;) {
    const Result<bool> step = classifier.step();
    if (!step) {
      check(fail(step.error()));
      return {};
    }
    done = *step;
  }
  return classifier.take();
}

std::vector<float> answer(ImageClassifier& classifier) {
  constexpr size_t kHeight = 9, kWidth = 6;
  const std::vector<float> input(3 * kHeight * kWidth, 0.5F);
  const Status begun = classifier.begin(input, 3, kHeight, kWidth, vision::Output::logits);
  check(begun);
  if (!begun) return {};
  std::vector<float> logits = finish(classifier);
  if (!logits.empty() && logits.size() != classifier.network().classes()) std::abort();
  return logits;
}

void look_at(ImageClassifier& classifier, Bytes rest, const Request& request) {
  // Sometimes the number of samples matches the picture.
  std::vector<uint8_t> samples(std::min<size_t>(size_t{request.width} * request.height * request.channels, 1 << 16),
                               99);
  const size_t known = std::min(samples.size(), rest.size());
  if (known != 0) std::memcpy(samples.data(), rest.data(), known);
  const Pixels picture{samples, request.width, request.height, request.channels};
  const std::array<float, 3> mean = {request.mean, 0, 1}, deviation = {1, request.standard_deviation, 2};
  const Status prepared = classifier.prepare_as(
      {.size = request.size, .shorter_side = request.shorter_side, .mean = mean, .standard_deviation = deviation});
  check(prepared);
  if (!prepared) return;
  const Status begun = classifier.begin(picture, vision::Output::logits);
  check(begun);
  if (begun) finish(classifier);
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Request request;
  if (size < sizeof request) return 0;
  std::memcpy(&request, data, sizeof request);
  const Bytes file = std::as_bytes(std::span(data, size)).subspan(sizeof request);
  const auto whole = load(file, request, true, SIZE_MAX);
  const auto pieces = load(file, request, true, 7);
  const auto streamed = load(file, request, false, 1);
  if (whole.has_value() != pieces.has_value() || (streamed && !whole)) std::abort();
  if (!whole) {
    const Error& error = whole.error();
    if (error.detail.empty() || (!error.offset && error.code != Code::memory)) std::abort();
    return 0;
  }
  if (!same(answer(**whole), answer(**pieces))) std::abort();
  look_at(**whole, file, request);
  return 0;
}
