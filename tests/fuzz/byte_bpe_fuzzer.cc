// A vocabulary and a text, both of any bytes. What must hold: a vocabulary that is refused leaves an error; one that is
// taken gives valid ids, and the text back where it has all bytes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/unicode/nfc.h"
#include "base/utf8.h"
#include "runtime/tokenize/text_codec.h"
#include "tokenizers/bpe/byte_alphabet.h"

namespace {

using namespace quintet;

// Bits of the first byte; the two lowest choose the pattern.
enum : uint8_t { kHasUnknown = 4, kHasEnd = 8, kAllBytes = 16, kHasIds = 32, kIgnoresMerges = 64, kNfc = 128 };

// Lines, up to an empty one: the part that comes first.
std::string_view take_lines(std::string_view& data) {
  const size_t end = data.find("\n\n");
  const std::string_view lines = data.substr(0, end);
  data = end == std::string_view::npos ? std::string_view() : data.substr(end + 2);
  return lines;
}

template <class Visit>
void for_each_line(std::string_view lines, Visit visit) {
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    visit(lines.substr(0, end));
    lines = end == std::string_view::npos ? std::string_view() : lines.substr(end + 1);
  }
}

void add(StringTable& table, std::string_view text) {
  if (!table.add(text)) std::abort();
}

ModelDescription model_of(std::string_view& data) {
  ModelDescription model;
  TokenizerDescription& tokenizer = model.tokenizer;
  BpeDescription& bpe = tokenizer.kind.emplace<BpeDescription>();
  if (data.empty()) return model;
  const auto choice = static_cast<uint8_t>(data.front());
  data.remove_prefix(1);
  constexpr const char* kPatterns[] = {"gpt2", "llama3", "starcoder", "qwen2", "qwen35", "gpt4o", "tekken"};
  bpe.pre_tokenizer = kPatterns[choice % 4];
  bpe.ignore_merges = choice & kIgnoresMerges;
  if (choice & kNfc) tokenizer.normalizer = {{.kind = NormalizerKind::nfc}};
  if (choice & kHasUnknown) tokenizer.special.unk = 1;
  if (choice & kHasEnd) tokenizer.special.eos = tokenizer.special.bos = 2;
  if (choice & kAllBytes) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      std::string letter;
      append_utf8(letter_of(static_cast<uint8_t>(byte)), letter);
      add(tokenizer.tokens, letter);
    }
  }
  for_each_line(take_lines(data), [&](std::string_view line) { add(tokenizer.tokens, line); });
  for_each_line(take_lines(data), [&](std::string_view line) { add(bpe.merges, line); });
  if (choice & kHasIds) {
    for (uint32_t i = 0; i < tokenizer.tokens.size(); ++i) bpe.ids.push_back(i * 7 % 1021);
  }
  return model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view data(reinterpret_cast<const char*>(bytes), size);
  const int choice = size == 0 ? 0 : bytes[0];
  ModelDescription model = model_of(data);
  const bool keeps_text = (choice & kAllBytes) && !(choice & kHasEnd);  // the token of end may be a letter's
  const auto codec = TextCodec::create(model);
  if (!codec) return 0;
  std::string expected(data);
  if (choice & kNfc && !find_invalid_utf8(data)) {
    const NfcNormalizer normalizer;
    std::string twice;
    expected.clear();
    normalizer.normalize(data, expected);
    normalizer.normalize(expected, twice);
    if (twice != expected) std::abort();
  }
  for (const bool parse_special : {false, true}) {
    const auto ids = codec->encode(data, {.add_bos = false, .parse_special = parse_special});
    if (!ids) std::abort();
    const auto text = codec->decode(*ids);
    if (!text || find_invalid_utf8(*text)) std::abort();
    if (keeps_text && !parse_special && !find_invalid_utf8(data) && *text != expected) std::abort();
  }
  return 0;
}
