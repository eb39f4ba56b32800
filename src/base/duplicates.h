#pragma once
// Names that must be unique and may not be: in time n log n, whatever a hostile file makes of them.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace quintet {

// Index of a name that occurs before as well; nothing where all differ.
std::optional<size_t> find_duplicate(std::span<const std::string_view> names);

}  // namespace quintet
