#pragma once
// The files under tests/fixtures that hold text, as tests want them.

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "runtime/tokenize/text_codec.h"

namespace quintet::test {

std::string read_text_fixture(const std::string& path);
Json read_json_fixture(const std::string& path);
std::vector<std::string> split(const std::string& text, const std::string& separator);
std::vector<std::string> lines_of(const std::string& text);  // without their newlines

// WordPiece with a vocabulary of one token a line, the special ones spelled as BERT does.
TextCodec make_wordpiece(const std::vector<std::string>& tokens);
TextCodec read_wordpiece(const std::string& path);

// Special tokens that are written out in the text are these tokens.
std::vector<uint32_t> encode(const TextCodec& codec, std::string_view text);
std::vector<uint32_t> ids_of(const Json& array);

}  // namespace quintet::test
