#pragma once
// Compatibility decompositions (UAX #15, forms KC and KD), as of Unicode 9.0.

#include <string>
#include <string_view>

namespace quintet {

// False for text below U+00A0, which has none. Other text may or may not have.
bool may_decompose_compatibly(std::string_view text);

// Appends the text with every character that has one replaced by its full compatibility decomposition. Form KC of a
// text is form C of the result, and form KD its form D (nfc.h). Requires valid UTF-8.
void append_compatible(std::string_view text, std::string& out);

}  // namespace quintet
