#pragma once
// Untyped bytes of an input, and their interpretation as text.

#include <cstddef>
#include <span>
#include <string_view>

namespace quintet {

using Bytes = std::span<const std::byte>;

inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }

}  // namespace quintet
