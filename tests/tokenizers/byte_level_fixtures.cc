#include "tests/tokenizers/byte_level_fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/utf8.h"
#include "formats/pre_tokenizers.h"
#include "tests/tokenizers/fixtures.h"
#include "tokenizers/bpe/byte_alphabet.h"
#include "tokenizers/bpe/byte_bpe.h"

namespace quintet::test {
namespace {

const std::string kFolder = "tokenizers/byte_level/";

std::string letters_of(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) append_utf8(letter_of(static_cast<uint8_t>(byte)), letters);
  return letters;
}

// In the order of GPT-2's vocabulary: those that are printable come first.
std::vector<std::string> letters_in_order() {
  std::vector<std::string> letters, others;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable = letter_of(static_cast<uint8_t>(byte)) < 0x100;
    (printable ? letters : others).push_back(letters_of(std::string(1, static_cast<char>(byte))));
  }
  letters.insert(letters.end(), others.begin(), others.end());
  return letters;
}

std::vector<std::string> strings_of(const Json& array) {
  std::vector<std::string> strings;
  for (const Json& string : *array.as_array()) strings.push_back(*string.as_string());
  return strings;
}

ByteLevelFixture from_merges(const std::string& name) {
  const Json rest = *read_json_fixture(kFolder + "vocabularies.json").find(name);
  const std::vector<std::string> absent = strings_of(*rest.find("absentLetters"));
  ByteLevelFixture fixture;
  fixture.merges = lines_of(read_text_fixture(kFolder + name + ".merges.txt"));
  fixture.tokens = fixture.special = strings_of(*rest.find("before"));
  for (const std::string& letter : letters_in_order()) {
    if (std::ranges::find(absent, letter) == absent.end()) fixture.tokens.push_back(letter);
  }
  std::set<std::string> known(fixture.tokens.begin(), fixture.tokens.end());
  for (std::string merge : fixture.merges) {
    merge.erase(merge.find(' '), 1);
    if (known.insert(merge).second) fixture.tokens.push_back(merge);
  }
  for (const std::string& token : strings_of(*rest.find("after"))) {
    fixture.tokens.push_back(token);
    fixture.special.push_back(token);
  }
  return fixture;
}

// Converted like transformers does it: every pair of tokens that makes a token is a merge, of its rank.
ByteLevelFixture from_tokens(const std::string& name) {
  const std::string bytes = read_text_fixture(kFolder + name + ".tokens.bin");
  ByteLevelFixture fixture;
  std::map<std::string, size_t, std::less<>> ranks;
  std::vector<std::string> plain;
  for (size_t at = 0; at < bytes.size(); at += 1 + static_cast<uint8_t>(bytes[at])) {
    const std::string token = bytes.substr(at + 1, static_cast<uint8_t>(bytes[at]));
    ranks.emplace(token, fixture.tokens.size());
    fixture.tokens.push_back(letters_of(token));
    const bool special = token.size() > 4 && token.starts_with("<|") && token.ends_with("|>");
    if (special) fixture.special.push_back(token);
    if (!special) plain.push_back(token);
  }
  for (const std::string_view token : plain) {
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t cut = 1; cut < token.size(); ++cut) {
      const auto left = ranks.find(token.substr(0, cut));
      const auto right = ranks.find(token.substr(cut));
      if (left != ranks.end() && right != ranks.end()) pairs.emplace_back(left->second, right->second);
    }
    std::ranges::sort(pairs);
    for (const auto& [left, right] : pairs)
      fixture.merges.push_back(fixture.tokens[left] + " " + fixture.tokens[right]);
  }
  return fixture;
}

}  // namespace

const ByteLevelFixture& byte_level_fixture(const std::string& name) {
  static std::map<std::string, ByteLevelFixture> fixtures;
  const auto found = fixtures.find(name);
  if (found != fixtures.end()) return found->second;
  return fixtures[name] = name == "llama3" ? from_tokens(name) : from_merges(name);
}

PreTokenizer pre_tokenizer_named(const std::string& name) {
  BpeDescription description;
  description.pre_tokenizer = name;
  const auto steps = pre_tokenizer_steps(description);
  EXPECT_TRUE(steps) << name;
  auto pre_tokenizer = steps ? PreTokenizer::create(*steps) : Result<PreTokenizer>(PreTokenizer());
  EXPECT_TRUE(pre_tokenizer) << pre_tokenizer.error().detail;
  return pre_tokenizer ? *std::move(pre_tokenizer) : PreTokenizer();
}

std::unique_ptr<Tokenizer> byte_level_tokenizer(const std::string& name) {
  const ByteLevelFixture& fixture = byte_level_fixture(name);
  ByteBpeVocabulary vocabulary;
  vocabulary.tokens = string_table(fixture.tokens);
  vocabulary.merges = string_table(fixture.merges);
  const std::set<std::string> special(fixture.special.begin(), fixture.special.end());
  for (const std::string& token : fixture.tokens) vocabulary.added.push_back(special.contains(token));
  auto tokenizer =
      ByteBpe::create(std::move(vocabulary),
                      {.pre_tokenizer = pre_tokenizer_named(name), .ignore_merges = name == "llama3", .unknown = {}});
  EXPECT_TRUE(tokenizer) << tokenizer.error().detail;
  return tokenizer ? std::move(*tokenizer) : nullptr;
}

StringTable string_table(const std::vector<std::string>& strings) {
  StringTable table;
  for (const std::string& string : strings) EXPECT_TRUE(table.add(string));
  return table;
}

}  // namespace quintet::test
