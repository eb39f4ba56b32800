#pragma once
// Runs a reader over bytes in memory, in every way in which a caller may feed it.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/model_files.h"

namespace quintet::test {

using File = std::vector<std::byte>;

// A file of tests/fixtures.
File fixture(std::string_view path);

struct Reading {
  std::optional<Format> format = {};  // sniffed where absent
  size_t chunk = SIZE_MAX;            // most bytes fed at once
  bool length_known = true;
  bool seekable = false;
  bool wants_data = true;
  bool verify_checksums = true;
};

struct ReadFile {
  ModelDescription description;
  std::map<std::string, std::vector<std::byte>> data;  // payloads
};

Result<ReadFile> read_file(Bytes file, const Reading& how = {});

// Feeds `file` to a parse over `in` and gives its result.
Status drive(Bytes file, ByteStream& in, Parse<void>& parse, size_t chunk);

// The tensor's values as float32, an int8 matrix by its scales.
std::vector<float> dequantized(const ReadFile& file, const std::string& name);

}  // namespace quintet::test
