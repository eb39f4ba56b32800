#pragma once
// The lists of facts next to the fixtures.

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace quintet::test {

// A JSON file of tests/fixtures.
const Json& json_fixture(const std::string& path);

// The entry of a list of facts whose `file` is that.
const Json& expected_entry(const std::string& list, std::string_view file);

// The files that a list names.
std::vector<std::string> fixture_files(const std::string& list);

std::vector<uint64_t> numbers(const Json& array);

// A name that is allowed for a parameterized test.
std::string test_name(std::string_view file);

}  // namespace quintet::test
