// SentencePiece's ModelProto: what was read is written, and read again as the same.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "formats/sentencepiece/model_proto.h"

namespace {

using namespace quintet;

void expect_same(const TokenizerDescription& a, const TokenizerDescription& b) {
  if (a.size() != b.size() || a.piece_types != b.piece_types) std::abort();
  const std::vector<float>&scores = a.sentencepiece()->scores, &others = b.sentencepiece()->scores;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a.tokens[i] != b.tokens[i]) std::abort();
    if (std::bit_cast<uint32_t>(scores[i]) != std::bit_cast<uint32_t>(others[i])) std::abort();
  }
  if (a.special.unk != b.special.unk || a.special.bos != b.special.bos) std::abort();
  if (a.special.eos != b.special.eos || a.special.pad != b.special.pad) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kBase = 1000;
  const Bytes proto = std::as_bytes(std::span(data, size));
  const auto first = sentencepiece::read_model_proto(proto, kBase);
  if (!first) {
    const Error& error = first.error();
    if (error.detail.empty() || !error.offset || *error.offset < kBase || *error.offset > kBase + size) std::abort();
    return 0;
  }
  const auto written = sentencepiece::write_model_proto(*first);
  if (!written) std::abort();
  const auto second = sentencepiece::read_model_proto(*written);
  if (!second) std::abort();
  expect_same(*first, *second);
  if (*sentencepiece::write_model_proto(*second) != *written) std::abort();
  return 0;
}
