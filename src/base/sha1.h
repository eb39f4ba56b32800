#pragma once
// SHA-1 (FIPS 180-4), for names that are made from content: UUIDs of version 5. It protects nothing.

#include <array>
#include <cstddef>
#include <string_view>

namespace quintet {

std::array<std::byte, 20> sha1(std::string_view text);

}  // namespace quintet
