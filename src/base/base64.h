#pragma once
// Base64 (RFC 4648, section 4).

#include <optional>
#include <string>
#include <string_view>

namespace quintet {

// The bytes; nothing if the text is not base64. The padding at the end may be missing.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace quintet
