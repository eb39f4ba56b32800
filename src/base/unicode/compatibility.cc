#include "base/unicode/compatibility.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "base/unicode/properties.h"
#include "base/utf8.h"

// WebAssembly gets the decompositions from the engine, which has them anyway: they are stable from the version on in
// which a character was assigned (https://www.unicode.org/policies/stability_policy.html), so that all engines agree.
#if defined(__EMSCRIPTEN__)
// bindings/unicode_library.js: writes at most kMaxCompatible code points, and returns their number, or 0.
extern "C" int quintet_compatible(char32_t c, char32_t* out);
#else
#include "base/unicode/compatibility_data.h"
#endif

namespace quintet {
namespace {

constexpr unsigned char kFirstLead = 0xC2;  // the first byte of U+00A0; smaller bytes start smaller code points

// Characters in ascending order, and where their decompositions begin, which end where the next ones begin.
class Decompositions {
 public:
  static const Decompositions& get() {
    static const Decompositions decompositions;
    return decompositions;
  }

  // Empty if there is none.
  std::span<const char32_t> of(char32_t c) const {
    const auto found = std::ranges::lower_bound(characters_, c);
    if (found == characters_.end() || *found != c) return {};
    const auto index = static_cast<size_t>(found - characters_.begin());
    return std::span(text_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
  }

 private:
  Decompositions();
  void add(char32_t c, const char32_t* decomposition, size_t size) {
    characters_.push_back(c);
    begins_.push_back(static_cast<uint32_t>(text_.size()));
    for (size_t i = 0; i < size; ++i) text_.push_back(decomposition[i]);
  }

  std::vector<char32_t> characters_;
  std::vector<uint32_t> begins_;
  std::vector<char32_t> text_;
};

#if defined(__EMSCRIPTEN__)

constexpr size_t kMaxCompatible = 32;

struct Range {
  char32_t first, last;
};

// Characters with a decomposition that were assigned after Unicode 9.0.
constexpr Range kLater[] = {{0x32FF, 0x32FF},   {0xA7F2, 0xA7F4},   {0xAB69, 0xAB69},   {0x10781, 0x107BA},
                            {0x1CCD6, 0x1CCF9}, {0x1E030, 0x1E06D}, {0x1F16C, 0x1F16C}, {0x1FBF0, 0x1FBF9}};

bool is_known(char32_t c) {
  if (std::ranges::any_of(kLater, [c](const Range& range) { return range.first <= c && c <= range.last; }))
    return false;
  return character_properties(c).category() != Category::other || subcategory(c) != Subcategory::none;
}

// All blocks but those of ideographs, syllables and private use, in which no character has one.
constexpr Range kBlocks[] = {{0xA0, 0x33FF}, {0xA640, 0xABFF}, {0xF900, 0x1FFFF}};

Decompositions::Decompositions() {
  char32_t decomposition[kMaxCompatible];
  for (const Range& block : kBlocks) {
    for (char32_t c = block.first; c <= block.last; ++c) {
      const int size = is_known(c) ? quintet_compatible(c, decomposition) : 0;
      if (size != 0) add(c, decomposition, static_cast<size_t>(size));
    }
  }
  begins_.push_back(static_cast<uint32_t>(text_.size()));
}

#else

Decompositions::Decompositions() {
  constexpr uint32_t kSizeShift = 24;
  for (const char32_t* at = std::begin(unicode_data::kCompatibility); at != std::end(unicode_data::kCompatibility);) {
    const size_t size = *at >> kSizeShift;
    add(*at & ((1u << kSizeShift) - 1), at + 1, size);
    at += 1 + size;
  }
  begins_.push_back(static_cast<uint32_t>(text_.size()));
}

#endif

}  // namespace

bool may_decompose_compatibly(std::string_view text) {
  return std::ranges::any_of(text, [](char byte) { return static_cast<unsigned char>(byte) >= kFirstLead; });
}

void append_compatible(std::string_view text, std::string& out) {
  const Decompositions& decompositions = Decompositions::get();
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    const std::span<const char32_t> compatible = decompositions.of(decoded.code_point);
    for (const char32_t c : compatible) append_utf8(c, out);
    if (compatible.empty()) out += text.substr(at, decoded.bytes);
    at += decoded.bytes;
  }
}

}  // namespace quintet
