#pragma once
// Unicode Normalization Forms (UAX #15): C composes characters as far as possible, D decomposes them; both put marks in
// canonical order.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

class NfcNormalizer {
 public:
  // Inverts the table of decompositions; takes about 8 KB.
  NfcNormalizer();

  // True for text below U+0300, which is always in NFC. Other text may or may not be.
  static bool is_surely_normalized(std::string_view text);

  // Appends the text in NFC. Requires valid UTF-8. Takes linear time, except for sorting consecutive marks.
  void normalize(std::string_view text, std::string& out) const;

 private:
  bool is_boundary(char32_t c) const;
  std::optional<char32_t> compose(char32_t first, char32_t second) const;
  void append_composed(std::vector<char32_t>& decomposed, std::string& out) const;

  std::vector<uint64_t> compositions_;  // second, first and composed code point, 21 bits each; ascending
};

// Appends the text in NFD. Requires valid UTF-8.
void append_nfd(std::string_view text, std::string& out);

}  // namespace quintet
