#include "tests/tokenizers/character_maps.h"

#include <cstdint>
#include <set>
#include <vector>

namespace quintet::test {
namespace {

constexpr uint32_t kBlock = 256;

std::string little_endian(uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

}  // namespace

std::string compile_character_map(const std::map<std::string, std::string>& rules) {
  std::set<std::string> prefixes = {""};
  for (const auto& [text, replacement] : rules) {
    for (size_t size = 1; size <= text.size(); ++size) prefixes.insert(text.substr(0, size));
  }
  std::map<std::string, uint32_t> blocks;  // where the children of a node are
  for (const std::string& prefix : prefixes) {
    const auto block = static_cast<uint32_t>(blocks.size() + 1) * kBlock;
    blocks[prefix] = block;
  }
  std::vector<uint32_t> units((prefixes.size() + 1) * kBlock);
  std::string strings;
  for (const std::string& prefix : prefixes) {
    uint32_t place = 0;
    uint32_t unit = 0;
    if (!prefix.empty()) {
      const auto label = static_cast<uint8_t>(prefix.back());
      place = blocks[prefix.substr(0, prefix.size() - 1)] ^ label;
      unit = label;
    }
    // An offset of 21 bits, or of 29 whose lowest 8 are zero: bit 9.
    const uint32_t offset = place ^ blocks[prefix];
    unit |= offset < 1u << 21 ? offset << 10 : (offset >> 8 << 10 | 1u << 9);
    if (const auto rule = rules.find(prefix); rule != rules.end()) {
      unit |= 1u << 8;
      units[blocks[prefix]] = 1u << 31 | static_cast<uint32_t>(strings.size());
      strings += rule->second + '\0';
    }
    units[place] = unit;
  }
  std::string trie;
  for (const uint32_t unit : units) trie += little_endian(unit);
  return little_endian(static_cast<uint32_t>(trie.size())) + trie + strings;
}

}  // namespace quintet::test
