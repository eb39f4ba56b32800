#pragma once
// The alphabet in which vocabularies of byte-level BPE are written (openai/gpt-2, encoder.py, bytes_to_unicode): one
// printable character for each byte, so that a token is text whatever its bytes are. A space is written as U+0120.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quintet {

char32_t letter_of(uint8_t byte);
std::optional<uint8_t> byte_of(char32_t letter);

// Appends the bytes that a text in this alphabet stands for; false, with nothing appended, where a character is not of
// the alphabet.
bool append_bytes_of(std::string_view text, std::string& bytes);

}  // namespace quintet
