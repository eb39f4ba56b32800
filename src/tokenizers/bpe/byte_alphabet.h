#pragma once
// The alphabet of byte-level BPE vocabularies (openai/gpt-2, encoder.py, bytes_to_unicode): one printable character for
// each byte, so that every token is text, regardless of its bytes. A space is written as U+0120.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quintet {

char32_t letter_of(uint8_t byte);
std::optional<uint8_t> byte_of(char32_t letter);

// Appends the bytes of a text in this alphabet. Returns false and appends nothing if a character is not part of the
// alphabet.
bool append_bytes_of(std::string_view text, std::string& bytes);

}  // namespace quintet
