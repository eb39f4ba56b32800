// The tables against the Unicode Character Database itself, for every code point. Where the
// database is not installed (Debian's package unicode-data, version 15.0), only the known values
// are tested. What later versions add is that of tools/unicode_since_15.txt.

#include "base/unicode/properties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/golden/fixture.h"

namespace quintet {
namespace {

constexpr char32_t kCodePoints = 0x110000;

char32_t code_point(const std::string& hex) { return static_cast<char32_t>(std::stoul(hex, nullptr, 16)); }

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

struct Character {
  std::string category = "Cn";
  unsigned combining_class = 0;
  std::u32string decomposition;  // one step
  char32_t lowercase = 0;
  double age = 0;
  bool white_space = false;
};

// UnicodeData.txt, DerivedAge.txt and PropList.txt, read in the simplest way.
class Database {
 public:
  static const Database* installed() {
    static const Database database;
    return database.characters_.empty() ? nullptr : &database;
  }
  const Character& operator[](char32_t c) const { return characters_[c]; }

  std::u32string decompose(char32_t c) const {
    if (c >= 0xAC00 && c <= 0xD7A3) {
      const char32_t s = c - 0xAC00;
      std::u32string jamo = {0x1100 + s / 588, 0x1161 + s % 588 / 28};
      if (s % 28) jamo += 0x11A7 + s % 28;
      return jamo;
    }
    if (characters_[c].decomposition.empty()) return {c};
    std::u32string all;
    for (const char32_t part : characters_[c].decomposition) all += decompose(part);
    return all;
  }

 private:
  Database() {
    std::string line;
    std::ifstream ages(kFolder + "DerivedAge.txt");
    if (!std::getline(ages, line) || line != "# DerivedAge-15.0.0.txt") return;
    characters_.resize(kCodePoints);
    for_each_range(ages, [](Character& c, const std::string& value) { c.age = std::stod(value); });
    std::ifstream properties(kFolder + "PropList.txt");
    for_each_range(properties,
                   [](Character& c, const std::string& value) { c.white_space |= value.starts_with(" White_Space"); });
    read_unicode_data();
    read_later_versions();
  }

  template <class Visit>
  void for_each_range(std::ifstream& file, Visit visit) {
    for (std::string line; std::getline(file, line);) {
      const auto fields = split(line.substr(0, line.find('#')), ';');
      if (fields.size() < 2) continue;
      const size_t dots = fields[0].find("..");
      const char32_t first = code_point(fields[0]);
      const char32_t last = dots == std::string::npos ? first : code_point(fields[0].substr(dots + 2));
      for (char32_t c = first; c <= last; ++c) visit(characters_[c], fields[1]);
    }
  }

  void read_unicode_data() {
    std::ifstream file(kFolder + "UnicodeData.txt");
    char32_t first = 0;
    for (std::string line; std::getline(file, line);) {
      const auto fields = split(line, ';');
      const char32_t last = code_point(fields[0]);
      if (fields[1].ends_with("First>")) {
        first = last;
        continue;
      }
      if (!fields[1].ends_with("Last>")) first = last;
      for (char32_t c = first; c <= last; ++c) {
        characters_[c].category = fields[2];
        characters_[c].combining_class = static_cast<unsigned>(std::stoul(fields[3]));
        if (!fields[13].empty()) characters_[c].lowercase = code_point(fields[13]);
      }
      const std::string& mapping = fields[5];
      if (mapping.empty() || mapping[0] == '<') continue;  // none, or a compatibility mapping
      for (const std::string& part : split(mapping, ' ')) characters_[last].decomposition += code_point(part);
    }
  }

