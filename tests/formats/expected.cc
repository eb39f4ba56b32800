#include "tests/formats/expected.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>

#include "tests/formats/reading.h"

namespace quintet::test {

const Json& json_fixture(const std::string& path) {
  static std::map<std::string, Json> files;
  const auto found = files.find(path);
  if (found != files.end()) return found->second;
  auto parsed = parse_json(as_text(fixture(path)));
  EXPECT_TRUE(parsed) << path;
  return files[path] = parsed ? *parsed : Json();
}

const Json& expected_entry(const std::string& list, std::string_view file) {
  for (const Json& entry : *json_fixture(list).as_array()) {
    if (*entry.find("file")->as_string() == file) return entry;
  }
  ADD_FAILURE() << list << " does not name " << file;
  return json_fixture(list);
}

std::vector<std::string> fixture_files(const std::string& list) {
  std::vector<std::string> files;
  for (const Json& entry : *json_fixture(list).as_array()) files.push_back(*entry.find("file")->as_string());
  return files;
}

std::vector<uint64_t> numbers(const Json& array) {
  std::vector<uint64_t> out;
  for (const Json& element : *array.as_array()) out.push_back(*element.as_uint());
  return out;
}

std::string test_name(std::string_view file) {
  std::string name;
  for (const char c : file) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace quintet::test
