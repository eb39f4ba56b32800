#include "tests/golden/decoder_passes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quintet::test {

using decoder::Decoder;
using decoder::KvCache;
using decoder::LogitsOf;

std::vector<float> TestDecoder::pass(KvCache& cache, std::span<const uint32_t> ids, LogitsOf what) {
  const decoder::Sequence sequence = {.cache = &cache, .ids = ids, .what = what, .adapters = &adapters};
  decoder.begin({&sequence, 1});
  while (!decoder.step()) continue;
  if (!decoder.status()) {
    ADD_FAILURE() << decoder.status().error().detail;
    return {};
  }
  return {decoder.logits().begin(), decoder.logits().end()};
}

std::vector<float> TestDecoder::last(KvCache& cache, std::span<const uint32_t> ids) {
  std::vector<float> logits;
  while (!ids.empty()) {
    const size_t count = std::min(ids.size(), Decoder::kMaxTokens);
    logits = pass(cache, ids.first(count), LogitsOf::last);
    ids = ids.subspan(count);
  }
  return logits;
}

std::vector<float> TestDecoder::all(KvCache& cache, std::span<const uint32_t> ids, std::span<const size_t> cuts) {
  std::vector<float> logits;
  for (size_t i = 0; !ids.empty(); ++i) {
    const size_t wanted = cuts.empty() ? Decoder::kMaxTokens : cuts[std::min(i, cuts.size() - 1)];
    const size_t count = std::min(ids.size(), wanted);
    const std::vector<float> more = pass(cache, ids.first(count), LogitsOf::all);
    logits.insert(logits.end(), more.begin(), more.end());
    ids = ids.subspan(count);
  }
  return logits;
}

uint32_t greatest(std::span<const float> logits) {
  return static_cast<uint32_t>(std::ranges::max_element(logits) - logits.begin());
}

}  // namespace quintet::test
