#pragma once
// The files under tests/fixtures that hold text, as tests want them.

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "tokenizers/wordpiece/wordpiece.h"

namespace quintet::test {

std::string read_text_fixture(const std::string& path);
Json read_json_fixture(const std::string& path);
std::vector<std::string> split(const std::string& text, const std::string& separator);
std::vector<std::string> lines_of(const std::string& text);  // without their newlines

// A vocabulary with one token a line, the special ones spelled as BERT does.
WordPiece make_wordpiece(const std::vector<std::string>& tokens);
WordPiece read_wordpiece(const std::string& path);

std::vector<uint32_t> encode(const WordPiece& tokenizer, std::string_view text);
std::vector<uint32_t> ids_of(const Json& array);

}  // namespace quintet::test
