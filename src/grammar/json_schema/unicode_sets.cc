#include "grammar/json_schema/unicode_sets.h"

#include <array>
#include <vector>

#include "base/utf8.h"

namespace quintet::grammar {
namespace {

// Unicode 17, emoji-data.txt. For each range how many characters are between it and the one before, and how many more
// than one it has.
constexpr std::array<uint32_t, 312> kPictographs = {
    169, 0,  4,  0,   8077, 0,    12,  0,  216, 0,   22,  0,   90,   5,      15, 1,  367, 1,   12,  0,  166, 0,  25,
    10,  4,  2,  199, 0,    231,  1,   10, 0,   9,   0,   58,  3,    1,      4,  9,  0,   2,   0,   2,  1,   2,  0,
    4,   0,  2,  0,   1,    1,    2,   0,  3,   0,   3,   1,   8,    2,      5,  0,  1,   0,   5,   11, 11,  1,  2,
    0,   1,  1,  1,   0,    18,   0,   2,  1,   18,  5,   1,   0,    1,      1,  3,  1,   5,   0,   2,  1,   4,  1,
    11,  1,  5,  1,   2,    0,    5,   1,  1,   0,   1,   1,   20,   1,      5,  5,  1,   3,   2,   0,  4,   0,  2,
    0,   2,  5,  1,   0,    2,    0,   1,  0,   1,   0,   6,   0,    3,      0,  6,  0,   10,  1,   15, 0,   2,  0,
    4,   0,  1,  0,   4,    2,    1,   0,  11,  1,   48,  2,   9,    0,      14, 0,  14,  0,   372, 1,  463, 2,  19,
    1,   51, 0,  4,   0,    1242, 0,   12, 0,   601, 0,   1,   0,    114026, 0,  39, 3,   100, 11,  15, 1,   15, 0,
    14,  1,  37, 9,   112,  1,    12,  1,  14,  0,   2,   9,   19,   55,     27, 14, 10,  0,   20,  0,  2,   8,  1,
    3,   9,  22, 6,   187,  2,    111, 2,  1,   1,   2,   2,   82,   2,      2,  1,  3,   5,   253, 1,  62,  11, 5,
    1,   23, 7,  1,   2,    7,    12,  0,  2,   3,   2,   0,   4,    1,      13, 1,  2,   0,   8,   1,  9,   0,  5,
    2,   12, 2,  8,   2,    2,    0,   1,  0,   4,   0,   6,   0,    3,      0,  6,  85,  48,  69,  5,  7,   2,  16,
    3,   0,  1,  5,   2,    12,   218, 37, 12,  3,   56,  7,   10,   5,      40, 7,  30,  1,   12,  3,  2,   13, 9,
    38,  12, 46, 1,   9,    1,    184, 88, 7,   14,  145, 256, 1021,
};

CharacterSet pictographs() {
  CharacterSet set;
  char32_t next = 0;
  for (size_t i = 0; i < kPictographs.size(); i += 2) {
    const char32_t first = next + kPictographs[i];
    const char32_t last = first + kPictographs[i + 1];
    set.push_back({first, last});
    next = last + 1;
  }
  return set;
}

}  // namespace

std::optional<CharacterSet> unicode_set(std::string_view name) {
  if (name == "Any") return complement({});
  if (name == "ASCII") return CharacterSet{{0, 0x7F}};
  if (name == "Extended_Pictographic" || name == "ExtPict") return pictographs();
  if (name == "Regional_Indicator" || name == "RI") return CharacterSet{{0x1F1E6, 0x1F1FF}};
  if (name == "Emoji_Component" || name == "EComp") {
    return CharacterSet{{'#', '#'},         {'*', '*'},        {'0', '9'},         {0x200D, 0x200D},
                        {0x20E3, 0x20E3},   {0xFE0F, 0xFE0F},  {0x1F1E6, 0x1F1FF}, {0x1F3FB, 0x1F3FF},
                        {0x1F9B0, 0x1F9B3}, {0xE0020, 0xE007F}};
  }
  return std::nullopt;
}

}  // namespace quintet::grammar
