#include "tests/tokenizers/fixtures.h"

#include <gtest/gtest.h>

#include "formats/special_tokens.h"
#include "tests/golden/fixture.h"

namespace quintet::test {

std::string read_text_fixture(const std::string& path) {
  const auto bytes = read_fixture(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Json read_json_fixture(const std::string& path) {
  auto json = parse_json(read_text_fixture(path));
  EXPECT_TRUE(json) << path;
  return json ? *json : Json();
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end = 0; (end = text.find(separator, begin)) != text.npos; begin = end + separator.size()) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines = split(text, "\n");
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

TextCodec make_wordpiece(const std::vector<std::string>& tokens) {
  ModelDescription model;
  TokenizerDescription& tokenizer = model.tokenizer;
  tokenizer.kind.emplace<WordPieceDescription>();
  for (const std::string& token : tokens) EXPECT_TRUE(tokenizer.tokens.add(token));
  tokenizer.special = bert_special_ids(tokenizer.tokens);
  auto codec = TextCodec::create(model);
  EXPECT_TRUE(codec);
  return std::move(*codec);
}

TextCodec read_wordpiece(const std::string& path) { return make_wordpiece(lines_of(read_text_fixture(path))); }

std::vector<uint32_t> encode(const TextCodec& codec, std::string_view text) {
  auto ids = codec.encode(text, {.parse_special = true});
  EXPECT_TRUE(ids);
  return ids ? std::move(*ids) : std::vector<uint32_t>();
}

std::vector<uint32_t> ids_of(const Json& array) {
  std::vector<uint32_t> ids;
  for (const Json& id : *array.as_array()) ids.push_back(static_cast<uint32_t>(*id.as_uint()));
  return ids;
}

}  // namespace quintet::test
