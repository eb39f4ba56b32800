// Any bytes as a decoder that is loaded, whole and in pieces, with little memory: a model, or an error that gives the
// reason.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "runtime/generation/generator_loader.h"

namespace {

using namespace quintet;

constexpr uint64_t kAvailable = uint64_t{16} << 20;

Result<std::unique_ptr<GeneratorModel>> load(Bytes file, const GeneratorOptions& options, bool length_known,
                                             size_t piece) {
  GeneratorLoader loader(options, std::nullopt, kAvailable);
  QUINTET_CHECK(loader.begin_file("", length_known ? std::optional<uint64_t>(file.size()) : std::nullopt));
  while (!file.empty()) {
    const Bytes front = file.first(std::min(piece, file.size()));
    QUINTET_CHECK(loader.feed(std::vector<std::byte>(front.begin(), front.end())));
    file = file.subspan(front.size());
  }
  QUINTET_CHECK(loader.end_file());
  return loader.finish();
}

// The loaded values can be read.
void check(const GeneratorModel& model) {
  if (model.weights.bytes() > 2 * kAvailable) std::abort();  // memory that grows is ahead of what fills it
  const WeightMatrix& embeddings = model.weights.shared[decoder::TensorKind::embeddings].matrix;
  std::vector<float> row(cols_of(embeddings));
  for (size_t i = 0; i < rows_of(embeddings); ++i) read_row(embeddings, i, row.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  GeneratorOptions options;
  options.quantize = static_cast<GeneratorOptions::Quantize>(data[0] % 3);
  options.context_length = data[0] / 3 % 2;
  const Bytes file = std::as_bytes(std::span(data, size)).subspan(1);
  const auto whole = load(file, options, true, SIZE_MAX);
  for (const bool known : {true, false}) {
    const auto pieces = load(file, options, known, 7);
    if (known && whole.has_value() != pieces.has_value()) std::abort();
    if (!pieces && pieces.error().detail.empty()) std::abort();
    if (pieces) check(**pieces);
  }
  return 0;
}