  // Categories of Unicode 16.0 and the lower case of 17.0, but decompositions and combining classes of 9.0.
  void read_later_versions() {
    const std::vector<std::byte> bytes = test::read_fixture("../../tools/unicode_since_15.txt");
    std::istringstream file(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    for (std::string line; std::getline(file, line);) {
      const auto fields = split(line.substr(0, line.find('#')), ';');
      if (fields.size() == 3) {
        characters_[code_point(fields[0])].lowercase = code_point(fields[2]);
      } else if (fields.size() == 2) {
        const auto ends = fields[0].find("..");
        const char32_t first = code_point(fields[0]);
        const char32_t last = ends == std::string::npos ? first : code_point(fields[0].substr(ends + 2));
        for (char32_t c = first; c <= last; ++c) characters_[c].category = fields[1].substr(1);
        ++changes_;
      }
    }
    for (Character& character : characters_) {
      if (character.age == 0) character.age = 99;
      if (character.age <= 9) continue;
      character.combining_class = 0;
      character.decomposition.clear();
    }
  }

 public:
  size_t changes() const { return changes_; }

 private:
  size_t changes_ = 0;
  inline static const std::string kFolder = "/usr/share/unicode/";
  std::vector<Character> characters_;
};

Subcategory expected_subcategory(const std::string& name) {
  if (name == "Lu") return Subcategory::upper;
  if (name == "Lt") return Subcategory::title;
  if (name == "Ll") return Subcategory::lower;
  if (name == "Lm") return Subcategory::modifier;
  if (name == "Lo") return Subcategory::other_letter;
  if (name == "Nd") return Subcategory::decimal;
  if (name[0] == 'M') return Subcategory::mark;
  return name[0] == 'S' ? Subcategory::symbol : Subcategory::none;
}

Category expected_category(const std::string& name) {
  if (name == "Cc") return Category::control;
  if (name == "Cf") return Category::format;
  if (name == "Co") return Category::private_use;
  if (name == "Mn") return Category::nonspacing_mark;
  switch (name[0]) {
    case 'P':
      return Category::punctuation;
    case 'L':
      return Category::letter;
    case 'N':
      return Category::number;
    default:
      return Category::other;
  }
}

TEST(Unicode, EveryCodePointHasThePropertiesOfTheDatabase) {
  const Database* database = Database::installed();
  if (!database) GTEST_SKIP() << "unicode-data 15.0 is not installed";
  for (char32_t c = 0; c < kCodePoints; ++c) {
    const Character& expected = (*database)[c];
    const CharacterProperties properties = character_properties(c);
    ASSERT_EQ(properties.category(), expected_category(expected.category)) << std::hex << uint32_t{c};
    const Subcategory subcategory_expected =
        expected.white_space ? Subcategory::white_space : expected_subcategory(expected.category);
    ASSERT_EQ(subcategory(c), subcategory_expected) << std::hex << uint32_t{c};
    ASSERT_EQ(combining_class(c), expected.combining_class) << std::hex << uint32_t{c};
    ASSERT_EQ(properties.reorders(), expected.combining_class != 0) << std::hex << uint32_t{c};
    ASSERT_EQ(properties.decomposes(), !expected.decomposition.empty()) << std::hex << uint32_t{c};
    ASSERT_EQ(to_lowercase(c), expected.lowercase ? expected.lowercase : c) << std::hex << uint32_t{c};
    ASSERT_EQ(is_white_space(c), expected.white_space) << std::hex << uint32_t{c};
  }
  EXPECT_EQ(database->changes(), 84u);
}

TEST(Unicode, EveryCodePointDecomposesAsInTheDatabase) {
  const Database* database = Database::installed();
  if (!database) GTEST_SKIP() << "unicode-data 15.0 is not installed";
  size_t longest = 0;
  for (char32_t c = 0; c < kCodePoints; ++c) {
    char32_t out[kMaxDecomposition];
    const size_t size = decompose(c, out);
    ASSERT_EQ(std::u32string(out, size), database->decompose(c)) << std::hex << uint32_t{c};
    longest = std::max(longest, size);
  }
  EXPECT_EQ(longest, kMaxDecomposition);
}

TEST(Unicode, CharactersWithPropertiesHaveTheirAge) {
  const Database* database = Database::installed();
  if (!database) GTEST_SKIP() << "unicode-data 15.0 is not installed";
  for (char32_t c = 0; c < kCodePoints; ++c) {
    const CharacterProperties properties = character_properties(c);
    const Category category = properties.category();
    const bool ageless = category == Category::other || category == Category::letter || category == Category::number;
    const bool is_mark = subcategory(c) == Subcategory::mark;
    if (ageless && !is_mark && !properties.reorders() && !properties.decomposes()) continue;
    const double age = (*database)[c].age;
    const Age expected = age <= 8 ? Age::unicode_8 : age <= 9 ? Age::unicode_9 : Age::later;
    ASSERT_EQ(properties.age(), expected) << std::hex << uint32_t{c};
  }
}

TEST(Unicode, KnownCharacters) {
  EXPECT_EQ(to_lowercase(U'Ж'), U'ж');
  EXPECT_EQ(to_lowercase(U'ß'), U'ß');
  EXPECT_EQ(to_lowercase(0x10400), 0x10428);
  EXPECT_EQ(combining_class(0x0301), 230);
  EXPECT_EQ(character_properties(U'字').category(), Category::letter);
  EXPECT_EQ(subcategory(0x110000), Subcategory::none);
  EXPECT_EQ(subcategory(U'ǅ'), Subcategory::title);
  EXPECT_EQ(subcategory(U'ß'), Subcategory::lower);
  EXPECT_EQ(subcategory(0x0903), Subcategory::mark);
  EXPECT_EQ(character_properties(U'½').category(), Category::number);
  EXPECT_EQ(character_properties(U'€').category(), Category::other);
  char32_t out[kMaxDecomposition];
  ASSERT_EQ(decompose(0x1F82, out), 4);  // alpha with three marks
  EXPECT_EQ(std::u32string(out, 4), U"\u03B1\u0313\u0300\u0345");
  ASSERT_EQ(decompose(U'각', out), 3);
  EXPECT_EQ(std::u32string(out, 3), U"\u1100\u1161\u11A8");
}

TEST(Unicode, ValuesBeyondTheLastCodePointHaveNoProperties) {
  for (const char32_t c : {char32_t{0x110000}, char32_t{0x80000000}, char32_t{0xFFFFFFFF}}) {
    EXPECT_EQ(character_properties(c).category(), Category::other);
    EXPECT_EQ(to_lowercase(c), c);
    EXPECT_EQ(combining_class(c), 0);
    char32_t out[kMaxDecomposition];
    EXPECT_EQ(decompose(c, out), 1);
    EXPECT_EQ(out[0], c);
  }
}

}  // namespace
}  // namespace quintet
