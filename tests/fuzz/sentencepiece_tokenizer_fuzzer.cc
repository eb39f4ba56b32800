// A ModelProto and a text, any bytes both. What must hold: ids are of the vocabulary, a text has the same ones after
// another text, and all ids can be decoded. The first two bytes are the size of the text, which comes before the proto.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/sentencepiece/model_proto.h"
#include "formats/sentencepiece/settings.h"
#include "tests/fuzz/places.h"
#include "tokenizers/sentencepiece/sentencepiece.h"

namespace {

using namespace quintet;

std::unique_ptr<Tokenizer> make_tokenizer(Bytes proto) {
  auto description = sentencepiece::read_model_proto(proto);
  if (!description) return nullptr;
  auto settings = sentencepiece::read_settings(proto);
  if (!settings) return nullptr;
  auto tokenizer = create_sentencepiece({.pieces = std::move(description->tokens),
                                         .scores = std::move(description->sentencepiece()->scores),
                                         .types = std::move(description->piece_types),
                                         .unknown_id = description->special.unk},
                                        std::move(*settings));
  return tokenizer ? std::move(*tokenizer) : nullptr;
}

void check(const Tokenizer& tokenizer, std::string_view text, bool begins) {
  std::vector<uint32_t> ids;
  if (!tokenizer.encode(text, begins, ids)) std::abort();
  std::string bytes;
  for (const uint32_t id : ids) {
    if (id >= tokenizer.size()) std::abort();
    tokenizer.decode(id, begins, bytes);
  }
  fuzz::check_places(tokenizer, text, begins);
  const std::vector<uint32_t> once = ids;
  if (!tokenizer.encode(text, begins, ids)) std::abort();
  if (ids.size() != 2 * once.size()) std::abort();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != once[i % once.size()]) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const size_t text_size = std::min(static_cast<size_t>(data[0] | data[1] << 8), size - 2);
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto tokenizer = make_tokenizer(as_bytes(rest.substr(text_size)));
  if (!tokenizer) return 0;
  check(*tokenizer, rest.substr(0, text_size), true);
  check(*tokenizer, rest.substr(0, text_size), false);
  return 0;
}
