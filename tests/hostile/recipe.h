#pragma once
// Broken files, made from good ones by the recipes of tests/fixtures/malformed.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "tests/formats/reading.h"

namespace quintet::test {

struct BrokenFile {
  std::string id;
  File bytes;
  std::string expect;                   // "error", "ok" or "error or ok"
  bool inspectable = false;             // the error may come later than with an inspection
  std::optional<uint64_t> offset = {};  // of the wrong field
};

// All files of a list of recipes.
std::vector<BrokenFile> broken_files(const std::string& list);

// The formats that have recipes: malformed/<name of the format>.json.
std::vector<Format> formats_with_recipes();
std::vector<BrokenFile> broken_files(Format format);

}  // namespace quintet::test
