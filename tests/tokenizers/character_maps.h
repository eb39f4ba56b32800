#pragma once
// Builds precompiled_charsmap blobs.

#include <map>
#include <string>

namespace quintet::test {

// Compiles rewriting rules to a double array in Darts-clone's layout, with a block of 256 units for every node.
std::string compile_character_map(const std::map<std::string, std::string>& rules);

}  // namespace quintet::test
