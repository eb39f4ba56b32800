// Any bytes as a grammar. What must hold: an error has a place within the text; and where a token may come next, the
// text can continue, byte by byte.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/gbnf.h"
#include "grammar/matcher.h"

namespace {

using namespace quintet::grammar;

// All bytes and some longer tokens; the last one ends a text.
std::shared_ptr<const Vocabulary> small_vocabulary() {
  std::string bytes;
  std::vector<uint32_t> ends;
  const auto add = [&](std::string_view token) {
    bytes += token;
    ends.push_back(static_cast<uint32_t>(bytes.size()));
  };
  for (int byte = 0; byte < 256; ++byte) add(std::string(1, static_cast<char>(byte)));
  for (const char* token : {"ab", "\"a", "\":", "a b", "é", "12", "], [", "\xC3", "aaaa"}) add(token);
  add("");
  const auto last = static_cast<uint32_t>(ends.size() - 1);
  return std::make_shared<Vocabulary>(std::move(bytes), std::move(ends), std::vector<uint32_t>{last});
}

// Follows the first, the middle or the last of the tokens that may come next, and compares all with the recognizer.
void follow(const std::shared_ptr<TokenGrammar>& grammar, uint8_t choice) {
  const Vocabulary& vocabulary = grammar->vocabulary();
  Recognizer plain(grammar->automaton());
  Position position = plain.start();
  Matcher matcher(grammar);
  for (int step = 0; step < 20; ++step) {
    const auto mask = matcher.mask();
    if (!plain.status()) return;
    if (!mask) {
      if (mask.error().reason == quintet::Reason::limit) return;
      std::abort();  // with all bytes as tokens, a text can always continue
    }
    std::vector<uint32_t> allowed;
    for (uint32_t token = 0; token < vocabulary.size(); ++token) {
      Position after = position;
      for (const char byte : vocabulary.bytes_of(token)) after = plain.step(after, static_cast<uint8_t>(byte));
      const bool expected = vocabulary.is_stop(token) ? plain.may_end(position) : after != Recognizer::kDead;
      const bool found = ((*mask)[token / 32] >> (token % 32) & 1) != 0;
      if (!plain.status()) return;
      if (expected != found) std::abort();
      if (found) allowed.push_back(token);
    }
    const uint32_t token = allowed[choice % 3 * (allowed.size() - 1) / 2];
    if (!matcher.accept(token)) std::abort();
    if (vocabulary.is_stop(token)) return;
    for (const char byte : vocabulary.bytes_of(token)) position = plain.step(position, static_cast<uint8_t>(byte));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 4096) return 0;
  static const auto vocabulary = small_vocabulary();
  auto syntax = parse_gbnf({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (!syntax) {
    if (syntax.error().offset.value_or(0) > size) std::abort();
    return 0;
  }
  if (!syntax->tokens.empty()) return 0;
  auto automaton = Automaton::compile(*std::move(syntax));
  if (!automaton) return 0;
  follow(std::make_shared<TokenGrammar>(std::make_shared<Automaton>(*std::move(automaton)), vocabulary), data[0]);
  return 0;
}
