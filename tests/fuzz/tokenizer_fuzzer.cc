// A file of any kind that may hold a tokenizer. What must hold: it is the same tokenizer however it arrives, or refused
// in the same words; ids are of the vocabulary, a pair is as long as it may be, messages spell no special token, and
// all ids become text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "formats/description_sink.h"
#include "runtime/tokenize/standalone_tokenizer.h"
#include "runtime/tokenize/tokenizer_file.h"

namespace {

using namespace quintet;

Result<StandaloneTokenizer> read(Bytes file, bool length_known, size_t chunk) {
  DescriptionSink sink;
  ByteStream in(length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
  Parse<void> parse = read_tokenizer_file(in, std::nullopt, sink, {.verify_checksums = false});
  parse.start();
  for (size_t at = 0; !parse.done() && at < file.size(); at += chunk) {
    const Bytes piece = file.subspan(at, std::min(chunk, file.size() - at));
    const std::vector<std::byte> own(piece.begin(), piece.end());
    in.feed(own);
  }
  if (!parse.done()) in.end();
  if (!parse.done()) std::abort();
  QUINTET_CHECK(parse.take());
  return StandaloneTokenizer::create(sink.take());
}

void expect_same(const Result<StandaloneTokenizer>& a, const Result<StandaloneTokenizer>& b) {
  if (a.has_value() != b.has_value()) std::abort();
  if (a ? a->info() != b->info() : a.error().detail != b.error().detail) std::abort();
}

constexpr std::string_view kTexts[] = {"", "a b", " [CLS] <s>ab\xF0\x9F\n\u00e9", "\u2581a\u4e00  <|x|>"};

void check(const StandaloneTokenizer& tokenizer) {
  const TextCodec& codec = tokenizer.codec();
  const auto expect_known = [&](const std::vector<uint32_t>& ids) {
    for (const uint32_t id : ids) {
      if (id >= codec.vocabulary_size()) std::abort();
    }
    for (const bool skip : {true, false}) {
      const auto text = codec.decode(ids, skip);
      if (!text || find_invalid_utf8(*text)) std::abort();
    }
  };
  for (const std::string_view text : kTexts) {
    for (const bool flag : {true, false}) {
      expect_known(*tokenizer.encode(text, flag, flag));
      expect_known(*tokenizer.encode(text, flag, !flag));
    }
    for (const size_t max : {size_t{0}, size_t{7}, size_t{100}}) {
      const auto pair = tokenizer.encode_pair(text, kTexts[1], max);
      if (!pair && pair.error().code != Code::input) std::abort();
      if (!pair) continue;
      if (pair->ids.size() != pair->types.size() || (max != 0 && pair->ids.size() > max)) std::abort();
      expect_known(pair->ids);
    }
  }
  // In a conversation, all of the text is the template's, all of it a message's, or some of each.
  for (const std::string_view text : kTexts) {
    const std::vector<uint32_t> message = {0}, both = {1, 4, 6};
    if (*codec.encode_chat(text, {}) != *tokenizer.encode(text, false, true)) std::abort();
    if (*codec.encode_chat(text, TextOrigin(message)) != *tokenizer.encode(text, false, false)) std::abort();
    expect_known(*codec.encode_chat(text, TextOrigin(both)));
  }
  for (const std::string_view token : {"", "a", "[UNK]", "</s>"}) {
    const auto id = codec.find(token);
    if (id && codec.token(*id) != token) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes file = std::as_bytes(std::span(data, size));
  const auto whole = read(file, true, SIZE_MAX);
  expect_same(whole, read(file, true, 1));
  if (whole) {
    check(*whole);
  } else if (whole.error().detail.empty()) {
    std::abort();
  }
  return 0;
}
